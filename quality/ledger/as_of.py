"""What did the ledger look like at an earlier instant? Observations recorded by then, under the settings valid then.

The rows are derived by the same core as the ledger's own (recompute.py). Inside the snapshot they stand under the name
`ledger`, so that every question can be asked of them as it is of the present.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from quality.ledger.recompute import derive
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.ledger.story_identity import corrected
from quality.ledger.withdrawals import stand_as_then
from quality.settings import ScoringSettings

EVERY_RUN = 1 << 62
"""More runs than any ledger has: the places of one chunk that holds them all."""


@contextmanager
def snapshot_as_of(
    store: Store, instant: datetime | None, scoring: ScoringSettings
) -> Iterator[tuple[Transaction, ScoringSettings]]:
    """Reads of one state: the present one, or with `instant` the one that was known then (what it recorded included).

    Gives the snapshot and the settings valid then; before any were stored, and for the present, those in force.
    """
    with store.snapshot() as snapshot:
        if instant is not None:
            scoring = settings_at(snapshot, instant) or scoring
            _go_back(snapshot, instant, scoring)
        yield snapshot, scoring


def settings_at(snapshot: Transaction, instant: datetime) -> ScoringSettings | None:
    """The scoring settings valid at an instant, `None` before any were stored."""
    found = snapshot.value(load_sql("as_of")["settings_at"], {"as_of": instant})
    return ScoringSettings.model_validate_json(found) if found else None


def _go_back(snapshot: Transaction, instant: datetime, scoring: ScoringSettings) -> None:
    sql, recompute = load_sql("as_of"), load_sql("recompute")
    snapshot.execute(sql["changed_since"], {"as_of": instant, "hash": scoring.hash})
    stand_as_then(snapshot, instant)
    snapshot.value(recompute["line_up"])
    snapshot.execute(recompute["take_chunk"], {"low": 0, "high": EVERY_RUN})
    snapshot.execute(sql["known_then"].replace("/* runs */", recompute["runs"]), {"as_of": instant})
    snapshot.execute(sql["unchanged"])
    snapshot.execute(corrected("survivors_then"), {"as_of": instant})
    snapshot.execute(sql["keep_known"])
    for scored in derive(snapshot, scoring, instant):
        with snapshot.seeing(scored=scored):
            snapshot.execute(recompute["insert_scored"])
