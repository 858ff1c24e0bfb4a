"""How do people correct stories? Edits and merges are appended, so are their ends; the rows of the runs follow."""

import json
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from quality.command_base import Command
from quality.errors import Conflict, NotFound, QualityError
from quality.ledger.ratings import refuse_unknown_story
from quality.ledger.recompute import recompute_touched
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Store, Transaction
from quality.ledger.story_identity import corrected, ids_of, refresh_survivors
from quality.problems import first_problem
from quality.settings import Settings
from quality.story_commands import (
    STORY_FIELDS,
    EditStory,
    FieldChange,
    MergeStories,
    RowsChanged,
    ShowStoryCorrections,
    SplitStory,
    StoriesMerged,
    StoryCorrection,
    StoryEdited,
    StoryEditUndone,
    StorySplit,
    SupposeStoryChange,
    UndoStoryEdit,
)

SUPPOSED_BY = "nobody"
"""Who a change that is only supposed is by; it is not stored."""
MOST_CORRECTIONS = 1_000
SHOWN = 100
"""Characters of a reason within a refusal."""


def edit_story(tx: Transaction, command: EditStory, settings: Settings) -> StoryEdited:
    """Store what is said, of the fields where it is news, and bring the story's runs up to date.

    Raises:
        NotFound: the ledger does not know the story.
        QualityError: all of it is known so already.
    """
    refuse_unknown_story(tx, command.story_id)
    story_id, *merged = ids_of(tx, command.story_id)
    known = _known(tx, story_id)
    stated = {name: _trimmed(getattr(command, name)) for name in STORY_FIELDS}
    news = {name: value for name, value in stated.items() if value is not None and value != known[name]}
    if not news:
        raise QualityError(f"{story_id}: is known so already: nothing was changed, give another value")
    before = {name: known[name] for name in news}
    _note_rows(tx, [story_id, *merged])
    edit_id = _add_edit(tx, command, story_id, news, before, reason=command.reason)
    rows = _recomputed(tx, settings)
    return StoryEdited(edit_id=edit_id, story_id=story_id, changes=_changes(before, news), rows=rows)


def undo_story_edit(tx: Transaction, command: UndoStoryEdit, settings: Settings) -> StoryEditUndone:
    """Take an edit back: what was known without it counts again.

    Raises:
        NotFound: no such story, or none of its edits stands.
    """
    refuse_unknown_story(tx, command.story_id)
    ids = ids_of(tx, command.story_id)
    edit = tx.row(_sql("standing_edit"), {"ids": ids, "edit_id": command.edit_id})
    if edit is None:
        named = f"correction {command.edit_id}" if command.edit_id else "correction"
        raise NotFound(f"{command.story_id}: has no {named} that stands: see its history")
    known = _known(tx, ids[0])
    said = [name for name in STORY_FIELDS if edit[name] is not None]
    before = {name: known[name] for name in said}
    _note_rows(tx, ids)
    undo_id = _add_edit(tx, command, edit["story_id"], {}, before, undoes=edit["edit_id"])
    known = _known(tx, ids[0])
    tx.execute(_sql("note_known"), {"edit_id": undo_id, **{name: known[name] for name in STORY_FIELDS}, "said": said})
    after = {name: known[name] for name in said}
    rows = _recomputed(tx, settings)
    changes = [one for one in _changes(before, after) if one.before != one.after]
    return StoryEditUndone(edit_id=edit["edit_id"], story_id=ids[0], changes=changes, rows=rows)


def merge_stories(tx: Transaction, command: MergeStories, settings: Settings) -> StoriesMerged:
    """Note that the two are one, and bring the runs of both up to date.

    Raises:
        NotFound: the ledger does not know one of them.
        Conflict: they are one already, or `from_id` was merged before.
    """
    for story_id in (command.from_id, command.into_id):
        refuse_unknown_story(tx, story_id)
    if command.from_id == command.into_id:
        raise QualityError(f"{command.from_id}: cannot be merged into itself: name two stories")
    ids, others = ids_of(tx, command.from_id), ids_of(tx, command.into_id)
    if ids[0] != command.from_id:
        raise Conflict(
            f"{command.from_id}: was merged into {ids[0]} already: merge {ids[0]}, or split {command.from_id} off first"
        )
    if others[0] == command.from_id:
        raise Conflict(
            f"{command.into_id}: was merged into {command.from_id}, so they are one already: split it off first"
        )
    _note_rows(tx, [*ids, *others])
    merge = {"from_id": command.from_id, "into_id": command.into_id, "undoes": None, "reason": command.reason}
    merge_id = tx.value(_sql("add_merge"), {**merge, "now": tx.now, "actor": command.actor})
    refresh_survivors(tx)
    rows = _recomputed(tx, settings)
    return StoriesMerged(merge_id=merge_id, from_id=command.from_id, story_id=others[0], rows=rows)


def split_story(tx: Transaction, command: SplitStory, settings: Settings) -> StorySplit:
    """Take the merge of this id back, and bring the runs of both up to date.

    Raises:
        NotFound: no such story.
        Conflict: it was not merged; names what was merged into it.
    """
    refuse_unknown_story(tx, command.story_id)
    ids = ids_of(tx, command.story_id)
    merge = tx.row(_sql("standing_merge"), {"story_id": command.story_id})
    if merge is None:
        inside = f" Merged into it: {', '.join(ids[1:])}" if ids[1:] else ""
        raise Conflict(f"{command.story_id}: was not merged into another story: name the id that was.{inside}")
    _note_rows(tx, ids)
    undo = {"from_id": command.story_id, "into_id": merge["into_id"], "undoes": merge["merge_id"], "reason": None}
    tx.value(_sql("add_merge"), {**undo, "now": tx.now, "actor": command.actor})
    refresh_survivors(tx)
    rows = _recomputed(tx, settings)
    return StorySplit(merge_id=merge["merge_id"], from_id=command.story_id, story_id=ids[0], rows=rows)


WRITERS = {
    EditStory: (edit_story, StoryEdited),
    UndoStoryEdit: (undo_story_edit, StoryEditUndone),
    MergeStories: (merge_stories, StoriesMerged),
    SplitStory: (split_story, StorySplit),
}
"""Command → what carries it out, and the model of its answer."""
_BY_NAME: dict[str, type[Command]] = {kind.name: kind for kind in WRITERS}


def suppose(store: Store, question: SupposeStoryChange, settings: Settings) -> dict[str, Any]:
    """The answer that the change would get. It is carried out on copies in a snapshot that is thrown away.

    Raises:
        QualityError: what the change would be refused with.
    """
    kind = _BY_NAME[question.kind]
    try:
        command = kind(**question.change | {"actor": question.actor or SUPPOSED_BY})
    except (ValidationError, TypeError) as error:
        reason = first_problem(error, list(kind.model_fields)) if isinstance(error, ValidationError) else str(error)
        raise QualityError(reason) from error
    named = {getattr(command, name) for name in ("story_id", "from_id", "into_id") if name in kind.model_fields}
    with store.snapshot() as tx:
        ids = [one for story_id in sorted(named) for one in ids_of(tx, story_id)]
        tx.execute(_sql("suppose_rows"), {"ids": ids})
        for table in ("edits", "merges", "survivors"):
            tx.execute(_sql(f"suppose_{table}"))
        return WRITERS[kind][0](tx, command, settings).model_dump(mode="json")


def corrections_of(store: Store, question: ShowStoryCorrections) -> dict[str, Any]:
    """`story_id` that stands for it, `merged`, the ids that were merged into that, and `corrections`, the latest first.

    Raises:
        NotFound: the ledger does not know the story.
    """
    limit = min(question.limit, MOST_CORRECTIONS)
    with store.snapshot() as tx:
        ids = ids_of(tx, question.story_id)
        asked = {"ids": ids, "limit": limit}
        found = [_of_edit(row) for row in tx.rows(_sql("edits_of"), asked)]
        found += [_of_merge(row) for row in tx.rows(_sql("merges_of"), asked)]
        if not found:  # of a story whose import was withdrawn, what people said stays
            refuse_unknown_story(tx, question.story_id)
    found.sort(key=lambda one: one.recorded_at, reverse=True)
    return {
        "story_id": ids[0], "merged": ids[1:], "corrections": [one.model_dump() for one in found[:limit]],
    }  # fmt: skip


def _of_edit(row: dict[str, Any]) -> StoryCorrection:
    before = json.loads(row["before"])
    changes = [FieldChange(field=name, before=before[name], after=row[name]) for name in STORY_FIELDS if name in before]
    return StoryCorrection(
        kind="undo" if row["undoes"] else "edit", id=row["edit_id"], story_id=row["story_id"],
        changes=[one for one in changes if one.before != one.after], reason=row["reason"], actor=row["actor"],
        recorded_at=row["recorded_at"], stands=row["stands"],
    )  # fmt: skip


def _of_merge(row: dict[str, Any]) -> StoryCorrection:
    return StoryCorrection(
        kind="split" if row["undoes"] else "merge", id=row["merge_id"], story_id=row["from_id"],
        into_id=row["into_id"], reason=row["reason"], actor=row["actor"], recorded_at=row["recorded_at"],
        stands=row["stands"],
    )  # fmt: skip


def _known(tx: Transaction, story_id: str, as_of: datetime = FOREVER) -> dict[str, Any]:
    known = tx.row(corrected("story"), {"story_id": story_id, "ids": ids_of(tx, story_id), "as_of": as_of})
    assert known is not None, "an aggregate has one row"
    return known


def _add_edit(
    tx: Transaction, command: Command, story_id: str, said: dict[str, Any], before: dict[str, Any], **more: Any
) -> str:
    fields = dict.fromkeys((*STORY_FIELDS, "undoes", "reason")) | said | more
    stamp = {"story_id": story_id, "before": json.dumps(before), "now": tx.now, "actor": command.actor}
    return tx.value(_sql("add_edit"), fields | stamp)


def _note_rows(tx: Transaction, ids: list[str]) -> None:
    """Touch the runs of these ids, and keep their rows as they are."""
    tx.execute(load_sql("recompute")["touch_none"])
    tx.execute(_sql("touch_stories"), {"ids": ids})
    tx.execute(_sql("rows_before"))


def _recomputed(tx: Transaction, settings: Settings) -> RowsChanged:
    recompute_touched(tx, settings.scoring)
    return RowsChanged(**tx.row(_sql("changes")) or {})


def _changes(before: dict[str, Any], after: dict[str, Any]) -> list[FieldChange]:
    return [FieldChange(field=name, before=before[name], after=after[name]) for name in STORY_FIELDS if name in after]


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _sql(name: str) -> str:
    return load_sql("story_corrections")[name]
