"""What a candidate would be worth comes from the ranking's own call, and its steps add up to what is shown."""

import math
from pathlib import Path

import pytest

from quality.candidate_folders import look_into
from quality.candidate_input import Candidate, CandidateFile, Target, read_candidates
from quality.candidate_output import Ranking, Verdict
from quality.candidate_ranking import callers, rank
from quality.candidate_what_if import as_it_is, candidate_of, differs, steps, what_if
from quality.candidates import PROTECTED_PATHS

ASSETS = Path(__file__).parents[1] / "assets/candidates"
READ = read_candidates((ASSETS / "candidates.json").read_bytes()).file
MODES = [(panel, evidence, judge) for panel in (False, True) for evidence in (False, True) for judge in (False, True)]
DOCS = {"id": "d", "category": "docs", "risk_level": "low", "executor_support": True, "source_refs": ["a", "b"]}

SUPPOSED = {"risk_level", "executor_support", "source_refs"}
"""Fields of a candidate that are written anew, a missing one too."""


def verdict(score: float) -> Verdict:
    dimensions = dict.fromkeys(("clarity", "specificity", "consistency", "safety"), score)
    known = {"backend_used": "claude", "model": "m", "prompt_version": "v1"}
    return Verdict(score=score, decision="conditional", dimensions=dimensions, **known)


def ranked(file: CandidateFile, panel=False, evidence=False, judge=False) -> Ranking:
    """As it comes back from where it is kept: through JSON."""
    verdicts = [[verdict(0.25 + 0.25 * place) for place in range(callers(panel))] for _ in file.candidates]
    folders = look_into(file.candidates, [ASSETS]) if evidence else None
    found = rank(file, with_panel=panel, folders=folders, verdicts=verdicts if judge else None)
    return Ranking.model_validate_json(found.to_json())


def docs(**how):
    """4 + 4 + 2 · 0.5 + 0.5 = 9.5, accepted."""
    made = CandidateFile(run_id="r", target=Target(path="a"), candidates=[Candidate(**DOCS)])
    return ranked(made, **how).scored_candidates[0]


def changed(scored, **otherwise):
    supposed = as_it_is(scored, otherwise.pop("judge", scored.llm_verdict is not None))
    return what_if(scored, type(supposed)(**{**vars(supposed), **otherwise}), PROTECTED_PATHS)


@pytest.mark.parametrize(("panel", "evidence", "judge"), MODES)
def test_nothing_supposed_changes_nothing(panel, evidence, judge):
    """Every worked candidate in every mode comes out as it was ranked, its notes included."""
    for one in ranked(READ, panel, evidence, judge).scored_candidates:
        found = what_if(one, as_it_is(one, judge), PROTECTED_PATHS)
        assert found.model_dump(exclude=SUPPOSED) == one.model_dump(exclude=SUPPOSED)


@pytest.mark.parametrize(("panel", "evidence", "judge"), MODES)
def test_the_steps_add_up_to_the_score(panel, evidence, judge):
    """From the base through the heuristic to the blend, in two decimals."""
    for one in ranked(READ, panel, evidence, judge).scored_candidates:
        for parts in [review.parts for review in one.panel.panel_reviews] if one.panel else [one.parts]:
            found, total = steps(parts), 0.0
            for step in found:
                if step.total:
                    assert math.isclose(total, step.value, abs_tol=0.005)
                else:
                    total += step.value
            assert (found[0].name, found[-1].name, found[-1].value) == ("base", "score", parts.blend.value)


def test_the_steps_of_a_blend():
    """9.5 and a judge's 2.5 at 60/40: the judge pulls by 0.4 · (2.5 − 9.5) = −2.8, to 6.7."""
    found = [(step.name, step.value) for step in steps(docs(judge=True).parts)]
    assert found == [
        ("base", 4), ("bonus", 4), ("refs", 1), ("executor", 0.5), ("heuristic", 9.5), ("judge", -2.8), ("score", 6.7),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("otherwise", "score", "recommendation"),
    [
        ({"risk_level": "medium"}, 7.5, "hold"),
        ({"risk_level": "high"}, 5.0, "reject"),
        ({"risk_level": "high", "executor_support": False, "refs": 0}, 3.5, "reject"),
        ({"refs": 3}, 10.0, "accept_for_execution"),
        ({"refs": 9}, 10.0, "accept_for_execution"),
        ({"risk_level": None}, 7.5, "hold"),
        ({"panel": True}, 8.88, "accept_for_execution"),
    ],
)
def test_another_risk_executor_references_or_mode(otherwise, score, recommendation):
    """9.5 − 2 = 7.5; 9.5 − 4.5 = 5; 4 + 4 − 4.5 = 3.5; 4 + 4 + 1.5 + 0.5 = 10, three references count. A panel:
    structural 10 (10.5 before the clamp), conservative 8.5, user advocate 9.5, security auditor 7.5: 8.875 → 8.88."""
    found = changed(docs(), **otherwise)
    assert (found.score, found.recommendation) == (score, recommendation)


def test_a_panel_without_its_judge_and_one_verdict_for_a_panel():
    """Four reviews of 2.5, 5, 7.5 and 10 by the judge are left out again; one verdict stands for each reviewer's."""
    assert changed(docs(panel=True, judge=True), judge=False).score == docs(panel=True).score
    heard = changed(docs(judge=True), panel=True).panel.panel_reviews
    assert [one.llm_score for one in heard] == [0.25] * 4


def test_what_was_given_comes_back():
    """A candidate's own fields, without those of its score."""
    assert candidate_of(docs()).given() == DOCS


def test_what_would_be_decided_otherwise():
    """Recommendation and label, before and after."""
    assert differs(docs(), changed(docs(), risk_level="high")) == {"recommendation": ("accept_for_execution", "reject")}
    assert differs(docs(), docs()) == {}
