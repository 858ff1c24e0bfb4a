"""A ranking is what was asked for: in order, with parts that add up, blockers, notes, and nothing that was not there."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.candidate_folders import Folder, Folders
from quality.candidate_input import Candidate, CandidateFile, Target, read_candidates
from quality.candidate_output import Ranking, Verdict
from quality.candidate_ranking import rank
from quality.candidate_schema import FILE, schema_text

ASSETS = Path(__file__).parents[1] / "assets/candidates"
READ = read_candidates((ASSETS / "candidates.json").read_bytes()).file
SAFE = {"category": "docs", "risk_level": "low", "executor_support": True, "target_path": "a/SKILL.md"}
several = st.lists(
    st.tuples(
        st.sampled_from(["docs", "guardrail", "workflow", "prompt", "tests", "misc"]),
        st.sampled_from(["low", "medium", "high", "critical", None]),
        st.booleans(),
        st.integers(0, 4),
    ),
    max_size=12,
)


def run_of(*candidates: Candidate) -> CandidateFile:
    return CandidateFile(run_id="r", target=Target(path="a"), candidates=list(candidates))


def verdict(score: float, decision: str = "conditional", **more) -> Verdict:
    dimensions = dict.fromkeys(("clarity", "specificity", "consistency", "safety"), score)
    known = {"backend_used": "claude", "model": "m", "prompt_version": "v1"}
    return Verdict(score=score, decision=decision, dimensions=dimensions, **known, **more)


def level(*structure: bool) -> Folders:
    return Folders([Folder(structure)])


def only(ranking: Ranking):
    (one,) = ranking.scored_candidates
    return one


def test_best_first_and_equal_ones_in_the_order_of_the_input():
    """c01 and c02 both score 10, and c03 and c17 8.5."""
    found = rank(READ)
    assert [one.id[:3] for one in found.scored_candidates][:4] == ["c01", "c02", "c03", "c17"]
    values = [one.score for one in found.scored_candidates]
    assert values == sorted(values, reverse=True)


@given(several, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_candidates_changes_no_score(rows, random, with_panel):
    """Only where among equal ones it stands."""
    many = [
        Candidate(
            id=f"c{place}", category=category, risk_level=level, executor_support=executor, source_refs=["r"] * refs
        )
        for place, (category, level, executor, refs) in enumerate(rows)
    ]
    shuffled = random.sample(many, len(many))
    here, there = (
        {one.id: (one.score, one.recommendation, one.blockers) for one in ranked.scored_candidates}
        for ranked in (rank(run_of(*order), with_panel=with_panel) for order in (many, shuffled))
    )
    assert here == there


@pytest.mark.parametrize(
    ("asked", "mode", "score"),
    [
        ({}, "heuristic-only", 8.5),
        ({"folders": level(True, False, False, False, False)}, "heuristic+evaluator-phase1", 8.22),
        ({"verdicts": [[verdict(0.5)]]}, "heuristic+llm-judge", 7.1),
        ({"folders": level(True, False, False, False, False), "verdicts": [[verdict(0.5)]]},
         "heuristic+evaluator+llm-judge", 7.26),
    ],
)  # fmt: skip
def test_the_modes_by_hand(asked, mode, score):
    """Heuristic 8.5, evidence 7.57 (c17 of the worked cases), judge 5.0.

    0.7·8.5 + 0.3·7.57 = 8.221; 0.6·8.5 + 0.4·5 = 7.1; 0.5·8.5 + 0.3·5 + 0.2·7.57 = 7.264.
    """
    plan = {"action": "append_markdown_section"}
    one = Candidate(id="a", **SAFE, proposed_change_summary="s", execution_plan=plan)
    found = rank(run_of(one), **asked)
    assert (found.critic_mode, only(found).score) == (mode, score)
    assert sum(only(found).parts.blend.weights.values()) == pytest.approx(1)


def test_a_panel_with_judge_and_evidence():
    """Each reviewer with its own answer of the judge: 0.5·9.5 + 0.3·judge + 0.2·7.57 for the structural one."""
    one = Candidate(
        id="a", **SAFE, proposed_change_summary="s", execution_plan={"action": "append_markdown_section"}
    )  # fmt: skip
    answers = [verdict(0.8), verdict(0.6), None, verdict(0.2)]
    found = rank(
        run_of(one), with_panel=True, folders=level(True, False, False, False, False), verdicts=[answers]
    )  # fmt: skip
    reviews = only(found).panel.panel_reviews
    # structural 9.5, conservative 7.5, user_advocate 8.5 (no answer: 70/30), security_auditor 6.5
    assert [review.score for review in reviews] == [8.66, 7.06, 8.22, 5.36]
    assert [review.llm_score for review in reviews] == [0.8, 0.6, None, 0.2]
    assert reviews[2].parts.blend.missing == ["judge"]
    assert only(found).llm_verdict.score == pytest.approx((0.8 + 0.6 + 0.2) / 3, abs=1e-6)
    assert only(found).score == round((8.66 + 7.06 + 8.22 + 5.36) / 4, 2)
    assert (found.critic_mode, only(found).parts) == ("multi-reviewer-panel", None)


@pytest.mark.parametrize("with_panel", [False, True])
def test_the_parts_of_every_worked_case_add_up(with_panel):
    """Base, bonus, refs, executor, risk, protection and clamp make the heuristic; the contributions make the score."""
    for one in rank(READ, with_panel=with_panel).scored_candidates:
        for scored in one.panel.panel_reviews if with_panel else [one]:
            parts = scored.parts
            total = parts.base + parts.bonus + parts.refs + parts.executor + parts.risk + parts.protection + parts.clamp
            assert total == pytest.approx(parts.heuristic, abs=1e-9)
            assert sum(parts.blend.contributions.values()) == pytest.approx(scored.score, abs=0.00501)


def test_blockers_stand_in_their_order():
    """All seven at once, the level as it was given."""
    one = Candidate(id="a", category="prompt", risk_level="critical", target_path="trading/SKILL.md")
    found = rank(
        run_of(one), folders=level(True, False, False, False, False), verdicts=[[verdict(0.1, "reject")]]
    )  # fmt: skip
    assert only(found).blockers == [
        "protected_target",
        "executor_not_supported",
        "not_auto_keep_category",
        "risk_critical",
        "skill_level_insufficient_for_structural_change",
        "evaluator_reject",
        "llm_judge_reject",
    ]


def test_a_judge_that_said_reject_where_its_scores_do_not_is_quoted():
    """The note says both."""
    found = rank(run_of(Candidate(id="a", **SAFE)), verdicts=[[verdict(0.6, said="reject")]])
    assert "The judge said reject; by its scores it is conditional." in only(found).judge_notes
    assert "llm_judge_reject" not in only(found).blockers


def test_a_judge_that_failed_is_said_in_note_warning_and_parts():
    """And the score is that of the heuristic."""
    found = rank(run_of(Candidate(id="a", **SAFE)), verdicts=[[None]])
    one = only(found)
    assert (one.score, one.llm_verdict, one.parts.blend.missing) == (8.5, None, ["judge"])
    assert "The judge gave no usable answer: scored without it." in one.judge_notes
    assert found.warnings == ["candidate 'a': the judge gave no usable answer: scored without it"]


def test_an_unknown_category_or_level_counts_as_other_and_says_so():
    """In a note and a warning; twenty warnings are told, the rest counted."""
    found = rank(run_of(*(Candidate(id=f"c{n}", category="misc", risk_level="grave") for n in range(15))))
    assert only(rank(run_of(Candidate(id="a", category="misc")))).judge_notes[0] == (
        "Category 'misc' is not known: it counts as other."
    )
    assert found.warnings[:2] == [
        "candidate 'c0': category 'misc' is not known: it counts as other",
        "candidate 'c0': risk_level 'grave' is not known: it counts as other",
    ]
    assert found.warnings[20:] == ["… and 10 more of these, in the candidates' notes"]


def test_what_a_candidate_came_with_is_given_back():
    """Its own fields beside the score; one that is called as ours does not take its place."""
    plan = {"action": "x", "content_lines": ["a"], "more": 1}
    one = Candidate(id="a", **SAFE, execution_plan=plan, lane="l", score=99, panel={"x": 1}, blockers=["mine"])
    document = rank(run_of(one)).document()["scored_candidates"][0]
    assert (document["execution_plan"], document["lane"], document["target_path"]) == (plan, "l", "a/SKILL.md")
    assert (document["score"], document["blockers"]) == (8.5, [])
    assert not {"panel", "llm_verdict", "evidence", "rationale"} & set(document)


def test_candidates_that_score_alike_keep_their_own_fields():
    """They are scored once, and each is itself."""
    found = rank(run_of(*(Candidate(id=name, **SAFE, title=name) for name in "ab")))
    assert [(one.id, one.title, one.score) for one in found.scored_candidates] == [("a", "a", 8.5), ("b", "b", 8.5)]


def test_no_candidates_are_a_ranking():
    """Empty, in every mode."""
    for with_panel in (False, True):
        found = rank(run_of(), with_panel=with_panel, folders=Folders([]), verdicts=[])
        assert (found.scored_candidates, found.summary.hold) == ([], 0)
        assert json.loads(found.to_json())["scored_candidates"] == []


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"folders": Folders([])}, "0 folders for 1 candidates"),
        ({"verdicts": []}, "give 1 for each"),
        ({"verdicts": [[None]], "with_panel": True}, "give 4 for each"),
    ],
)
def test_folders_and_verdicts_are_one_a_candidate(asked, words):
    """Anything else is a mistake of the caller."""
    with pytest.raises(ValueError, match=words):
        rank(run_of(Candidate(id="a")), **asked)


@pytest.mark.parametrize("with_panel", [False, True])
def test_the_file_is_the_document(with_panel):
    """Written in chunks it is the same JSON, indented, and reads back as the same ranking."""
    folders = Folders([Folder((True, False, False, False, False))] * len(READ.candidates))
    found = rank(READ, with_panel=with_panel, folders=folders, source="c.json", sha256="0" * 64)
    text = found.to_json().decode()
    assert json.loads(text) == found.document()
    assert text.splitlines() == json.dumps(json.loads(text), indent=2, ensure_ascii=False).splitlines()
    assert Ranking.model_validate_json(text) == Ranking.model_validate(found.document())


def test_a_target_that_looks_like_the_list_does_not_mislead_the_writer():
    """It is found by its place in the file."""
    file = CandidateFile(
        run_id="r", target=Target.model_validate({"path": "a", "scored_candidates": []}), candidates=[Candidate(id="a")]
    )  # fmt: skip
    assert json.loads(rank(file).to_json()) == rank(file).document()


def test_the_schema_file_is_current():
    """Else: `python -m quality.candidate_schema`."""
    assert FILE.read_text(encoding="utf-8") == schema_text()
