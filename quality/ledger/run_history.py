"""What became of a run, and what lies before and after it? Each thing recorded of it with the score from then on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quality.ledger.as_of import settings_at
from quality.ledger.recompute import derive
from quality.ledger.run_turns import gather_turns, stand_at
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.ledger.story_identity import corrected, ids_of
from quality.settings import ScoringSettings

MOST_EVENTS = 40
"""Of one run, the latest."""
SIDES = ("before", "after")
OF = ("story_id", "model")
MERGING = ("merge", "split")
"""Kinds of event after which the run is of another story."""


@dataclass(frozen=True)
class Event:
    """Something that was recorded of a run, and what its scores were from then on (0–10, `None` = none)."""

    recorded_at: datetime
    kind: str
    """signals, verdict, simulated, rating, withdrawal, model, acceptance; of an import that spoke of it: taken_out,
    brought_back; or of its story: correction, uncorrection, merge, split."""
    who: str | None
    n: int
    """Records of the kind in this write."""
    value: float | None
    """The rating of the one that is named."""
    label: str | None
    """The artifact or import, the model stated, whose rating was withdrawn, or the story that was corrected."""
    quality: float | None
    signal_source: str | None
    changed: float | None
    """Effective score now minus before; `None` where one of them is unknown."""


def events_of(store: Store, run_id: str, scoring: ScoringSettings) -> list[Event]:
    """What was recorded of the run, the latest first, at most `MOST_EVENTS`, under the settings valid at each instant.

    A change of the settings is no event: a score as it was then may differ from today's for that alone.
    """
    sql, recompute = load_sql("queries/run_history"), load_sql("recompute")
    with store.snapshot() as tx:
        for name, statement in sql.items():
            if name.startswith("alone_"):
                tx.execute(statement, {"run_id": run_id} if "$run_id" in statement else None)
        was_turned = gather_turns(tx, run_id)
        own = [row["story_id"] for row in tx.rows(sql["own_story"])]
        ids = list({one for story_id in own for one in (story_id, ids_of(tx, story_id)[0])})
        found = tx.rows(sql["events"], {"ids": ids, "limit": MOST_EVENTS})
        was_merged = any(row["kind"] in MERGING for row in found)
        tx.execute(recompute["touch_all"])
        scored: dict[datetime, dict[str, Any]] = {}
        for instant in sorted({row["recorded_at"] for row in found}):
            if was_merged:
                tx.execute(corrected("survivors_then"), {"as_of": instant})
            if was_turned:
                stand_at(tx, instant)
            for table in derive(tx, settings_at(tx, instant) or scoring, instant):
                scored[instant] = table.to_pylist()[0]
    before: float | None = None
    events = []
    for row in reversed(found):
        now = scored.get(row["recorded_at"], {"quality": None, "signal_source": None})
        quality = now["quality"]
        changed = quality - before if quality is not None and before is not None else None
        events.append(Event(**row, quality=quality, signal_source=now["signal_source"], changed=changed))
        before = quality
    return events[::-1]


def around(store: Store, run_id: str) -> list[dict[str, Any]]:
    """The runs just before and after this one, of its story and of its model: `of`, `side`, and the run's columns."""
    sql = load_sql("queries/run_history")
    here = store.rows(sql["here"], {"run_id": run_id})
    found = []
    for of in OF if here else ():
        for side in SIDES:
            wanted = {"run_id": run_id, "value": here[0][of], "began": here[0]["began"]}
            rows = store.rows(sql[side].replace("/* of */", of), wanted)
            found += [row | {"of": of, "side": side} for row in rows]
    return found
