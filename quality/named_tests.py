"""What is a test known by, so that two artifacts that tell of it count it once?

A report that names its tests is kept as one number a test and one letter for how it ended; the names themselves are
not stored.
"""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

LETTERS = {"passed": "p", "flaky": "y", "failed": "f", "errors": "e", "skipped": "s"}
"""How a test ended → its letter. `flaky` = passed in the end after a failure."""


def known_by(*parts: str, nth: int = 0) -> int:
    """Class or file, name and parameters → a signed 64-bit number, the same in every process and on every machine.

    `nth` tells apart tests of one name in one report (identical ones that all passed count each).

    >>> known_by("pkg.Class", "test_a") == known_by("pkg.Class", "test_a")
    True
    >>> known_by("pkg", "a") == known_by("pkg", "b"), known_by("ab", "c") == known_by("a", "bc")
    (False, False)
    """
    text = "\x1f".join((*parts, str(nth)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def fits(test_ids: list[int] | None, test_outcomes: str | None) -> bool:
    """Whether there is one known letter a test.

    >>> fits([1, 2], "pf"), fits(None, None), fits([1], "pf"), fits([1], "x")
    (True, True, False, False)
    """
    letters = test_outcomes or ""
    return len(test_ids or ()) == len(letters) and set(letters) <= set(LETTERS.values())


WORSE = "spyfe"
"""Letters from the one that says least to the one that says worst."""
_RANK = np.zeros(256, dtype=np.int64)
_RANK[list(WORSE.encode())] = range(len(WORSE))
_STEP = 8
"""Room for a rank of `WORSE` in a score."""


@dataclass(frozen=True)
class NamedTests:
    """Tests that reports name, an entry a test a report; e entries in the order of their reports."""

    run: NDArray[np.int64]
    """e, 0 … k − 1."""
    report: NDArray[np.int64]
    """e, number of the report that names it; a report is of one run."""
    test: NDArray[np.int64]
    """e, what the test is known by."""
    letter: NDArray[np.uint8]
    """e, one of `LETTERS` as a byte; any other says as little as a skipped test."""
    time: NDArray[np.int64]
    """e, the report's place among the times of all reports, 0 = the earliest; equal times, equal places."""
    is_whole: NDArray[np.bool_]
    """e, whether the report tells of all its tests; a part of a run that broke off does not."""


@dataclass(frozen=True)
class Outcomes:
    """How the named tests of k runs ended, each counted once."""

    counts: NDArray[np.int64]
    """k × 5, how many ended with each letter of `WORSE`."""
    has_part: NDArray[np.bool_]
    """k, whether a test that ran is known from a part of a run only."""
    contradicts: NDArray[np.bool_]
    """k, whether reports of one time say of one test that it passed and that it failed."""
    reports: NDArray[np.int64]
    """k, how many reports some outcome was taken from."""


def newest_outcomes(named: NamedTests, runs: int) -> Outcomes:
    """Each test of each run by its newest report (design/006).

    Before a report's time comes whether it is whole, then whether the test ran in it: to skip a test, or to break off, is
    no newer attempt. Of reports with one time the worse outcome counts.
    """
    times = named.time.max(initial=0) + 1
    rank = _RANK[named.letter]
    standing = (named.is_whole * 2 + (rank > 0)) * times + named.time
    score = standing * _STEP + rank
    order = np.lexsort((named.test, named.run))
    run, test, score = named.run[order], named.test[order], score[order]
    begins = np.append(True, (run[1:] != run[:-1]) | (test[1:] != test[:-1])) if len(run) else np.zeros(0, dtype=bool)
    starts = np.flatnonzero(begins)
    best = np.maximum.reduceat(score, starts) if len(starts) else score
    best_of = best[np.cumsum(begins) - 1]
    worst, of = best % _STEP, run[starts]
    in_part = (worst > 0) & (best // _STEP < 2 * times)
    passed, failed = WORSE.index("p"), WORSE.index("f")
    denied = (score // _STEP == best_of // _STEP) & (best_of % _STEP >= failed)
    denied &= (score % _STEP >= passed) & (score % _STEP < failed)
    run_of_source = np.full(named.report.max(initial=0) + 1, runs)
    run_of_source[named.report[order][score == best_of]] = run[score == best_of]
    return Outcomes(
        counts=np.bincount(of * len(WORSE) + worst, minlength=runs * len(WORSE)).reshape(runs, len(WORSE)),
        has_part=np.bincount(of[in_part], minlength=runs) > 0,
        contradicts=np.bincount(run[denied], minlength=runs) > 0,
        reports=np.bincount(run_of_source, minlength=runs + 1)[:runs],
    )
