"""Evidence is what MODEL.md computes from a candidate and its target's folder, which is looked at inside the root only."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.candidate_evidence import DIMENSIONS, SKILL_LEVELS, VERDICTS, evidence_for, skill_level
from quality.candidate_folders import default_roots, look_into
from quality.candidate_input import Candidate, FaultyCandidates
from quality.candidates import columns_of
from quality.errors import QualityError

COMPLETE = ("SKILL.md", "README.md", "scripts/", "evals/", "tests/")
WEIGHTS = {
    "prompt": {"accuracy": 0.30, "reliability": 0.20, "efficiency": 0.20, "cost": 0.10, "coverage": 0.10},
    "tests": {
        "accuracy": 0.45, "reliability": 0.20, "efficiency": 0.15, "cost": 0.10, "coverage": 0.10, "security": 0.10,
    },
}  # fmt: skip
PROCESS = {"accuracy": 0.25, "reliability": 0.30, "efficiency": 0.20, "cost": 0.15, "coverage": 0.10}
flags = st.booleans()


@pytest.fixture
def skill(tmp_path):
    """Makes a folder with these members under the root `tmp_path/root`."""
    root = tmp_path / "root"
    root.mkdir()

    def make(name: str, *members: str):
        for member in members:
            path = root / name / member
            (path if member.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
            if not member.endswith("/"):
                path.write_text("x")
        return root

    return make


def candidate(path: str | None, **more) -> Candidate:
    return Candidate(id="c", target_path=path, **more)


def level_at(path: str, *roots) -> str:
    found = look_into([candidate(path)], roots)
    return SKILL_LEVELS[skill_level(found.structure).item()]


def by_hand(one: Candidate, structure: tuple[bool, ...]) -> tuple[dict[str, float], float]:
    """MODEL.md, evaluator evidence, term by term; the dimensions and the overall."""
    skill_md, _readme, scripts, evals, tests = structure
    level = 3 if all(structure) else 2 if skill_md and scripts and evals else 1 if skill_md else 0
    refs, executor = min(len(one.source_refs or ()), 3), one.executor_support is True
    keep = one.category in ("docs", "reference", "guardrail")
    append = one.execution_plan is not None and one.execution_plan.action == "append_markdown_section"
    risk, protected = one.risk_level or "medium", "trading" in (one.target_path or "")
    dims = {
        "accuracy": 0.55 + 0.08 * refs + (0.07 if one.proposed_change_summary else 0) + [0, 0.03, 0.10, 0.15][level],
        "reliability": 0.42 + {"low": 0.16, "medium": 0.02, "high": -0.20}.get(risk, 0)
        + (0.18 if executor else -0.12) + (0.10 if keep else -0.06) + 0.08 * scripts - 0.25 * protected,
        "efficiency": 0.50 + (0.20 if executor else -0.08) + (0.15 if append else -0.05) - 0.05 * protected,
        "cost": (0.88 if append else 0.62) - 0.10 * (risk == "high"),
        "coverage": 0.34 + 0.09 * refs + 0.12 * tests + 0.10 * evals + 0.05 * (one.category == "tests"),
        "security": 0.84 + 0.06 * (one.category == "guardrail") - {"low": 0, "high": 0.35}.get(risk, 0.18)
        - 0.20 * protected,
    }  # fmt: skip
    dims = {name: round(max(0.0, min(1.0, value)), 3) for name, value in dims.items()}
    weights = WEIGHTS.get(one.category, PROCESS)
    return dims, sum(dims[name] * weight for name, weight in weights.items()) / sum(weights.values())


@given(
    st.builds(
        Candidate,
        id=st.just("c"),
        category=st.sampled_from(["docs", "reference", "guardrail", "workflow", "prompt", "tests", "misc", None]),
        risk_level=st.sampled_from(["low", "medium", "high", "critical", None]),
        executor_support=st.sampled_from([True, False, None]),
        source_refs=st.lists(st.just("r"), max_size=5),
        target_path=st.sampled_from(["skills/a", "skills/trading", None]),
        proposed_change_summary=st.sampled_from(["s", "", None]),
        execution_plan=st.sampled_from([None, {}, {"action": "append_markdown_section"}, {"action": "other"}]),
    ),
    st.tuples(flags, flags, flags, flags, flags),
)
def test_the_dimensions_and_the_overall_term_by_term(one, structure):
    """As MODEL.md has them; the verdict from 0.80 and 0.60."""
    found = evidence_for(columns_of([one]), [one], np.array([structure]))
    dims, overall = by_hand(one, structure)
    assert dict(zip(DIMENSIONS[:-1], found.dims[0, :-1].tolist())) == dims
    assert np.isnan(found.dims[0, -1])
    assert found.overall.item() == pytest.approx(overall, abs=0.000501)
    limits = "approve" if found.overall >= 0.8 else "conditional" if found.overall >= 0.6 else "reject"
    assert VERDICTS[found.verdict.item()] == limits
    assert found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("members", "level"),
    [
        (COMPLETE, "Level 3"),
        (COMPLETE[:-1], "Level 2"),
        (("SKILL.md", "scripts/", "evals/"), "Level 2"),
        (("SKILL.md", "README.md", "scripts/", "tests/"), "Level 1"),
        (("SKILL.md",), "Level 1"),
        (COMPLETE[1:], "unrated"),
        (("SKILL.md/", "README.md"), "unrated"),
    ],
)
def test_the_level_of_a_folder(skill, members, level):
    """By which of the five are there; a folder is no file and a file no folder."""
    assert level_at("a/SKILL.md", skill("a", *members)) == level


@pytest.mark.parametrize(
    "path", ["a", "a/", "a/SKILL.md", "a/not-yet.md", "a/references/notes.md", "./b/../a/SKILL.md"]
)
def test_where_a_target_belongs(skill, path):
    """A folder is its own, a file is of the folder it is in, one of `references` of the folder above."""
    root = skill("a", "SKILL.md", "references/notes.md")
    skill("b", "README.md")
    assert level_at(path, root) == "Level 1"


def test_a_relative_path_is_taken_from_the_first_root_that_has_it(skill, tmp_path):
    """An absolute one may lie in any."""
    root = skill("a", "SKILL.md")
    other = tmp_path / "other"
    other.mkdir()
    assert level_at("a/SKILL.md", other, root) == "Level 1"
    assert level_at(str(root / "a" / "SKILL.md"), other, root) == "Level 1"


@pytest.mark.parametrize(
    ("path", "why"), [(None, "no target_path"), ("  ", "no target_path"), ("nowhere/x.md", "not found")]
)
def test_a_target_that_is_not_there_is_unrated(skill, path, why):
    """With the reason; it is no fault."""
    (folder,) = look_into([candidate(path)], [skill("a", "SKILL.md")]).found
    assert folder.structure == (False,) * 5
    assert why in folder.warnings[0]


@pytest.mark.parametrize(
    "path", ["../outside/SKILL.md", "a/../../outside", "/etc/passwd", "link/SKILL.md", "~root/x", "a\0b"]
)
def test_a_path_that_leads_out_is_refused(skill, tmp_path, path):
    """By `..`, by being absolute, by a link; with the candidate's id."""
    root = skill("a", "SKILL.md")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "SKILL.md").write_text("secret")
    os.symlink(tmp_path / "outside", root / "link")
    with pytest.raises(FaultyCandidates, match=r"^candidate 'c': target_path = .*(leads out of|cannot be a path)"):
        look_into([candidate(path)], [root])


def test_every_path_that_leads_out_is_told(skill):
    """A line each."""
    with pytest.raises(FaultyCandidates) as caught:
        look_into([candidate("../x"), candidate("a"), candidate("/y")], [skill("a", "SKILL.md")])
    assert len(caught.value.faults) == 2


def test_a_member_that_leads_out_does_not_count(skill, tmp_path):
    """A linked scripts folder outside the root is not there, and a note says so."""
    root = skill("a", "SKILL.md", "evals/")
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", root / "a" / "scripts")
    (folder,) = look_into([candidate("a")], [root]).found
    assert folder.structure == (True, False, False, True, False)
    assert folder.warnings == ("scripts leads out of the root: not counted",)


def test_a_root_must_be_there(tmp_path):
    """It is named by the caller, so it is the caller's mistake."""
    with pytest.raises(QualityError, match="no such folder"):
        look_into([], [tmp_path / "missing"])


def test_the_roots_where_none_is_named(tmp_path, monkeypatch):
    """The folder of the file and the working folder; never the whole file system."""
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path)
    assert default_roots(tmp_path / "in" / "c.json") == [tmp_path / "in", tmp_path]
    monkeypatch.chdir("/")
    assert default_roots(None) == []


def test_nothing_is_written(skill):
    """No time of a file or a folder changes."""
    root = skill("a", *COMPLETE)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    look_into([candidate("a")], [root])
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before
