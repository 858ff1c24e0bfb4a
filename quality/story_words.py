"""What does a correction of a story do, in the words of a lead? The same on the screen and in the terminal."""

from collections.abc import Iterator
from typing import Any

from quality.activity_words import some
from quality.definitions import define
from quality.definitions_stories import CHANGES
from quality.story_commands import EditStory, FieldChange, RowsChanged, StoryCorrection, UndoStoryEdit

FIELDS = {
    "title": "title", "discipline": "discipline", "org_domain": "org domain", "industry": "industry", "phase": "phase",
    "estimated_tokens": "estimate", "done_criteria": "done criteria",
}  # fmt: skip
"""Field of a story → what people call it."""
EDITS = (EditStory.name, UndoStoryEdit.name)
ALWAYS = ("runs", "effective")
"""Told where it is nothing, too; of a merge or split also `OF_RUNS`."""
OF_RUNS = ("moved", "ratings")


def effects(kind: str, rows: RowsChanged) -> Iterator[tuple[str, int]]:
    """What a command does to the rows, as a definition's name and how many; what else it leaves alone is left out.

    >>> list(effects("edit_story", RowsChanged(runs=3, coordinates=1)))
    [('runs_concerned', 3), ('effective_changed', 0), ('kinds_changed', 1)]
    """
    always = ALWAYS if kind in EDITS else (*ALWAYS, *OF_RUNS)
    for name, defined in CHANGES.items():
        if (n := getattr(rows, name)) or name in always:
            yield defined, n


def told(kind: str, rows: RowsChanged) -> str:
    """The same in a line.

    >>> told("merge_stories", RowsChanged(runs=3, moved=1))
    'Runs: 3, moved: 1, ratings: 0, scores changed: 0'
    """
    first, *rest = (f"{define(name).label}: {n:,}" for name, n in effects(kind, rows))
    return ", ".join([first, *(part[0].lower() + part[1:] for part in rest)])


def value_of(value: Any) -> str:
    """A field's value for people; an estimate has its unit.

    >>> value_of(1200), value_of("Fix it"), value_of(None)
    ('1,200 tokens', 'Fix it', '')
    """
    if value is None:
        return ""
    return some(value, "tokens") if isinstance(value, int) else str(value)


def changed(change: FieldChange) -> tuple[str, str, str]:
    """What people call the field, its value before and after, "" where none is known.

    >>> changed(FieldChange(field="estimated_tokens", before=None, after=1))
    ('estimate', '', '1 token')
    """
    return FIELDS[change.field], value_of(change.before), value_of(change.after)


def happened(correction: StoryCorrection) -> str:
    """What somebody did to a story, as the beginning of a line.

    >>> now = "2026-03-01T09:30:00Z"
    >>> happened(StoryCorrection(kind="merge", id="1", story_id="S-2", into_id="S-1", actor="lee", recorded_at=now, stands=True))
    'merged S-2 into S-1'
    """
    match correction.kind:
        case "merge":
            return f"merged {correction.story_id} into {correction.into_id}"
        case "split":
            return f"split {correction.story_id} off {correction.into_id}"
        case "undo":
            return f"took back a correction of {correction.story_id}"
    return f"corrected {correction.story_id}"
