"""Four reviewers score blind; which label their votes get, over everything that a candidate can say."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.candidate_input import Candidate
from quality.candidates import BONUS, HOLD, RECOMMENDATIONS, RISK, columns_of
from quality.panel import CONSENSUS, DISPUTED, LABELS, REVIEWERS, VERIFIED, outcome, panel

COMBINATIONS = list(
    itertools.product(
        [*list(BONUS)[:-1], "misc"],
        [*list(RISK)[:-1], "critical"],
        (True, False),
        range(5),
        ("skills/minutes/SKILL.md", "skills/gateway/SKILL.md"),
    )
)
MANY = [
    Candidate(
        id="c",
        category=category,
        risk_level=level,
        executor_support=executor,
        source_refs=["r"] * refs,
        target_path=path,
    )
    for category, level, executor, refs, path in COMBINATIONS
]
COLUMNS = columns_of(MANY)
votes = st.lists(st.integers(0, 2), min_size=4, max_size=4)


def test_which_labels_occur_over_all_combinations():
    """All three do. Where none can be told apart by a judge or evidence, reviewers only ever split over hold or reject."""
    found = panel(COLUMNS)
    assert set(found.label.tolist()) == {CONSENSUS, VERIFIED, DISPUTED}
    for place in range(len(MANY)):
        cast = Counter(RECOMMENDATIONS[review.recommendation[place]] for review in found.reviews)
        decided = RECOMMENDATIONS[found.recommendation[place]]
        if found.label[place] == CONSENSUS:
            assert cast == {decided: 4}
        elif found.label[place] == VERIFIED:
            assert cast[decided] == 3
            assert set(cast) == {"hold", "reject"}
        else:
            assert (decided, cast) == ("hold", {"hold": 2, "reject": 2})


@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_disputed_always_holds_whatever_judge_and_evidence_say(seed, with_evidence, some_fail):
    """Over all combinations with random answers of the judge, some of them missing."""
    random = np.random.default_rng(seed)
    judge = random.uniform(0, 10, (len(MANY), 4))
    if some_fail:
        judge[random.random(judge.shape) < 0.3] = np.nan
    evidence = random.uniform(0, 10, len(MANY)) if with_evidence else None
    rejected = evidence < 6 if with_evidence else None
    found = panel(COLUMNS, judge, evidence, rejected)
    assert (found.recommendation[found.label == DISPUTED] == HOLD).all()
    assert ((found.aggregated >= 0) & (found.aggregated <= 10)).all()


@pytest.mark.parametrize(
    ("cast", "label", "decided"),
    [
        ("aaaa", "CONSENSUS", "accept_for_execution"),
        ("rrrr", "CONSENSUS", "reject"),
        ("hhhr", "VERIFIED", "hold"),
        ("rrrh", "VERIFIED", "reject"),
        ("aahr", "VERIFIED", "accept_for_execution"),
        ("rrha", "VERIFIED", "reject"),
        ("hhrr", "DISPUTED", "hold"),
        ("aarr", "DISPUTED", "hold"),
    ],
)
def test_the_label_of_votes(cast, label, decided):
    """a = accept, h = hold, r = reject; more than any other, at least two, decides; a tie holds."""
    codes = np.array([["ahr".index(vote) for vote in cast]], np.int8)
    found, decision = outcome(codes)
    assert (LABELS[found.item()], RECOMMENDATIONS[decision.item()]) == (label, decided)


def test_three_reviewers_that_all_differ_are_disputed():
    """No recommendation has two votes."""
    label, decided = outcome(np.array([[0, 1, 2]], np.int8))
    assert (label.item(), decided.item()) == (DISPUTED, HOLD)


@given(votes, st.permutations(range(4)))
def test_who_cast_a_vote_does_not_matter(cast, order):
    """Label and decision are the same in any order of the reviewers."""
    here, there = np.array([cast], np.int8), np.array([[cast[place] for place in order]], np.int8)
    assert [part.item() for part in outcome(here)] == [part.item() for part in outcome(there)]


@pytest.mark.parametrize("reviewer", range(4))
def test_a_reviewer_is_blind_to_the_others(reviewer):
    """What the judge tells one of them changes that review and no other."""
    judge = np.full((len(MANY), 4), 5.0)
    told = judge.copy()
    told[:, reviewer] = 0.0
    before, after = panel(COLUMNS, judge).reviews, panel(COLUMNS, told).reviews
    for place in range(4):
        same = np.array_equal(before[place].blend.value, after[place].blend.value)
        assert same == (place != reviewer)


def test_the_table_of_reviewers():
    """Names, sensitivities and a category weight of each, as MODEL.md has them."""
    assert [(one.name, one.sensitivity, one.bonus["guardrail"], one.bonus["tests"]) for one in REVIEWERS] == [
        ("structural", 1.0, 4.0, 2.0),
        ("conservative", 1.5, 5.0, 1.0),
        ("user_advocate", 0.8, 2.0, 1.0),
        ("security_auditor", 2.0, 5.0, 3.0),
    ]
    assert {one.bonus["other"] for one in REVIEWERS} == {0.5}


def test_evidence_joins_every_reviewer_in_the_same_ratio():
    """c03 of the worked cases: reviews 9, 10, 7, 10 and evidence 8 → 8.7, 9.4, 7.3, 9.4; their mean is 8.7."""
    one = Candidate(id="c", category="guardrail", risk_level="low", executor_support=True, source_refs=["a"])
    found = panel(columns_of([one]), evidence=np.array([8.0]), rejected=np.array([False]))
    assert [review.blend.value.item() for review in found.reviews] == [8.7, 9.4, 7.3, 9.4]
    assert found.aggregated.item() == 8.7
