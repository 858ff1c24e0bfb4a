"""A candidate's own data becomes a score, its blend and a recommendation, exactly as MODEL.md says."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.candidate_folders import look_into
from quality.candidate_input import Candidate, read_candidates
from quality.candidate_ranking import rank
from quality.candidates import (
    BLENDS,
    BONUS,
    RECOMMENDATIONS,
    RISK,
    blend,
    columns_of,
    heuristic,
    is_protected,
    recommend,
)

ASSETS = Path(__file__).parents[1] / "assets/candidates"
READ = read_candidates((ASSETS / "candidates.json").read_bytes())
EXPECTED = json.loads((ASSETS / "expected.json").read_text())
CATEGORIES, LEVELS = [*list(BONUS)[:-1], "misc", None], [*list(RISK)[:-1], "critical", None]
PATHS = ["skills/minutes/SKILL.md", "skills/trading-bot/SKILL.md", None]
candidates = st.builds(
    Candidate,
    id=st.just("c"),
    category=st.sampled_from(CATEGORIES),
    risk_level=st.sampled_from(LEVELS),
    executor_support=st.sampled_from([True, False, None]),
    source_refs=st.lists(st.just("ref"), max_size=6),
    target_path=st.sampled_from(PATHS),
)
parts = st.none() | st.floats(0, 10)


def scored(mode: str) -> dict:
    """Every worked candidate in one mode, by id."""
    folders = look_into(READ.file.candidates, [ASSETS]) if mode == "evaluator" else None
    ranking = rank(READ.file, with_panel=mode == "panel", folders=folders)
    return {one.id: one.model_dump(exclude_none=True) for one in ranking.scored_candidates}


def score_of(one: Candidate) -> float:
    return heuristic(columns_of([one])).score.item()


@pytest.mark.parametrize("mode", ["heuristic", "evaluator", "panel"])
@pytest.mark.parametrize("name", EXPECTED)
def test_the_worked_cases(mode, name):
    """Score, parts, recommendation, blockers, evidence, reviewers and label of every candidate in every mode."""
    found, expected = scored(mode)[name], dict(EXPECTED[name][mode])
    proof, reviews = expected.pop("evidence", {}), expected.pop("panel_reviews", [])
    found |= found.get("panel", {})
    assert {key: found[key] for key in expected} == expected
    assert {key: found.get("evidence", {})[key] for key in proof} == proof
    assert [{key: one[key] for key in reviews[0]} for one in found.get("panel_reviews", [])] == reviews


def test_all_thirteen_are_compared():
    """No worked candidate is left out."""
    assert {one.id for one in READ.file.candidates} == set(EXPECTED)
    assert len(EXPECTED) == 13


def test_the_parts_by_hand():
    """4 + 1.5 (workflow) + 0.5·2 refs + 0.5 executor − 2 (medium) − 2.5 (protected) = 2.5."""
    one = Candidate(
        id="a", category="workflow", risk_level="medium", executor_support=True, source_refs=["x", {"path": "y"}],
        target_path="apps/Gateway/SKILL.md",
    )  # fmt: skip
    found = heuristic(columns_of([one]))
    assert [getattr(found, name).item() for name in ("bonus", "refs", "executor", "risk", "protection")] == [
        1.5, 1.0, 0.5, 2.0, 2.5,
    ]  # fmt: skip
    assert (found.penalty.item(), found.score.item()) == (4.5, 2.5)


@given(candidates)
def test_a_score_is_within_its_bounds(one):
    """0–10, whatever is said and whatever is left out."""
    assert 0 <= score_of(one) <= 10


@given(candidates)
def test_more_references_never_lower_it(one):
    """And beyond three nothing changes."""
    more = one.model_copy(update={"source_refs": [*one.source_refs, "another"]})
    assert score_of(more) >= score_of(one)
    assert (score_of(more) == score_of(one)) or len(one.source_refs) < 3


@given(candidates)
def test_higher_risk_never_raises_it(one):
    """low ≥ medium ≥ high, also in what is recommended (accept, hold, reject)."""
    raised = [one.model_copy(update={"risk_level": level}) for level in ("low", "medium", "high")]
    values = [score_of(level) for level in raised]
    assert values == sorted(values, reverse=True)
    columns = columns_of(raised)
    advice = recommend(columns, heuristic(columns).score).tolist()
    assert advice == sorted(advice)


@given(candidates)
def test_a_protected_path_never_raises_it(one):
    """It takes 2.5 away, as far as there is something to take, and is never accepted."""
    free, protected = (one.model_copy(update={"target_path": path}) for path in PATHS[:2])
    assert score_of(protected) <= score_of(free)
    columns = columns_of([protected])
    assert RECOMMENDATIONS[recommend(columns, heuristic(columns).score).item()] != "accept_for_execution"


@given(st.lists(candidates, min_size=1, max_size=20))
def test_one_alone_scores_as_among_many(many):
    """The same call, and the others change nothing."""
    together = heuristic(columns_of(many)).score.tolist()
    assert together == [score_of(one) for one in many]


@pytest.mark.parametrize(("there", "ratios"), BLENDS.items())
def test_the_ratios_of_the_blend(there, ratios):
    """8 of the heuristic, 6 of the judge, 4 of the evidence: 8 · 6.8 · 7.2 · 6.6."""
    judge, evidence = there
    found = blend(np.array([8.0]), np.array([6.0]) if judge else None, np.array([4.0]) if evidence else None)
    by_hand = {(False, False): 8.0, (False, True): 6.8, (True, False): 7.2, (True, True): 6.6}[there]
    assert found.value.item() == by_hand
    assert found.weights[0].tolist() == pytest.approx([ratio / 100 for ratio in ratios])


def test_a_judge_that_gave_nothing_drops_out_of_its_candidate_alone():
    """The other parts count as if none had been asked: 70/30, not 50/20."""
    found = blend(np.array([8.0, 8.0]), np.array([np.nan, 6.0]), np.array([4.0, 4.0]))
    assert found.value.tolist() == [6.8, 6.6]
    assert found.weights[0].tolist() == pytest.approx([0.7, 0.0, 0.3])


@given(st.lists(st.tuples(st.floats(0, 10), parts, parts), min_size=1, max_size=8))
def test_a_blend_is_between_its_parts_and_its_contributions_sum_to_it(rows):
    """To two decimals."""
    matrix = np.array(rows, dtype=np.float64)
    found = blend(matrix[:, 0], matrix[:, 1], matrix[:, 2])
    assert found.value == pytest.approx(found.contributions.sum(axis=1), abs=0.00501)
    assert (found.value >= np.nanmin(matrix, axis=1) - 0.00501).all()
    assert (found.value <= np.nanmax(matrix, axis=1) + 0.00501).all()


def expected_advice(category, level, executor, protected, score, rejected) -> str:
    """MODEL.md, the recommendation, word by word."""
    safe = category in ("docs", "reference", "guardrail") and level == "low" and executor and not protected
    if safe and not rejected:
        return "accept_for_execution"
    if score < 4.0 or (rejected is None and level == "high") or rejected:
        return "reject"
    return "hold"


def test_the_recommendation_of_every_combination():
    """Category × level × executor × protection × score on either side of 4.0 × evidence absent, passed, rejected."""
    for rejected in (None, False, True):
        rows = list(itertools.product(CATEGORIES, LEVELS, (True, False), PATHS[:2], (3.99, 4.0)))
        many = [
            Candidate(id="c", category=category, risk_level=level, executor_support=executor, target_path=path)
            for category, level, executor, path, _ in rows
        ]
        scores = np.array([row[-1] for row in rows])
        flags = None if rejected is None else np.full(len(rows), rejected)
        found = [RECOMMENDATIONS[code] for code in recommend(columns_of(many), scores, flags)]
        assert found == [
            expected_advice(category, level, executor, path == PATHS[1], score, rejected)
            for category, level, executor, path, score in rows
        ]


def test_protected_paths_are_configurable():
    """Any part of the path, in any case; none configured protects nothing."""
    assert is_protected("a/Payments/SKILL.md", ["payments"])
    assert not is_protected("a/trading/SKILL.md", ["payments"])
    assert not is_protected("a/trading/SKILL.md", [])
