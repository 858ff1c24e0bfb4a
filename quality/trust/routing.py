"""Which model should this kind of work go to? The tied best, how likely each is the best, what a wrong pick costs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from quality.trust.calibrated import CalibratedScores, Evidence, scores_by_model
from quality.trust.runs import Codes, Flags, Floats
from quality.trust.ties import covariance, difference_error, tie_groups

WIDENING = ("phase", "industry", "org_domain", "discipline")
"""Parts of a coordinate in the order in which they are dropped where there is no evidence (MODEL.md, Model scores)."""
SAMPLES = 20_000
"""Draws from the scores' distribution; shares are then right to ±0.7 points."""
SEED = 8
MOST_NAMED = 5
"""Tied models that the sentence names."""
MOST_REVIEWS = 200
"""More reviews than this are not asked for: by then the two are as good as each other."""


@dataclass(frozen=True)
class Review:
    """What would help to decide."""

    model: int
    more: int
    """Human ratings of its runs."""
    reason: str
    """"few" = it has no calibrated score yet, "tied" = it cannot be told from the best."""


@dataclass(frozen=True)
class Route:
    """k models of the kind of work, in the order of the codes; NaN where a model has no calibrated score there."""

    dropped: tuple[str, ...]
    """Parts of the coordinate that were dropped, () = none: the answer is for exactly what was asked."""
    scores: CalibratedScores
    tie_group: Codes
    """1 = tied best, 0 = no score."""
    p_best: Floats
    """0–1, sums to 1 over the scored models."""
    expected_loss: Floats
    """Points lost on average by picking it instead of the best."""
    cost_per_accepted: Floats
    """Cost of the runs whose cost is known ÷ stories accepted among them; NaN where there is none."""
    n_with_cost: Codes
    review: tuple[Review, ...]
    """First what decides most; () = decided, or nothing more would."""

    @property
    def best(self) -> Codes:
        """Models of the tied-best group, likeliest best first; empty = not enough evidence."""
        tied = np.flatnonzero(self.tie_group == 1)
        return tied[np.argsort(-self.p_best[tied], kind="stable")]


def route(
    evidence: Evidence,
    parts: Mapping[str, Codes],
    wanted: Mapping[str, int],
    cost: Floats | None = None,
    accepted: Flags | None = None,
) -> Route:
    """For the runs where every wanted part of the coordinate is as asked; widened until a model has a score.

    Args:
        evidence: all runs: predictions, weights and λ are learnt from all kinds of work.
        parts: name in `WIDENING` → n codes of that part of each run's story.
        wanted: name → code; a part that is not named may be anything.
        cost: n costs of the runs in one currency, NaN where not stated.
        accepted: n, whether the run was accepted.
    """
    asked = [name for name in WIDENING if name in wanted]
    for start in range(len(asked) + 1):
        rows = np.ones(evidence.runs.model.size, bool)
        for name in asked[start:]:
            rows &= parts[name] == wanted[name]
        part = evidence.only(rows)
        scores = scores_by_model(part)
        if np.isfinite(scores.estimate).any():
            break
    errors = covariance(part, scores)
    groups = tie_groups(scores, errors)
    p_best, loss = _best(scores, errors)
    price, n_with_cost = cost_per_accepted(
        part.runs.model,
        part.runs.story,
        scores.model.size,
        np.full(rows.sum(), np.nan) if cost is None else cost[rows],
        np.zeros(rows.sum(), bool) if accepted is None else accepted[rows],
    )
    return Route(
        tuple(asked[:start]), scores, groups, p_best, loss, price, n_with_cost, _reviews(scores, errors, groups)
    )


def _best(scores: CalibratedScores, errors: Floats) -> tuple[Floats, Floats]:
    """P(best) and expected loss, from samples: normal with these errors, each spread by its degrees of freedom as t is."""
    p_best, loss = np.full(scores.model.size, np.nan), np.full(scores.model.size, np.nan)
    known = np.flatnonzero(~np.isnan(scores.estimate))
    if not known.size:
        return p_best, loss
    rng = np.random.default_rng(SEED)
    values, vectors = np.linalg.eigh(errors[np.ix_(known, known)])
    noise = rng.standard_normal((SAMPLES, known.size)) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    degrees = scores.degrees[known]
    drawn = scores.estimate[known] + noise * np.sqrt(degrees / rng.chisquare(degrees, (SAMPLES, known.size)))
    most = drawn.max(axis=1)
    # Of equal ones each is the best in part: two models known without error share their chance.
    at_top = drawn == most[:, None]
    p_best[known] = (at_top / at_top.sum(axis=1, keepdims=True)).mean(axis=0)
    loss[known] = most.mean() - drawn.mean(axis=0)
    return p_best, np.maximum(loss, 0)


def cost_per_accepted(model: Codes, story: Codes, size: int, cost: Floats, accepted: Flags) -> tuple[Floats, Codes]:
    """Cost of all runs whose cost is known ÷ the different stories accepted among them, a model; and how many runs.

    Runs that were not accepted cost too. NaN where no story was accepted: its price is not known, it is not 0.

    >>> model, story = np.array([0, 0, 0, 1]), np.array([1, 1, 2, 1])
    >>> cost_per_accepted(model, story, 2, np.array([3, 4, 5, np.nan]), np.array([False, True, True, True]))[0].tolist()
    [6.0, nan]
    """
    known = ~np.isnan(cost)
    total = np.bincount(model[known], cost[known], size)
    done = known & accepted
    stories = np.unique(np.column_stack([model[done], story[done]]), axis=0)[:, 0]
    n = np.bincount(stories, minlength=size)
    price = np.divide(total, n, out=np.full(size, np.nan), where=n > 0)
    return price, np.bincount(model[known], minlength=size)


def _reviews(scores: CalibratedScores, errors: Floats, groups: Codes) -> tuple[Review, ...]:
    """Models without a score first, nearest to one first; then ties, those that few more reviews would break first."""
    lacking = np.flatnonzero((scores.needed > 0) & (scores.n > 0))
    lacking = lacking[np.argsort(scores.needed[lacking], kind="stable")]
    asked = [Review(int(code), int(scores.needed[code]), "few") for code in lacking]
    tied = np.flatnonzero(groups == 1)
    if tied.size < 2:
        return tuple(asked)
    leader = tied[np.argmax(scores.estimate[tied])]
    rivals = tied[tied != leader]
    error = difference_error(errors, leader, rivals)
    apart = np.abs(scores.estimate[leader] - scores.estimate[rivals])
    # An interval shrinks as 1/√n, so telling a difference d by ±2·error takes (2·error/d)² times the reviews.
    with np.errstate(divide="ignore"):
        times = np.minimum((2 * error / apart) ** 2, 1e6)
    ties = []
    for rival, factor in zip(rivals, times):
        code = rival if errors[rival, rival] >= errors[leader, leader] else leader
        unreviewed = int(scores.n[code] - scores.n_human[code])
        more = int(np.ceil(scores.n_human[code] * max(factor - 1, 0))) or 1
        if unreviewed and more <= MOST_REVIEWS:
            ties.append(Review(int(code), min(more, unreviewed), "tied"))
    best_first = sorted(ties, key=lambda one: one.more)
    seen = {one.model for one in asked}
    for one in best_first:
        if one.model not in seen:
            asked.append(one)
            seen.add(one.model)
    return tuple(asked)


def route_in_words(found: Route, models: list[str]) -> str:
    """What to do, as a sentence: the best, the tied best, or what must be reviewed first."""
    best = [models[code] for code in found.best]
    widened = (
        f" (all kinds of {', '.join(found.dropped).replace('_', ' ')}: no evidence for exactly this)"
        if found.dropped
        else ""
    )
    if not best:
        ask = ", ".join(f"{one.more} more of {models[one.model]}" for one in found.review[:3])
        return f"not enough evidence: review {ask}{widened}" if ask else f"not enough evidence: no runs{widened}"
    share = found.p_best[found.best[0]]
    if len(best) == 1:
        return f"{best[0]} is the best{widened}"
    named = ", ".join(best[:MOST_NAMED]) + (f" and {len(best) - MOST_NAMED} more" if len(best) > MOST_NAMED else "")
    return f"{named} cannot be told apart; {best[0]} is the best with {share:.0%}{widened}"
