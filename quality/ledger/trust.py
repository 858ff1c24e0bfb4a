"""What do the statistics of trust read of the ledger? The scored runs as columns, and what is computed of them once.

One query lifts the scored runs out as arrays; names become codes there and come back in the answers (`trust_models.py`,
`trust_verifiers.py`). `trust_questions.py` keeps them until a run or a score changes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from quality.catalogue import UNKNOWN, canonical_model, model_family
from quality.ledger.queries import WEEK_MICROSECONDS
from quality.ledger.queries_models import COST, MONDAY_MICROSECONDS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Transaction
from quality.observations import COORDINATE
from quality.settings import ScoringSettings
from quality.trust.calibrated import CalibratedScores, Evidence, scores_by_model
from quality.trust.runs import NOT_KNOWN, REASONS, Codes, Flags, Floats, Runs
from quality.trust.ties import covariance

WEEK_ZERO = date(1969, 12, 29)
"""The Monday that weeks are counted from."""
NO_SUCH = NOT_KNOWN - 1
"""The code of a name that no run has."""

T = TypeVar("T")


@dataclass(frozen=True)
class Named:
    """Codes of n runs and the name of each code, in the order of the alphabet."""

    code: Codes
    names: tuple[str, ...]

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def of(self, name: str) -> int:
        """The name's code, `NO_SUCH` where no run has it."""
        return self.places.get(name, NO_SUCH)

    def any_of(self, names: Sequence[str]) -> Flags:
        """n, whether the run has one of these names."""
        return np.isin(self.code, [self.of(name) for name in names])

    def only(self, rows: Flags) -> "Named":
        return Named(self.code[rows], self.names)


@dataclass(frozen=True)
class Lifted:
    """The scored runs of one state of the ledger."""

    everything: Runs
    """All of them; the model `unknown`, where there is one, has the last code."""
    evidence: Evidence
    """Those whose builder is known: nothing can be routed to the others."""
    models: tuple[str, ...]
    """Names of the known models by code."""
    verifiers: tuple[str, ...]
    families: tuple[str, ...]
    parts: Mapping[str, Named]
    """Part of the coordinate, or "agent" → codes of the runs of `evidence`."""
    run_ids: pa.Array
    """Of the runs of `evidence`, text."""
    cost: Floats
    """Of the runs of `evidence`, US dollars, NaN where not stated."""
    accepted: Flags
    ratings: tuple[Codes, Floats]
    """Standing ratings of runs that several reviewers rated: the run's code, the score."""
    answers: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def scores(self) -> CalibratedScores:
        return scores_by_model(self.evidence)

    @cached_property
    def errors(self) -> Floats:
        """`ties.covariance` of the scores."""
        return covariance(self.evidence, self.scores)

    def once(self, asked: Any, compute: Callable[[], T]) -> T:
        """The answer to what was asked before, else computed now."""
        if asked not in self.answers:
            self.answers[asked] = compute()
        return self.answers[asked]

    def of_models(self, names: Sequence[str]) -> Flags:
        """Which runs of `evidence` are of one of these models."""
        return Named(self.evidence.runs.model, self.models).any_of(names)

    def fitting(self, wanted: Mapping[str, Sequence[str] | None]) -> Flags | None:
        """Which runs of `evidence` have one of the names of each stated part; `None` = nothing is stated, all do."""
        stated = [self.parts[part].any_of(names) for part, names in wanted.items() if names]
        return np.logical_and.reduce(stated) if stated else None

    def part(self, wanted: Mapping[str, Sequence[str] | None]) -> Evidence:
        """`evidence` of the runs that fit; itself, where nothing is stated."""
        rows = self.fitting(wanted)
        return self.evidence if rows is None else self.evidence.only(rows)


def lift(snapshot: Transaction, scoring: ScoringSettings, as_of: datetime | None = None) -> Lifted:
    """The runs of a snapshot; families and aliases of models are those of the settings."""
    sql, until = load_sql("queries/trust"), {"as_of": as_of or FOREVER}
    paths = {"paths": [f"$.{name}" for name in COST], "names": "|".join(COST), "factors": list(COST.values())}
    weeks = {"monday": MONDAY_MICROSECONDS, "week": WEEK_MICROSECONDS}
    table = snapshot.table(sql["runs"], until | paths | weeks)
    rated = snapshot.table(sql["ratings"], until)
    built, parts = scoring.models, {part: _named(table, part) for part in (*COORDINATE, "agent")}
    model = _named(table, "model", last=UNKNOWN)
    verifier = _canonical(_named(table, "verifier_model"), built.aliases)
    builders = [model_family(name, built.families, built.aliases) for name in model.names]
    theirs = [model_family(name, built.families, built.aliases) for name in verifier.names]
    families = tuple(sorted({family for family in (*builders, *theirs) if family}))
    runs = Runs.of(
        model.code,
        auto=_numbers(table, "quality_auto"),
        verifier=_numbers(table, "quality_verifier"),
        human=_numbers(table, "quality_human"),
        story=_codes(table, "story")[0],
        coordinate=_coordinate([parts[part] for part in COORDINATE]),
        reason=_reasons(table),
        probability=_numbers(table, "review_probability"),
        pool=_numbers(table, "review_pool"),
        verifier_model=verifier.code,
        builder_family=_family_codes(builders, families)[model.code],
        verifier_family=_family_codes(theirs, families)[verifier.code],
        week=_whole(table, "week"),
    )
    lifted = Lifted(
        everything=runs,
        evidence=Evidence(runs),
        models=model.names,
        verifiers=verifier.names,
        families=families,
        parts=parts,
        run_ids=table["run_id"].combine_chunks(),
        cost=_numbers(table, "cost"),
        accepted=_flags(table, "accepted"),
        ratings=(_whole(rated, "run"), _numbers(rated, "quality")),
    )
    return _without_unknown(lifted) if model.names and model.names[-1] == UNKNOWN else lifted


def _without_unknown(lifted: Lifted) -> Lifted:
    """The same, with no evidence of the last model."""
    known = lifted.everything.model != len(lifted.models) - 1
    return replace(
        lifted,
        evidence=Evidence(lifted.everything.only(known)),
        models=lifted.models[:-1],
        parts={part: named.only(known) for part, named in lifted.parts.items()},
        run_ids=lifted.run_ids.filter(pa.array(known)),
        cost=lifted.cost[known],
        accepted=lifted.accepted[known],
    )


def monday(week: int) -> date:
    """The first day of a week by its number.

    >>> monday(2931).isoformat()
    '2026-03-02'
    """
    return WEEK_ZERO + timedelta(weeks=int(week))


def stated(value: Any) -> float | None:
    """A number of an array as JSON has it: NaN is null."""
    return None if value is None or np.isnan(value) else float(value)


def _codes(table: pa.Table, name: str) -> tuple[Codes, pa.Array]:
    """Codes in the order of first sight, `NOT_KNOWN` where the column is null, and their names."""
    found = table[name].combine_chunks().dictionary_encode()
    return found.indices.fill_null(NOT_KNOWN).to_numpy(zero_copy_only=False).astype(np.int64), found.dictionary


def _named(table: pa.Table, name: str, last: str | None = None) -> Named:
    """A column of few different names; `last` comes after all others."""
    code, found = _codes(table, name)
    names = found.to_pylist()
    return _renamed(Named(code, tuple(names)), {each: each for each in names}, last)


def _canonical(verifiers: Named, aliases: Mapping[str, str]) -> Named:
    """Spellings of one model are one verifier; `unknown` is none."""
    return _renamed(verifiers, {name: canonical_model(name, aliases) for name in verifiers.names if name != UNKNOWN})


def _renamed(before: Named, to: Mapping[str, str], last: str | None = None) -> Named:
    """The same runs under other names, in the order of the alphabet; a name that is left out is not known."""
    names = tuple(sorted(set(to.values()), key=lambda name: (name == last, name)))
    place = {name: number for number, name in enumerate(names)}
    codes = [*(place[to[name]] if name in to else NOT_KNOWN for name in before.names), NOT_KNOWN]
    return Named(np.array(codes, np.int64)[before.code], names)


def _family_codes(found: Sequence[str | None], families: Sequence[str]) -> Codes:
    """Of each name the code of its family; one more at the end, which `NOT_KNOWN` as a place means."""
    return np.array([*(families.index(each) if each else NOT_KNOWN for each in found), NOT_KNOWN], np.int64)


def _coordinate(parts: Sequence[Named]) -> Codes:
    """A code for each kind of work, from those of its parts."""
    code = np.zeros_like(parts[0].code)
    for part in parts:
        code = code * (len(part.names) + 1) + part.code - NOT_KNOWN
    return code


def _reasons(table: pa.Table) -> Codes:
    """Why a reviewed run was reviewed; what does not say is taken as picked by choice."""
    code, found = _codes(table, "review_reason")
    places = [REASONS.index(name) if name in REASONS else REASONS.index("choice") for name in found.to_pylist()]
    reason = np.array([*places, REASONS.index("choice")], np.int64)[code]
    return np.where(table["quality_human"].is_valid().to_numpy(), reason, NOT_KNOWN)


def _numbers(table: pa.Table, name: str) -> Floats:
    return table[name].cast(pa.float64()).to_numpy()


def _whole(table: pa.Table, name: str) -> Codes:
    return table[name].cast(pa.int64()).fill_null(NOT_KNOWN).to_numpy()


def _flags(table: pa.Table, name: str) -> NDArray[np.bool_]:
    return table[name].fill_null(False).to_numpy()
