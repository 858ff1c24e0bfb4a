"""`discriminate` and `scripts/score.py` as users call them: a file of candidates in, a ranking out, or nothing written."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from quality.candidate_output import Ranking
from quality.ledger.ledger import Ledger
from quality.ranking_commands import ListRankings

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "tests/assets/candidates"
EXPECTED = json.loads((ASSETS / "expected.json").read_text())
DEFAULT = Path("state/rankings/oracle-open.json")
KEYLESS = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": "", "ANTHROPIC_BASE_URL": "", "OPENAI_API_KEY": ""}


@pytest.fixture
def cases(tmp_path):
    """The worked cases in a folder of their own; their path from `tmp_path`."""
    shutil.copytree(ASSETS, tmp_path / "in")
    return "in/candidates.json"


@pytest.fixture
def write(tmp_path):
    def to(content) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / "c.json").write_text(text)
        return "c.json"

    return to


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def run_of(*candidates, **more) -> dict:
    return {"run_id": "r", "target": {"path": "a"}, "candidates": list(candidates)} | more


@pytest.mark.parametrize(
    ("options", "expected", "mode"),
    [
        ([], "heuristic", "heuristic-only"),
        (["--use-evaluator-evidence"], "evaluator", "heuristic+evaluator-phase1"),
        (["--panel"], "panel", "multi-reviewer-panel"),
        (["--llm-judge", "mock"], None, "heuristic+llm-judge"),
        (["--llm-judge", "mock", "--use-evaluator-evidence"], None, "heuristic+evaluator+llm-judge"),
        (["--panel", "--llm-judge", "mock"], None, "multi-reviewer-panel"),
        (["--panel", "--use-evaluator-evidence"], None, "multi-reviewer-panel"),
        (["--panel", "--llm-judge", "mock", "--use-evaluator-evidence"], None, "multi-reviewer-panel"),
    ],
)
def test_every_mode_in_a_process_of_its_own(process, tmp_path, cases, options, expected, mode):
    """Exit 0, the ranking at its default place in the form of the models, and the worked values in it."""
    done = process("discriminate", "--input", cases, *options)
    assert done.code == 0, done.err
    found = Ranking.model_validate_json((tmp_path / DEFAULT).read_bytes())
    assert (found.run_id, found.stage, found.critic_mode) == ("oracle-open", "ranked", mode)
    assert found.source_candidate_artifact == cases
    assert found.summary.accept_for_execution + found.summary.hold + found.summary.reject == 13
    for one in found.scored_candidates if expected else ():
        wanted = EXPECTED[one.id][expected]
        assert (one.score, one.recommendation) == (wanted["score"], wanted["recommendation"])
    judged, evidence = "--llm-judge" in options, "--use-evaluator-evidence" in options
    assert found.backend_used == ("mock" if judged else None)
    assert all((one.llm_verdict is not None) == judged for one in found.scored_candidates)
    assert all((one.evidence is not None) == evidence for one in found.scored_candidates)
    for one in found.scored_candidates if "--panel" in options else ():
        assert [(review.llm_verdict is not None) for review in one.panel.panel_reviews] == [judged] * 4
    assert not (tmp_path / "ledger.duckdb").exists()


def test_the_script_of_pipelines_runs_from_anywhere(tmp_path, cases):
    """The same arguments; standard output is the path of the ranking, so that `OUT=$(…)` works."""
    command = [sys.executable, str(ROOT / "scripts/score.py"), "--input", cases, "--panel", "--llm-judge", "mock"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUALITY_")}
    done = subprocess.run(
        [*command, "--output", "deep/er/scored.json"], cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout) == (0, "deep/er/scored.json\n"), done.stderr
    found = Ranking.model_validate_json((tmp_path / "deep/er/scored.json").read_bytes())
    assert found.critic_mode == "multi-reviewer-panel"


def test_the_script_refuses_as_the_command_does(tmp_path):
    """One line, exit 2."""
    command = [sys.executable, str(ROOT / "scripts/score.py"), "--input", "missing.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: missing.json: no such file: check the path\n"


def test_the_json_document_is_the_file(run, tmp_path, cases):
    """And the file is written as well."""
    done = run("discriminate", "--input", cases, "--json")
    assert done.json == json.loads((tmp_path / DEFAULT).read_text())
    assert done.json["scored_candidates"][0]["id"] == "c01-docs-low-3refs"


def test_people_get_a_table(run, cases):
    """Candidate, score, recommendation, label and blockers; then the counts and where the file is."""
    done = run("discriminate", "--input", cases, "--panel", "--state-root", "kept")
    lines = done.out.splitlines()
    assert lines[1].split() == ["c01-docs-low-3refs", "9.25", "accept_for_execution", "CONSENSUS", "–"]
    assert lines[-2] == "13 candidates: 4 accept_for_execution, 6 hold, 3 reject (multi-reviewer-panel)"
    assert lines[-1] == "Wrote kept/rankings/oracle-open.json"


BAD = [
    ("", "not JSON"),
    ("[]", "not a JSON object"),
    ({"target": {"path": "a"}, "candidates": []}, "run_id: missing"),
    ({"run_id": "r", "candidates": []}, "target: missing"),
    (run_of({"title": "t"}), "candidate 1 (no id): id: missing"),
    (run_of({"id": "a"}, {"id": "a"}), "candidate 'a': the id is there 2 times"),
    (run_of({"id": "a", "risk_level": 1}), "candidate 'a': risk_level = 1"),
    (run_of({"id": "a", "target_path": "../../etc/passwd"}), "candidate 'a': target_path = '../../etc/passwd'"),
    (run_of({"id": "a", "target_path": "/etc/passwd"}), "candidate 'a': target_path = '/etc/passwd'"),
    (run_of({"id": "a"}, run_id="../../evil"), "run_id = '../../evil'"),
    (run_of({"id": "a"}, run_id="/evil"), "run_id = '/evil'"),
]


@pytest.mark.parametrize(("content", "why"), BAD)
def test_input_that_cannot_be_scored_leaves_nothing_behind(run, tmp_path, write, content, why):
    """One line an error, exit 2, no folder and no file made; the judge is not asked."""
    name = write(content)
    done = run("discriminate", "--input", name, "--use-evaluator-evidence", "--llm-judge", "mock")
    assert (done.code, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"error: c.json: {why}")
    assert files_of(tmp_path) == {"c.json"}


def test_several_faults_are_several_lines_and_one_document(run, write):
    """On standard error a line each, with --json also as a list."""
    done = run("discriminate", "--input", write(run_of({"id": "a", "category": 1}, {"id": "b", "title": 2})), "--json")
    assert done.code == 2
    assert [line.split(":")[2] for line in done.err.splitlines()] == [" candidate 'a'", " candidate 'b'"]
    assert len(done.json["errors"]) == 2
    assert done.json["exit_code"] == 2


def test_a_refused_run_keeps_the_ranking_that_was_there(run, tmp_path, write):
    """Byte for byte."""
    (tmp_path / "out.json").write_text("before")
    done = run("discriminate", "--input", write(run_of({"id": 1})), "--output", "out.json")
    assert (done.code, (tmp_path / "out.json").read_text()) == (2, "before")


def test_a_null_plan_and_unknown_words_are_scored(run, tmp_path, write):
    """A null is missing; what is in no table counts as other, with a warning."""
    content = run_of({"id": "a", "category": "misc", "risk_level": "grave", "execution_plan": None})
    done = run("discriminate", "--input", write(content), "--llm-judge", "mock", "--use-evaluator-evidence", "--json")
    (one,) = done.json["scored_candidates"]
    assert (done.code, one["heuristic_score"], one["blockers"][2]) == (0, 2.5, "risk_grave")
    assert done.err.splitlines() == [
        "warning: candidate 'a': category 'misc' is not known: it counts as other",
        "warning: candidate 'a': risk_level 'grave' is not known: it counts as other",
    ]


def test_a_path_outside_matters_only_where_the_folder_is_looked_at(run, write):
    """Without evidence nothing is read, and generators write absolute paths."""
    content = run_of({"id": "a", "category": "docs", "risk_level": "low", "target_path": "/srv/skills/a/SKILL.md"})
    assert run("discriminate", "--input", write(content)).code == 0


def test_the_root_is_the_one_that_is_named(run, tmp_path, cases):
    """Or set; the folder of the input does not count then."""
    inside = run("discriminate", "--input", cases, "--use-evaluator-evidence", "--root", "in", "--json")
    assert inside.json["scored_candidates"][0]["evidence"]["skill_level"] == "Level 3"
    (tmp_path / "other").mkdir()
    elsewhere = run(
        "discriminate", "--input", cases, "--use-evaluator-evidence", "--json", QUALITY_CANDIDATES__ROOT="other"
    )
    assert {one["evidence"]["skill_level"] for one in elsewhere.json["scored_candidates"]} == {"unrated"}


def test_protected_paths_can_be_set(run, cases):
    """`targets/bare` then is, `trading` no more."""
    done = run("discriminate", "--input", cases, "--json", QUALITY_CANDIDATES__PROTECTED_PATHS='["bare"]')
    protected = {one["id"][:3] for one in done.json["scored_candidates"] if "protected_target" in one["blockers"]}
    assert protected == {"c01", "c03", "c04", "c05", "c07", "c13", "c17"}


def test_standard_input_is_a_file(monkeypatch, run, tmp_path):
    """Named `-`; its targets are in the working folder."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/SKILL.md").write_text("x")
    content = json.dumps(run_of({"id": "a", "target_path": "a/SKILL.md"})).encode()
    (tmp_path / "piped").write_bytes(content)
    with (tmp_path / "piped").open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        done = run("discriminate", "--input", "-", "--use-evaluator-evidence", "--json")
    assert done.json["source_candidate_artifact"] == "-"
    assert done.json["scored_candidates"][0]["evidence"]["skill_level"] == "Level 1"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--output", "in"], "in: is a folder"),
        (["--output", "in/candidates.json/x.json"], "is a file, not a folder"),
        (["--llm-judge", "gemini"], "judge 'gemini': choose one of"),
        (["--model", "m"], "no judge is asked"),
        (["--json", "--path-only"], "leave one out"),
        (["--use-evaluator-evidence", "--root", "nowhere"], "nowhere: no such folder"),
    ],
)
def test_wrong_usage_is_one_line(run, tmp_path, cases, options, why):
    """Exit 2, nothing written."""
    before = files_of(tmp_path)
    done = run("discriminate", "--input", cases, *options)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert why in done.err
    assert files_of(tmp_path) == before


def test_a_folder_that_cannot_be_written_is_named(run, tmp_path, cases):
    """And no part of a file is left."""
    done = run("discriminate", "--input", cases, "--output", "/proc/nothing/out.json")
    assert done.code == 2
    assert "/proc/nothing" in done.err


def test_a_ranking_is_readable_by_the_team(run, tmp_path, cases):
    """Written beside its place and renamed, with the usual rights; no other file is left there."""
    run("discriminate", "--input", cases)
    assert files_of(tmp_path / "state") == {"rankings", "rankings/oracle-open.json"}
    assert (tmp_path / DEFAULT).stat().st_mode & stat.S_IRUSR
    assert (tmp_path / DEFAULT).stat().st_mode & 0o777 == 0o666 & ~current_umask()


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_ranking_is_stored_once(run, ledger_path, cases):
    """With --store; the same again is known."""
    first = run("discriminate", "--input", cases, "--panel", "--store")
    again = run("discriminate", "--input", cases, "--panel", "--store")
    assert first.out.splitlines()[-1].startswith("Stored as ")
    assert again.out.splitlines()[-1].startswith("Already stored as ")
    with Ledger(ledger_path) as ledger:
        assert len(ledger.ask(ListRankings(actor="t"))["rankings"]) == 1


def test_without_a_key_the_mock_answers_and_both_outputs_say_so(run, cases):
    """`backend_used` mock beside the one that was asked for; no confidence above the mock's."""
    done = run("discriminate", "--input", cases, "--panel", "--llm-judge", "claude", "--json", **KEYLESS)
    assert (done.code, done.json["backend_used"], done.json["llm_judge"]["requested"]) == (0, "mock", "claude")
    assert done.json["llm_judge"]["model"] == "scripted"
    assert done.err.startswith("warning: judge claude: no key: ")
    assert "The mock judge answered instead: made up, no judgement" in done.err
    assert done.json["warnings"][0].startswith("judge claude: no key: ")
    for one in done.json["scored_candidates"]:
        verdicts = [one["llm_verdict"], *(review["llm_verdict"] for review in one["panel"]["panel_reviews"])]
        assert {(verdict["backend_used"], verdict["confidence"]) for verdict in verdicts} == {("mock", 0.5)}
