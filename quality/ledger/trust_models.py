"""Which model is really how good, and which should work go to? Answers made of the lifted runs of `trust.py`.

Names and nulls instead of codes and NaN; every number is that of `quality/trust/`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quality.commands import Filters, ListModels
from quality.ledger.as_of import snapshot_as_of
from quality.ledger.queries import model_scores
from quality.ledger.store import Store
from quality.ledger.trust import Lifted, Named, monday, stated
from quality.observations import COORDINATE
from quality.settings import ScoringSettings
from quality.trust.calibrated import (
    CalibratedScores,
    Evidence,
    lenience_in_words,
    scores_by_kind,
    scores_by_model,
)
from quality.trust.routing import Route, route, route_in_words
from quality.trust.runs import NOT_KNOWN, REASONS, Codes
from quality.trust.ties import UNRANKED, covariance, tie_groups
from quality.trust.trend import Trend, trends
from quality.trust_commands import RankKinds, RankModels, ShowRoute, ShowTrends

UNRANKED_ROW: dict[str, Any] = {
    "calibrated_score": None, "ci_low": None, "ci_high": None, "tie_group": None, "lam": None, "lenience": None,
    "lenience_words": "", "n_needed": None, "n_same_family": 0, **{f"n_{reason}": 0 for reason in REASONS},
}  # fmt: skip
"""What is said of a model that nothing can be routed to: its builder is not known, or none of its runs is scored."""


ONE_WEEK = "runs of one week: a drop is told from two or more"


def list_models(store: Store, question: ListModels, scoring: ScoringSettings, lifted: Lifted) -> dict[str, Any]:
    """The leaderboard at a coordinate with the calibrated scores there, and the parts that were dropped to find rows.

    Best calibrated score first, then by routing score; `lifted` is of the instant that is asked.
    """
    wanted = Filters(**question.model_dump(include=set(COORDINATE)))
    with snapshot_as_of(store, question.as_of, scoring) as (snapshot, settings):
        rows, dropped = model_scores(snapshot, wanted, settings, question.as_of)
    kept = {part: getattr(wanted, part) for part in COORDINATE if part not in dropped}
    trusted = {row["model"]: row for row in rank_models(lifted, RankModels(**kept))["models"]}
    fields = tuple(UNRANKED_ROW)
    found = [row | {name: trusted.get(row["model"], UNRANKED_ROW)[name] for name in fields} for row in rows]
    return {"models": best_first(found), "widened": dropped}


def best_first(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ranked models by calibrated score, then the others in the order they came.

    >>> [row["model"] for row in best_first([
    ...     {"model": "a", "calibrated_score": None}, {"model": "b", "calibrated_score": 0.0},
    ...     {"model": "c", "calibrated_score": 7.1}])]
    ['c', 'b', 'a']
    """
    return sorted(rows, key=lambda row: (row["calibrated_score"] is None, -(row["calibrated_score"] or 0.0)))


def rank_models(lifted: Lifted, question: RankModels) -> dict[str, Any]:
    """A row a model with runs of this kind of work."""
    wanted = {part: getattr(question, part) for part in (*COORDINATE, "agent")}

    def compute() -> list[dict[str, Any]]:
        part, scores, errors = _scored(lifted, wanted)
        groups = tie_groups(scores, errors) if scores.model.size else scores.n
        tiers = _lenient_tiers(part)
        found = [
            {"model": lifted.models[code], **_score_row(scores, code, tiers[code]), "tie_group": _group(groups, code)}
            for code in np.flatnonzero(scores.n)
        ]
        return best_first(found)

    return {"models": lifted.once(("models", *wanted.items()), compute)}


def rank_kinds(lifted: Lifted, question: RankKinds) -> dict[str, Any]:
    """A row a model × kind of work, by model; the parts that are not known are null."""
    wanted = {part: getattr(question, part) for part in (*COORDINATE, "agent")}
    divided = (question.by,) if question.by else COORDINATE

    def compute() -> list[dict[str, Any]]:
        scores, parts = _by_kind(lifted, wanted, question.by)
        return [
            {
                "model": lifted.models[scores.model[at]],
                **{name: _name(parts[name].names, parts[name].code[at]) for name in divided},
                **_score_row(scores, at, "verifier"),
            }
            for at in range(scores.model.size)
        ]

    return {"kinds": lifted.once(("kinds", question.by, *wanted.items()), compute)}


def calibrated_by_kind(lifted: Lifted, wanted: Mapping[str, Any]) -> pa.Table:
    """A row a model × kind of work that fits: `of_model`, `of_discipline`, … and its calibrated score, 0–10 or null.

    Args:
        wanted: part of the coordinate or "agent" → names of which any will do, None for any at all.
    """
    scores, parts = _by_kind(lifted, wanted)
    known = {name: [*parts[name].names, None] for name in COORDINATE}  # the last is what the code of "not known" names
    columns = {
        "of_model": pa.array([lifted.models[code] for code in scores.model], pa.string()),
        **{
            f"of_{name}": pa.array([known[name][code] for code in parts[name].code], pa.string()) for name in COORDINATE
        },
        "calibrated_score": scores.estimate,
        "ci_low": scores.low,
        "ci_high": scores.high,
    }
    return pa.table({
        name: each if isinstance(each, pa.Array) else pa.array(each, pa.float64(), from_pandas=True)
        for name, each in columns.items()
    })  # fmt: skip


def _by_kind(
    lifted: Lifted, wanted: Mapping[str, Any], by: str | None = None
) -> tuple[CalibratedScores, dict[str, Named]]:
    """The scores by model and kind of work, or by model and one part of it; and of each the parts of that kind."""
    rows = lifted.fitting(wanted)
    part = lifted.evidence if rows is None else lifted.evidence.only(rows)
    parts = {name: each if rows is None else each.only(rows) for name, each in lifted.parts.items()}
    kind = parts[by].code if by else part.runs.coordinate
    scores = scores_by_kind(part, kind)
    # One run of each kind of work says what its parts are.
    kinds, first = np.unique(kind, return_index=True)
    places = first[np.searchsorted(kinds, scores.coordinate)]
    return scores, {name: each.only(places) for name, each in parts.items()}


def show_route(lifted: Lifted, question: ShowRoute) -> dict[str, Any]:
    """Where to send this kind of work, in a sentence and model by model; what to review where that cannot be told."""
    asked = {part: value for part in COORDINATE if (value := getattr(question, part)) is not None}
    if not lifted.evidence.runs.model.size:
        return {
            "asked": asked, "dropped": [], "decided": False, "best": [], "models": [], "review": [],
            "words": "not enough evidence: no scored run of a known model",
        }  # fmt: skip

    def compute() -> Route:
        codes = {name: lifted.parts[name].code for name in COORDINATE}
        wanted = {name: lifted.parts[name].of(value) for name, value in asked.items()}
        return route(lifted.evidence, codes, wanted, lifted.cost, lifted.accepted)

    found = lifted.once(("route", *asked.items()), compute)
    names = list(lifted.models)
    rows = [_route_row(found, code, names[code]) for code in np.flatnonzero(found.scores.n)]
    rows.sort(key=_route_order)
    return {
        "asked": asked,
        "dropped": list(found.dropped),
        "decided": found.best.size == 1,
        "best": [names[code] for code in found.best],
        "words": route_in_words(found, names),
        "models": rows,
        "review": [{"model": names[one.model], "review_more": one.more, "reason": one.reason} for one in found.review],
    }


def show_trends(lifted: Lifted, question: ShowTrends) -> dict[str, Any]:
    """Each model's weeks of the human score expected of its runs, what was called a drop, or why nothing can be said."""
    wanted = {part: getattr(question, part) for part in COORDINATE}

    def compute() -> list[dict[str, Any]]:
        part = lifted.part(wanted)
        if not part.runs.model.size:
            return []
        found = trends(part.runs.model, part.runs.week, part.prediction, part.runs.n_models)
        return [_trend_row(lifted.models[code], one) for code, one in enumerate(found) if one.weeks]

    return {"models": lifted.once(("trends", *wanted.items()), compute)}


def _scored(lifted: Lifted, wanted: Mapping[str, Any]) -> tuple[Evidence, CalibratedScores, np.ndarray]:
    """The runs that fit, their scores by model, and how these err together."""
    part = lifted.part(wanted)
    if part is lifted.evidence and lifted.models:
        return part, lifted.scores, lifted.errors
    scores = scores_by_model(part)
    return part, scores, covariance(part, scores) if scores.model.size else np.zeros((0, 0))


def _lenient_tiers(part: Evidence) -> list[str]:
    """Of each model, the tier that speaks for most of its unreviewed runs."""
    runs = part.runs
    sign = np.where(np.isnan(runs.verifier), -1, 1) * ~runs.reviewed
    votes = np.bincount(runs.model, sign, runs.n_models)
    return ["verifier" if vote >= 0 else "auto" for vote in votes]


def _score_row(scores: CalibratedScores, at: int, tier: str) -> dict[str, Any]:
    row = {
        "n": int(scores.n[at]),
        "n_with_auto": int(scores.n_auto[at]),
        "n_with_verifier": int(scores.n_verifier[at]),
        "n_with_human": int(scores.n_human[at]),
        "n_same_family": int(scores.n_same_family[at]),
        **{f"n_{reason}": int(scores.by_reason[at, place]) for place, reason in enumerate(REASONS)},
        "effective_mean": stated(scores.effective_mean[at]),
        "calibrated_score": stated(scores.estimate[at]),
        "ci_low": stated(scores.low[at]),
        "ci_high": stated(scores.high[at]),
        "lam": stated(scores.lam[at]),
        "lenience": stated(scores.lenience[at]),
        "n_needed": int(scores.needed[at]),
    }
    words = lenience_in_words(scores.lenience[at], scores.low[at], scores.high[at], scores.effective_mean[at], tier)
    return row | {"lenience_words": words}


def _route_row(found: Route, code: int, model: str) -> dict[str, Any]:
    return {
        "model": model,
        **_score_row(found.scores, code, "verifier"),
        "tie_group": _group(found.tie_group, code),
        "p_best": stated(found.p_best[code]),
        "expected_loss": stated(found.expected_loss[code]),
        "cost_per_accepted": stated(found.cost_per_accepted[code]),
        "n_with_cost": int(found.n_with_cost[code]),
    }


def _trend_row(model: str, found: Trend) -> dict[str, Any]:
    drop = found.drop
    return {
        "model": model,
        "weeks": [
            {"week": monday(one.week), "n_week": one.n, "week_mean": one.mean, "low": one.low, "high": one.high}
            for one in found.weeks
        ],
        "drop": drop
        and {
            "drop_week": monday(drop.week), "before": drop.before, "after": drop.after, "n_before": drop.n_before,
            "n_after": drop.n_after, "surest_drop": drop.surest,
        },
        "reason": found.reason or (ONE_WEEK if sum(one.n > 0 for one in found.weeks) < 2 else None),
    }  # fmt: skip


def _route_order(row: dict[str, Any]) -> tuple[Any, ...]:
    """The tied best first, likeliest best on top; last those without a score, nearest to one first."""
    return (row["tie_group"] is None, row["tie_group"], -(row["p_best"] or 0), row["n_needed"], row["model"])


def _group(groups: Codes, code: int) -> int | None:
    return None if groups[code] == UNRANKED else int(groups[code])


def _name(names: Sequence[str], code: int) -> str | None:
    return None if code == NOT_KNOWN else names[code]
