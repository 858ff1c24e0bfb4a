"""What does a synlynk workspace database say? MODEL.md, "Importing others' rows".

A row of `capability_ratings` is a scrape (auto), a verifier's rating or a person's; all are about the run that
the story's builder delivered, whichever agent the row names.
"""

import json
import math
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from quality.catalogue import UNKNOWN
from quality.observations import COORDINATE, Batch, Override, Reject, RunFact, SignalReading, StoryFact, Verdict
from quality.readers.base import Artifact, Target
from quality.readers.block import PARSERS, RATING
from quality.readers.instants import instant
from quality.readers.rows import SHOWN_VALUE
from quality.readers.sqlite_copy import MAGIC, Unreadable, opened_copy
from quality.settings import AutoSettings
from quality.signals import SIGNALS as SIGNAL_POINTS
from quality.signals import auto_score

RATING_SHARE, AUTO_SHARE = 0.85, 0.15
"""A verifier row stores rating · 0.85 + quality_auto · 0.15 (synlynk 0.14)."""
RATING_DIGITS = 6
"""What the binary rounding of that sum can be undone to."""
CAPPED, CAP_BELOW = 5.0, 3
"""synlynk caps the score of fewer than 3 tests, all passed, and does not store how many there were."""
SYNTHETIC = "__role_dispatch_"
SIGNALS = {"dispatch_rework": "rework_count"} | {
    name: name for name in (
        "test_pass_rate", "build_success", "verified_by_ci", "micro_rework", "pr_review_cycles", "duration_vs_estimate",
    )
}  # fmt: skip
"""Column of an auto row → signal."""
SCORED = tuple(name for name in SIGNAL_POINTS if name != "duration_vs_estimate")
"""What synlynk scores."""
STORY_COLUMNS = ("id", "story_id", "title", *COORDINATE, "estimated_tokens", "created_at")
USED = (
    "id", "story_id", "agent", "model_version", "model_at_dispatch", "model_at_completion", "split_model", "quality",
    "note", "ts", "verifier_agent", "verifier_model", *COORDINATE, *SIGNALS,
)  # fmt: skip
"""Columns of a rating that have a place here; the others are kept as attributes of its run."""
TABLES = ("stories", "capability_ratings")

Row = Mapping[str, Any]
Builder = tuple[str, str]
"""Agent and model."""


class SynlynkReader:
    """A `state.db`; lines are the ids of its rows."""

    format = "synlynk state.db"

    def recognises(self, artifact: Artifact) -> bool:
        return artifact.head.startswith(MAGIC)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        try:
            with opened_copy(artifact.path) as database:
                found = [row["name"] for row in database.execute(_sql("tables"))]
                if missing := [name for name in TABLES if name not in found]:
                    yield Batch.of(Reject(reason=_not_synlynk(missing, found), value=None))
                    return
                stories = [dict(row) for row in database.execute(_sql("stories"))]
                ratings = [dict(row) for row in database.execute(_sql("ratings"))]
        except (Unreadable, sqlite3.Error) as error:
            yield Batch.of(Reject(reason=f"the SQLite database cannot be read: {error}", value=None))
            return
        except UnicodeDecodeError:  # SQLite names what is damaged, in bytes that are no text either
            yield Batch.of(Reject(reason="the SQLite database cannot be read: its schema is damaged", value=None))
            return
        yield _Workspace(stories, ratings).batch()


def _sql(name: str) -> str:
    text = (Path(__file__).parent / "sql" / "synlynk.sql").read_text(encoding="utf-8")
    return text.split(f"-- name: {name}\n")[1].split("-- name:")[0].strip()


def _not_synlynk(missing: list[str], found: list[str]) -> str:
    tables = ", ".join(sorted(found)[:8]) or "none"
    return f"an SQLite database, but not a synlynk workspace: it has no table {' or '.join(missing)} (its tables: {tables})"


@dataclass
class _Story:
    """The rows of one story, as far as they tell who built it."""

    builders: list[Builder] = field(default_factory=list)
    """In the order of their latest auto row."""
    verifiers: set[str] = field(default_factory=set)


class _Workspace:
    """The rows of a database on their way to observations."""

    def __init__(self, stories: list[Row], ratings: list[Row]) -> None:
        self._stories = stories
        self._ratings = ratings
        self._records: list[Any] = []
        self._runs = 0
        self._unproven_builds = 0
        self._capped = 0
        self._warnings: list[str] = []
        self._about: dict[str, _Story] = {}

    def batch(self) -> Batch:
        for row in self._stories:
            self._story(row)
        usable = [row for row in self._ratings if self._has_story(row)]
        for row in usable:
            self._learn(row)
        for row in usable:
            match str(row.get("signal_source") or "auto").lower():
                case "auto":
                    self._auto(row)
                case "verifier":
                    self._verifier(row)
                case "human":
                    self._human(row)
                case other:
                    self._reject(
                        row,
                        "signal_source",
                        "the row is no observation: its source is not auto, verifier or human",
                        other,
                    )
        if self._unproven_builds:
            self._warnings.append(
                f"build_success with no tests and no CI outcome, in {self._unproven_builds:,} of the rows: taken as unknown, "
                "for exit code 0 alone is not a successful build"
            )
        if self._capped:
            self._warnings.append(
                f"scores capped at {CAPPED:g} for fewer than {CAP_BELOW} tests, whose number is not recorded, in "
                f"{self._capped:,} of the rows: the number is taken as {CAP_BELOW - 1}"
            )
        return Batch.of(*self._records, warnings=self._warnings)

    def _story(self, row: Row) -> None:
        story_id = _name(row.get("story_id"))
        if story_id is None:
            self._reject(row, "story_id", "the story has no id", None)
            return
        self._about[story_id] = _Story()
        tokens = row.get("estimated_tokens")
        self._records.append(StoryFact(
            story_id=story_id, title=_name(row.get("title")), line=_line(row), occurred_at=_instant(row.get("created_at")),
            estimated_tokens=tokens if isinstance(tokens, int) and 0 <= tokens < 2**31 else None,
            **{name: _known(row.get(name)) for name in COORDINATE}, synthetic=story_id.startswith(SYNTHETIC) or None,
            attributes=_attributes(row, STORY_COLUMNS),
        ))  # fmt: skip

    def _has_story(self, row: Row) -> bool:
        story_id = _name(row.get("story_id"))
        if story_id is None:
            self._reject(row, "story_id", "the row names no story", None)
            return False
        if story_id not in self._about:
            self._about[story_id] = _Story()
            coordinate = {name: _known(row.get(name)) for name in COORDINATE}
            synthetic = story_id.startswith(SYNTHETIC) or None
            self._records.append(StoryFact(story_id=story_id, line=_line(row), synthetic=synthetic, **coordinate))
        return True

    def _learn(self, row: Row) -> None:
        """Who built the story, and who verified it."""
        about = self._about[str(row["story_id"])]
        source = str(row.get("signal_source") or "auto").lower()
        if source == "auto":
            if (builder := _author(row)) in about.builders:
                about.builders.remove(builder)
            about.builders.append(builder)
        elif source == "verifier":
            about.verifiers |= {name for key in ("agent", "verifier_agent") if (name := _known(row.get(key)))}

    def _auto(self, row: Row) -> None:
        values = {}
        for column, signal in SIGNALS.items():
            value = row.get(column)
            usable = _usable(signal, value)
            if usable is None and value is not None:
                self._reject(row, column, PARSERS[signal][1], value)
            values[signal] = usable
        if values["build_success"] and values["test_pass_rate"] is None and values["verified_by_ci"] is None:
            values["build_success"] = None
            self._unproven_builds += 1
        if values["test_pass_rate"] == 1 and row.get("quality_auto") == CAPPED and _uncapped(values) > CAPPED:
            values["tests_total"] = CAP_BELOW - 1
            self._capped += 1
        at = self._time(row)
        if at is False:
            return
        run = self._run(row, _author(row))
        if any(value is not None for value in values.values()):
            self._records.append(SignalReading(run=run, line=_line(row), occurred_at=at, **values))

    def _verifier(self, row: Row) -> None:
        stored, auto = row.get("quality"), row.get("quality_auto")
        if not _is_number(auto):
            self._reject(
                row, "quality", "a verifier's row without quality_auto: its rating cannot be recovered", stored
            )
            return
        rating = round((stored - AUTO_SHARE * auto) / RATING_SHARE, RATING_DIGITS) if _is_number(stored) else None
        if rating is None or not 0 <= rating <= 10:
            shown = "not a number" if rating is None else f"{rating:g}"
            self._reject(
                row, "quality", f"the verifier's rating, recovered from the stored value, is {shown}: {RATING}", stored
            )
            return
        at = self._time(row)
        if at is False:
            return
        builder = self._builder(row)
        self._records.append(Verdict(
            run=self._run(row, builder), line=_line(row), occurred_at=at, source_id=_source_id(row), quality=rating + 0.0,
            raw=repr(stored), correct=_flag(row.get("correct")), note=_text(row.get("note")),
            verifier_agent=_known(row.get("verifier_agent")) or _known(row.get("agent")),
            verifier_model=_known(row.get("verifier_model")),
        ))  # fmt: skip

    def _human(self, row: Row) -> None:
        rating = row.get("quality")
        if not _is_number(rating) or not 0 <= rating <= 10:
            self._reject(row, "quality", RATING, rating)
            return
        at = self._time(row)
        if at is False:
            return
        self._records.append(Override(
            run=self._run(row, self._rated(row)), line=_line(row), occurred_at=at, source_id=_source_id(row),
            quality=rating + 0.0, rework=True if row.get("dispatch_rework") == 1 else None, note=_text(row.get("note")),
        ))  # fmt: skip

    def _rated(self, row: Row) -> Builder:
        """The run that a person rated: synlynk copies agent and model from whichever row is the newest."""
        about, author = self._about[str(row["story_id"])], _author(row)
        agent = author[0]
        if author in about.builders:
            return author
        copied = agent == UNKNOWN or agent in about.verifiers
        if not about.builders:
            return (UNKNOWN, UNKNOWN) if copied else author
        if copied or agent in {builder for builder, _ in about.builders}:
            return self._builder(row)
        self._warn(
            f"story {row['story_id']}: a rating names {agent}, who built nothing there: stored as a run of its own"
        )
        return author

    def _builder(self, row: Row) -> Builder:
        about = self._about[str(row["story_id"])]
        if not about.builders:
            return UNKNOWN, UNKNOWN
        if len(about.builders) > 1:
            agent, model = about.builders[-1]
            self._warn(f"story {row['story_id']}: several built it, its ratings go to the latest, {agent} with {model}")
        return about.builders[-1]

    def _run(self, row: Row, author: Builder) -> int:
        """The row of the run in the batch; each rating adds what it knows of the run."""
        is_own = str(row.get("signal_source") or "auto").lower() == "auto"
        self._records.append(RunFact(
            story_id=str(row["story_id"]), agent=author[0], model_version=author[1], attempt=1, line=_line(row),
            model_at_dispatch=_known(row.get("model_at_dispatch")) if is_own else None,
            model_at_completion=_known(row.get("model_at_completion")) if is_own else None,
            split_model=(_flag(row.get("split_model")) or None) if is_own else None,
            attributes=_attributes(row, USED, synlynk_id=row.get("id")),
        ))  # fmt: skip
        self._runs += 1
        return self._runs - 1

    def _time(self, row: Row) -> datetime | bool | None:
        """When; `None` = not stated, `False` = rejected."""
        stated = row.get("ts")
        if stated is None:
            return None
        at = _instant(stated)
        if at is None:
            self._reject(row, "ts", PARSERS["ts"][1], stated)
            return False
        return at

    def _reject(self, row: Row, column: str, reason: str, value: Any) -> None:
        shown = None if value is None else (value if isinstance(value, str) else repr(value))[:SHOWN_VALUE]
        self._records.append(Reject(line=_line(row), field=column, reason=reason, value=shown))

    def _warn(self, warning: str) -> None:
        if warning not in self._warnings:
            self._warnings.append(warning)


def _uncapped(values: Mapping[str, Any]) -> float:
    """The composite of the first five signals, which is what synlynk scores; NaN where none is known."""
    scored = {name: [math.nan if values.get(name) is None else float(values[name])] for name in SCORED}
    nothing = {"duration_vs_estimate": [math.nan]}
    return float(auto_score({**scored, **nothing}, [math.nan], AutoSettings()).value[0])


def _author(row: Row) -> Builder:
    return _known(row.get("agent")) or UNKNOWN, _known(row.get("model_version")) or UNKNOWN


def _line(row: Row) -> int | None:
    return row["id"] if isinstance(row.get("id"), int) else None


def _source_id(row: Row) -> str | None:
    return f"synlynk:{row['id']}" if row.get("id") is not None else None


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _name(value: Any) -> str | None:
    text = _text(value)
    return text if text and text.strip() else None


def _known(value: Any) -> str | None:
    name = _name(value)
    return None if name == UNKNOWN else name


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _flag(value: Any) -> bool | None:
    return bool(value) if value in (0, 1) else None


def _usable(signal: str, value: Any) -> float | int | bool | None:
    """The value if it is one that the signal can have."""
    if not _is_number(value):
        return None
    match signal:
        case "build_success" | "verified_by_ci":
            return _flag(value)
        case "test_pass_rate":
            return value if 0 <= value <= 1 else None
        case "duration_vs_estimate":
            return value if value > 0 else None
    return int(value) if value == int(value) and 0 <= value < 2**31 else None


def _instant(value: Any) -> datetime | None:
    """synlynk writes naive times in UTC."""
    found = instant(value) if isinstance(value, str) else None
    return found and found[0]


def _attributes(row: Row, used: tuple[str, ...], **more: Any) -> str | None:
    rest = {name: value for name, value in row.items() if name not in used and value not in (None, "[]")}
    named = {**more, **rest}
    return json.dumps(named, ensure_ascii=False, default=repr) if named else None
