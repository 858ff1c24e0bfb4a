"""How are responses kept? What is stated of them, and what people did with them, is appended; the rows follow."""

from collections import Counter
from datetime import timedelta

import pyarrow as pa
import pyarrow.compute as pc

from quality.ledger.responses_columns import events_table, feedback_of, statements_of
from quality.ledger.responses_scoring import refresh
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.response_commands import (
    RESPONSES_NAMED,
    AddFeedbacks,
    FeedbacksStored,
    PruneResponses,
    ResponsesPruned,
    ResponsesStored,
    ScoredResponse,
    StoreResponses,
)
from quality.response_regressions import SEVERITIES, is_alert
from quality.settings import Settings


def store_responses(tx: Transaction, command: StoreResponses, settings: Settings) -> ResponsesStored:
    """Keep what is new about them and score those; also removes what the retention no longer covers."""
    pruned = _prune(tx, settings.responses.retention_days)
    statements = statements_of(command.responses)
    ids = statements["response_id"].to_pylist()
    news, counts, known = _news(tx, statements)
    if news.num_rows:
        with tx.seeing(part=news):
            tx.execute(load_sql("responses")["add_statements"], {"now": tx.now, "actor": command.actor})
    heard, _, conflicts = _append_events(tx, feedback_of(command.responses, ids), command.actor)
    restated = {i for i in news["response_id"].to_pylist() if i in known}
    told = set(news["response_id"].to_pylist()) - restated
    for cause, touched in (
        ("stored", told), ("restated", restated), ("feedback", set(heard) - restated - told),
    ):  # fmt: skip
        if touched:
            refresh(tx, sorted(touched), settings.responses, cause, command.actor)
    standing = _standing(tx, list(dict.fromkeys(ids)))
    regression = settings.responses.regression
    alerting = pa.array([level for level in SEVERITIES if is_alert(level, regression)], pa.string())
    alerts = standing.filter(pc.is_in(standing["severity"], value_set=alerting))
    return ResponsesStored(
        **counts, feedback=len(heard), conflicts=conflicts[:RESPONSES_NAMED], responses=_named(standing),
        alerts=_named(alerts), pruned=pruned.responses,
    )  # fmt: skip


def add_feedbacks(tx: Transaction, command: AddFeedbacks, settings: Settings) -> FeedbacksStored:
    """Count many; an event on a response that is not stored yet is held."""
    events = events_table((event.response_id, event) for event in command.events)
    heard, held, conflicts = _append_events(tx, events, command.actor)
    if touched := set(heard) - held:
        refresh(tx, sorted(touched), settings.responses, "feedback", command.actor)
    waiting = sum(one in held for one in heard)
    return FeedbacksStored(
        counted=len(heard) - waiting, known=len(command.events) - len(heard) - len(conflicts), held=waiting,
        conflicts=conflicts[:RESPONSES_NAMED],
    )  # fmt: skip


def prune_responses(tx: Transaction, command: PruneResponses, settings: Settings) -> ResponsesPruned:
    """Remove what was stored more than so many days ago."""
    return _prune(tx, command.older_than_days or settings.responses.retention_days)


def _news(tx: Transaction, statements: pa.Table) -> tuple[pa.Table, dict[str, int], set[str]]:
    """The statements whose words are new, how many are what, and the responses that were known before."""
    with tx.seeing(part=statements.select(["line", "response_id", "content_key"])):
        marks = tx.table(load_sql("responses")["mark_known"])
    seen: set[tuple[str, str]] = set()
    begun: set[str] = set()
    known: set[str] = set()
    keep, counts = [], Counter(stored=0, restated=0, unchanged=0)
    ids, keys = statements["response_id"].to_pylist(), statements["content_key"].to_pylist()
    for one, key, same, here in zip(ids, keys, marks["same"].to_pylist(), marks["known"].to_pylist()):
        new = not same and (one, key) not in seen
        kind = "unchanged" if not new else "restated" if here or one in begun else "stored"
        keep.append(new)
        counts[kind] += 1
        seen.add((one, key))
        begun.add(one)
        if here:
            known.add(one)
    return statements.filter(pa.array(keep)), dict(counts), known


def _append_events(tx: Transaction, events: pa.Table, actor: str) -> tuple[list[str], set[str], list[str]]:
    """Store the events that are new.

    Returns:
        The response of each new event; which responses are not stored; and what was left out, in words.
    """
    if not events.num_rows:
        return [], set(), []
    sql = load_sql("responses")
    with tx.seeing(part=events):
        marks = tx.table(sql["mark_events"])
    first: dict[tuple[str, str], str] = {}
    keep, conflicts, held = [], [], set()
    rows = zip(
        events["response_id"].to_pylist(), events["event_id"].to_pylist(), events["signal"].to_pylist(),
        marks["known_signal"].to_pylist(), marks["stored"].to_pylist(),
    )  # fmt: skip
    for response_id, event_id, signal, known, stored in rows:
        standing = known or first.get((response_id, event_id))
        keep.append(event_id is None or standing is None)
        if event_id is not None:
            first.setdefault((response_id, event_id), signal)
            if standing not in (None, signal):
                conflicts.append(f"{event_id} of {response_id} stands for {standing} already, not {signal}")
        if not stored:
            held.add(response_id)
    news = events.filter(pa.array(keep))
    if news.num_rows:
        with tx.seeing(part=news):
            tx.execute(sql["add_events"], {"now": tx.now, "actor": actor})
    return news["response_id"].to_pylist(), held, conflicts


def _standing(tx: Transaction, ids: list[str]) -> pa.Table:
    """Score and severity of these responses, in this order."""
    with tx.seeing(wanted=pa.table({"response_id": pa.array(ids, pa.string())})):
        found = tx.table(load_sql("queries/responses")["standing_of"])
    return found.take(pc.index_in(pa.array(ids, pa.string()), value_set=found["response_id"].combine_chunks()))


def _named(standing: pa.Table) -> list[ScoredResponse]:
    return [ScoredResponse(**row) for row in standing.slice(0, RESPONSES_NAMED).to_pylist()]


def _prune(tx: Transaction, days: int) -> ResponsesPruned:
    sql, before = load_sql("responses"), tx.now - timedelta(days=days)
    none = ResponsesPruned(responses=0, feedback=0, scores=0, regressions=0)
    oldest = tx.value(sql["oldest"])
    if oldest is None or oldest >= before:
        return none
    tx.execute(sql["find_expired"], {"before": before})
    removed = ResponsesPruned(**(tx.row(sql["count_expired"]) or {}))
    for table in ("rows", "statements", "feedback", "scores", "regressions"):
        tx.execute(sql[f"drop_expired_{table}"])
    return removed
