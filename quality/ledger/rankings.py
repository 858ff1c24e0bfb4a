"""How is a ranking of candidates kept? Whole and once: its head as a row, each candidate as a row beside it."""

import hashlib
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pydantic_core import to_json

from quality.candidate_input import Candidate
from quality.candidate_output import Ranking, ScoredCandidate
from quality.candidates import category_of, level_of
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.ranking_commands import RankingStored, StoreRanking
from quality.settings import Settings

MOCK = "mock"
"""`backend_used` of a judge that made its answers up."""
PANEL = "multi-reviewer-panel"
BATCH = 10_000
"""Candidates that are written at a time."""
COLUMNS = pa.schema([
    ("line", pa.int64()), ("candidate", pa.string()), ("category", pa.string()), ("risk_level", pa.string()),
    ("score", pa.float64()), ("recommendation", pa.string()), ("label", pa.string()),
    ("reviewers", pa.list_(pa.string())), ("votes", pa.list_(pa.string())),
    ("review_scores", pa.list_(pa.float64())), ("document", pa.string()),
])  # fmt: skip


def store_ranking(tx: Transaction, command: StoreRanking, settings: Settings) -> RankingStored:
    """Append it, unless the same ranking is here; nothing that is there already is touched."""
    sql, found = load_sql("rankings"), command.ranking
    documents = [one.model_dump_json(exclude_none=True) for one in found.scored_candidates]
    key = _content_key(found, command.protected_paths, documents)
    if known := tx.row(sql["known"], {"content_key": key}):
        return RankingStored(ranking_id=known["ranking_id"], status="known", candidates=known["candidates"])
    count, judge = len(documents), found.backend_used
    ranking_id = tx.value(sql["add_ranking"], {
        "content_key": key, "candidate_run": found.run_id, "critic_mode": found.critic_mode,
        "panel": found.critic_mode == PANEL, "evidence": found.evaluator_evidence_enabled, "backend_used": judge,
        "simulated": judge == MOCK, "source": found.source_candidate_artifact, "source_sha256": found.source_sha256,
        "protected_paths": to_json(command.protected_paths).decode(), "candidates": count,
        "accepted": found.summary.accept_for_execution, "held": found.summary.hold, "rejected": found.summary.reject,
        "head": found.model_dump_json(exclude_none=True, exclude={"scored_candidates"}),
        "occurred_at": found.created_at, "now": tx.now, "actor": command.actor,
    })  # fmt: skip
    for start in range(0, count, BATCH):
        part = zip(found.scored_candidates[start : start + BATCH], documents[start : start + BATCH], strict=True)
        rows = [_row(line, one, document) for line, (one, document) in enumerate(part, start=start + 1)]
        with tx.seeing(part=pa.Table.from_pylist(rows, schema=COLUMNS)):
            tx.execute(sql["add_candidates"], {"ranking_id": ranking_id})
    return RankingStored(ranking_id=ranking_id, status="stored", candidates=count)


def _content_key(ranking: Ranking, protected_paths: Sequence[str], documents: Sequence[str]) -> str:
    """Of everything but when it was made; and, where the input is known by its hash, how that was named."""
    beside = {"scored_candidates", "created_at"}
    if ranking.source_sha256:
        beside.add("source_candidate_artifact")
    key = hashlib.sha256(to_json([ranking.model_dump(mode="json", exclude=beside), sorted(protected_paths)]))
    for document in documents:
        key.update(b"\n")
        key.update(document.encode())
    return key.hexdigest()


def _row(line: int, one: ScoredCandidate, document: str) -> dict[str, Any]:
    """A candidate's columns: what it is asked by, and all that is said of it."""
    given = one.model_extra or {}
    kind = Candidate.model_construct(category=given.get("category"), risk_level=given.get("risk_level"))
    reviews = one.panel.panel_reviews if one.panel else []
    return {
        "line": line, "candidate": one.id, "category": category_of(kind), "risk_level": level_of(kind),
        "score": one.score, "recommendation": one.recommendation, "label": one.panel and one.panel.cognitive_label,
        "reviewers": [review.reviewer for review in reviews], "votes": [review.recommendation for review in reviews],
        "review_scores": [review.score for review in reviews], "document": document,
    }  # fmt: skip
