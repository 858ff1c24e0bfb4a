"""What does the ledger know of files and stories that somebody is about to bring in? Read only."""

import json
from datetime import datetime
from typing import Any

from quality.commands import Filters
from quality.ledger.filtering import fitting
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.readers.base import Target


def stored_files(store: Store, hashes: list[str]) -> dict[str, list[Target]]:
    """SHA-256 of a file that is stored → the targets it was stored with; the same target again changes nothing."""
    found: dict[str, list[Target]] = {}
    for row in store.rows(load_sql("queries/intake")["known_files"], {"hashes": hashes}):
        stated = json.loads(row["target"])
        target = Target(**{name: stated.get(name) for name in Target.__dataclass_fields__})
        found.setdefault(row["sha256"], []).append(target)
    return found


def find_stories(store: Store, text: str, limit: int) -> list[dict[str, Any]]:
    """At most `limit` stories whose id, title or a run's note hold every word, as story_id, title and runs."""
    sql, params = fitting(load_sql("queries/intake")["find_stories"], Filters(text=text or None))
    return store.rows(sql, params | {"exact": text.strip(), "limit": limit})


def start_of_run(store: Store, target: Target) -> datetime | None:
    """When the run that a file without ids would go to began, as far as that is known."""
    chosen = Filters(story_id=target.story_id, agent=target.agent, model_version=target.model_version)
    rows = store.rows(*fitting(load_sql("queries/intake")["start_of_run"], chosen))
    return rows[0]["started_at"] if rows else None
