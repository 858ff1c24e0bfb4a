"""What does withdrawing an import change, in the words of a lead? The same on the screen and in the terminal."""

from collections.abc import Mapping
from typing import Any

from quality.activity_words import PARTS, some
from quality.correction_commands import Brought

COUNTED = (*PARTS, "feedback", "rejects")
"""Counts of an import that are told, in this order."""
RECORDS = ("signals", "verdicts", "overrides")
"""Of those, what counts for a score."""


def brought(counts: Mapping[str, Any]) -> str:
    """What an import brought, by its counts.

    >>> brought({"runs": 2, "signals": 1, "verdicts": 0, "rejects": 3}), brought({})
    ('2 runs, 1 signal reading, 3 rejects', 'nothing new')
    """
    return ", ".join(some(counts[name], name) for name in COUNTED if counts.get(name)) or "nothing new"


def changes(found: Brought) -> list[str]:
    """What would be without the import, a line each; what would stay as it is has none.

    >>> none = dict.fromkeys(Brought.model_fields, 0)
    >>> changes(Brought(**none | {"runs_gone": 1}))
    ['1 run would be in no list and no number: nothing else says anything of it']
    >>> changes(Brought(**none | {"runs_gone": 2, "ratings_waiting": 1}))[1]
    '1 rating by people would wait until its run comes back'
    """
    gone, kept, waiting = found.runs_gone, found.runs_kept, found.ratings_waiting
    their_runs = "its run comes" if waiting == 1 else "their runs come"
    what = {name: getattr(found, name) for name in RECORDS}
    lines = {
        f"{some(gone, 'runs')} would be in no list and no number: nothing else says anything of {_it(gone)}": gone,
        f"{some(kept, 'runs')} would stay, without what this file says of {_it(kept)}": kept,
        f"{brought(what)} would not count": any(what.values()),
        f"what it says of {some(found.stories, 'stories')} would not be known": found.stories,
        f"{some(waiting, 'overrides')} by people would wait until {their_runs} back": waiting,
    }
    return [line for line, n in lines.items() if n] or ["nothing would change: it brought nothing new"]


def _it(count: int) -> str:
    return "it" if count == 1 else "them"
