"""What does whoever imports an artifact know besides what it says? A story's details and when the run began.

The caller's word goes before the artifact's.
"""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from quality.commands import ImportArtifact
from quality.observations import SCHEMAS, Batch, StoryFact

BESIDES = ("story", "started_at")
"""What `stated_besides` can state."""
_RUN_NAMED_BY = ("story_id", "agent", "model_version", "attempt", "run_id")


def stated_besides(command: ImportArtifact) -> dict[str, Any]:
    """What the command states besides the run, JSON-ready: with another word the same artifact is news again."""
    details = command.story.model_dump(exclude_none=True) if command.story_id else {}
    stated: dict[str, Any] = {"story": details} if details else {}
    return stated | ({"started_at": command.started_at.isoformat()} if command.started_at else {})


def with_callers_word(batches: Iterator[Batch], command: ImportArtifact) -> Iterator[Batch]:
    """The same batches, with the caller's word in those that speak of the story (of any, where none is stated)."""
    details = stated_besides(command).get("story", {})
    for batch in batches:
        tables = dict(batch.tables)
        runs = tables.get("runs", SCHEMAS["runs"].empty_table())
        if command.started_at and runs.num_rows:
            tables["runs"] = _begun(runs, command)
        stories = tables.get("stories", SCHEMAS["stories"].empty_table())
        if details and (_of(runs, command).true_count or _of(stories, command).true_count):
            tables["stories"] = _told(stories, command, details)
        yield Batch(tables, batch.warnings, batch.diagnostics)


def only_callers_word(tables: dict[str, pa.Table], command: ImportArtifact) -> dict[str, pa.Table]:
    """Of an artifact that is stored already: its runs, and what the caller says of them and of the story."""
    runs, stories = tables["runs"], tables["stories"]
    kept = (*_RUN_NAMED_BY, "run", *(["started_at"] if command.started_at else []))
    bare = [runs[n] if n in kept else pa.nulls(runs.num_rows, runs.schema.field(n).type) for n in runs.column_names]
    told = stories.filter(_of(stories, command)) if "story" in stated_besides(command) else stories.slice(0, 0)
    return tables | {"runs": pa.table(bare, schema=runs.schema), "stories": told}


def _begun(runs: pa.Table, command: ImportArtifact) -> pa.Table:
    mine = _of(runs, command) if command.story_id else pa.repeat(pa.scalar(True), runs.num_rows)
    start = pa.scalar(command.started_at, SCHEMAS["runs"].field("started_at").type)
    place = runs.schema.get_field_index("started_at")
    return runs.set_column(place, "started_at", pc.if_else(mine, start, runs["started_at"]))


def _told(stories: pa.Table, command: ImportArtifact, details: dict[str, str]) -> pa.Table:
    mine = _of(stories, command)
    if not mine.true_count:
        told = StoryFact(story_id=str(command.story_id), **details)
        return pa.concat_tables([stories, Batch.of(told).tables["stories"]])
    for name, value in details.items():
        place = stories.schema.get_field_index(name)
        stories = stories.set_column(place, name, pc.if_else(mine, pa.scalar(value), stories[name]))
    return stories


def _of(table: pa.Table, command: ImportArtifact) -> pa.BooleanArray:
    return pc.fill_null(pc.equal(table["story_id"].combine_chunks(), pa.scalar(command.story_id, pa.string())), False)
