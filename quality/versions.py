"""How do two evaluations of a prompt differ? Their scores dimension by dimension, and the lines of the text."""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from typing import Any

from quality.dimensions import DIMENSIONS

OVERALL = "Overall"
MOST_LINES = 2_000
"""Lines on a side beyond which the changed part is shown as a whole: finding the shortest way through takes too long."""
SAME = "The texts are the same."
BLANKS_ONLY = "The texts differ in line ends alone."


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row a dimension, the overall score first: `dimension`, `before`, `after`, `difference` = after − before.

    Args:
        before, after: evaluations with `overall` and `dimensions` (key, score), as the ledger lists them.

    Scores are 0–10 and a difference is −10 to 10; what a FAILED evaluation has not is None.

    >>> one, other = {"overall": 7.0, "dimensions": []}, {"overall": 7.5, "dimensions": []}
    >>> compare(one, other)[0]
    {'dimension': 'Overall', 'before': 7.0, 'after': 7.5, 'difference': 0.5}
    """
    old, new = _scores(before), _scores(after)
    return [
        {"dimension": name, "before": old.get(name), "after": new.get(name), "difference": _minus(new, old, name)}
        for name in (OVERALL, *(d.label for d in DIMENSIONS))
    ]


def line_diff(before: str, after: str, names: tuple[str, str] = ("before", "after")) -> str:
    """What changed, line by line, in unified form; a sentence where no line did.

    >>> print(line_diff("a\\nb", "a\\nc"))
    --- before
    +++ after
    @@ -1,2 +1,2 @@
     a
    -b
    +c
    """
    if before == after:
        return SAME
    old, new = before.splitlines(), after.splitlines()
    if old == new:
        return BLANKS_ONLY
    if max(len(old), len(new)) > MOST_LINES:
        return "\n".join((f"--- {names[0]}", f"+++ {names[1]}", *_replaced(old, new)))
    return "\n".join(unified_diff(old, new, *names, lineterm=""))


def _replaced(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """From the first line that differs to the last: all that was there, and all that is."""
    first = next((n for n, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    room = min(len(old), len(new)) - first
    tail = next((n for n in range(room) if old[-1 - n] != new[-1 - n]), room)
    gone, come = old[first : len(old) - tail], new[first : len(new) - tail]
    place = f"@@ -{first + 1},{len(gone)} +{first + 1},{len(come)} @@"
    return [place, *(f"-{line}" for line in gone), *(f"+{line}" for line in come)]


def _scores(evaluation: Mapping[str, Any]) -> dict[str, float]:
    labels = {d.key: d.label for d in DIMENSIONS}
    found = {labels[part["key"]]: part["score"] for part in evaluation["dimensions"] if part["key"] in labels}
    return found if evaluation["overall"] is None else found | {OVERALL: evaluation["overall"]}


def _minus(new: Mapping[str, float], old: Mapping[str, float], name: str) -> float | None:
    return new[name] - old[name] if name in new and name in old else None
