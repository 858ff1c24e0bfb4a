"""What is known about stored rankings? Lists, one with the candidates that fit, its file, and how reviewers agree."""

import json
from dataclasses import asdict
from typing import Any

from quality.candidate_output import Ranking
from quality.errors import NotFound
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.panel import REVIEWERS
from quality.panel_agreement import panel_agreement
from quality.ranking_commands import ListRankings, ReviewerAgreement, ShowRanking

MAX_ROWS = 1_000
"""Rankings, or candidates of one, that are listed at once."""
SOURCE = "queries/rankings"
NAMES = [reviewer.name for reviewer in REVIEWERS]


def list_rankings(store: Store, question: ListRankings) -> dict[str, Any]:
    """`rankings`, latest first, at most `MAX_ROWS`, and the `total` that fits."""
    sql, wanted = load_sql(SOURCE), {"candidate_run": question.candidate_run}
    page = {"limit": min(question.limit, MAX_ROWS), "offset": question.offset}
    return {"total": store.rows(sql["count"], wanted)[0]["n"], "rankings": store.rows(sql["list"], wanted | page)}


def show_ranking(store: Store, question: ShowRanking) -> dict[str, Any]:
    """The row as in the list, with `protected_paths`, the `total` that fits and the `ranking` in its own form.

    Its `scored_candidates` are those that fit, best first, at most `MAX_ROWS`, each with its `place` under `places`.

    Raises:
        NotFound: no such ranking.
    """
    row = _head(store, question.ranking_id)
    wanted = {**question.filters.model_dump(), "ranking_id": question.ranking_id}
    page = {"limit": min(question.limit, MAX_ROWS), "offset": question.offset}
    found = store.rows(_with("candidates", "fitting"), wanted | page)
    head = json.loads(row.pop("head"))
    return {
        **row,
        "protected_paths": json.loads(row["protected_paths"]),
        "total": store.rows(_with("count_candidates", "fitting"), wanted)[0]["n"],
        "places": [one["line"] for one in found],
        "ranking": head | {"scored_candidates": [json.loads(one["document"]) for one in found]},
    }


def ranking_file(store: Store, ranking_id: str) -> bytes:
    """The ranking as the command line writes it, byte for byte.

    Raises:
        NotFound: no such ranking.
    """
    head = json.loads(_head(store, ranking_id)["head"])
    documents = store.rows(load_sql(SOURCE)["documents"], {"ranking_id": ranking_id})
    candidates = [json.loads(one["document"]) for one in documents]
    return Ranking.model_validate(head | {"scored_candidates": candidates}).to_json()


def reviewer_agreement(store: Store, question: ReviewerAgreement) -> dict[str, Any]:
    """`rankings` and `candidates` that count, `labels`, `spread`, `reviewers`, and `simulated` rankings left out.

    Shares are 0–1 with their 95 % interval, spreads and means 0–10; `None` where there is nothing.
    """
    wanted = {"candidate_run": question.candidate_run, "reviewers": NAMES}
    combinations = store.rows(_with("votes", "counted"), wanted)
    found = panel_agreement([one["votes"] for one in combinations], [one["n"] for one in combinations], NAMES)
    spread = store.rows(_with("spread", "counted"), wanted)[0]
    means = {one["place"]: one["mean"] for one in store.rows(_with("reviewer_means", "counted"), wanted)}
    simulated = store.rows(load_sql(SOURCE)["simulated"], {"candidate_run": question.candidate_run})[0]["n"]
    return {
        "rankings": spread.pop("rankings"),
        "candidates": found.candidates,
        "simulated": simulated,
        "labels": {name: asdict(share) for name, share in found.labels.items()},
        "spread": spread,
        "reviewers": [
            {**asdict(one), "mean_score": means.get(place)} for place, one in enumerate(found.reviewers, start=1)
        ],
    }


def _head(store: Store, ranking_id: str) -> dict[str, Any]:
    row = next(iter(store.rows(load_sql(SOURCE)["one"], {"ranking_id": ranking_id})), None)
    if row is None:
        raise NotFound(f"{ranking_id}: no such ranking: list them with list_rankings")
    return row


def _with(name: str, part: str) -> str:
    sql = load_sql(SOURCE)
    return sql[name].replace(f"/* {part} */", sql[part])
