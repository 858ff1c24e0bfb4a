"""`respond FILE` scores the responses in a file and stores nothing."""

import json
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[1] / "assets"
ORACLE = json.loads((ASSETS / "oracle" / "responses" / "cases.json").read_text())
KEYS = ["composite", "sub_scores", "effective_weights", "missing", "coverage"]


def written(folder, name, content):
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return name


@pytest.mark.parametrize("case", ORACLE["cases"], ids=lambda case: case["name"])
def test_every_worked_case_in_its_summary_form(run, tmp_path, case):
    """The five keys in their order, the oracle's values."""
    done = run("respond", written(tmp_path, "one.json", case["input"]), "--json")
    assert (done.code, done.err) == (0, "")
    assert list(done.json) == KEYS
    assert {name: done.json[name] for name in ("composite", "sub_scores", "effective_weights")} == {
        name: case[name] for name in ("composite", "sub_scores", "effective_weights")
    }


def test_as_a_process_of_its_own_without_touching_a_ledger(process, tmp_path, ledger_path):
    """75 · 40 + 70 · 35 over 75: 72.67, a quarter of the weight is missing."""
    name = written(tmp_path, "one.json", {"tools_ok": 3, "tools_total": 4})
    done = process("respond", name, "--json")
    assert done.code == 0
    assert (done.json["composite"], done.json["missing"], done.json["coverage"]) == (72.67, ["static_analysis"], 0.75)
    assert not ledger_path.exists()


def test_options_may_stand_before_the_file(run, tmp_path):
    name = written(tmp_path, "one.json", {"tools_ok": 1, "tools_total": 1})
    assert run("respond", "--json", name).json["composite"] == 86


def test_for_people_the_parts_with_their_weights(run, tmp_path):
    done = run("respond", written(tmp_path, "one.json", ORACLE["cases"][0]["input"]))
    assert "score 84.5 of 100" in done.out
    assert [line.split() for line in done.out.splitlines()[1:]] == [
        ["part", "score", "weight", "used", "weight", "contributes"],
        ["correctness", "100.0", "40.0", "0.4000", "40.0"],
        ["user_feedback", "70.0", "35.0", "0.3500", "24.5"],
        ["static_analysis", "80.0", "25.0", "0.2500", "20.0"],
    ]


def test_weights_and_points_are_settings(run, tmp_path):
    """All the weight on correctness, nothing lost by an error."""
    written(
        tmp_path,
        "quality.toml",
        "[responses.weights]\nuser_feedback = 0\nstatic_analysis = 0\n[responses.correctness]\nresponse_error = 0\n",
    )
    name = written(tmp_path, "one.json", {"tools_ok": 1, "tools_total": 2, "response_error": True})
    assert run("respond", name, "--json").json["composite"] == 50
    assert run("respond", name, "--json", QUALITY_RESPONSES__CORRECTNESS__RESPONSE_ERROR="-20").json["composite"] == 30


def test_a_transcript_is_many_responses_and_says_which(process):
    done = process("respond", str(ASSETS / "transcripts" / "codex.jsonl"), "--json")
    first, second = done.json["responses"]
    assert done.code == 0
    assert list(done.json) == ["format", "responses", "rejects", "warnings"]
    assert list(first)[-5:] == KEYS
    assert (first["line"], first["response_id"], first["model"]) == (7, "t-1", "gpt-5-codex")
    assert (first["composite"], second["composite"]) == (
        68.22,
        64.67,
    )  # (66.67 · 40 + 70 · 35) / 75, (60 · 40 + 70 · 35) / 75


def test_rejects_are_listed_with_line_and_reason_and_the_rest_is_scored(process, tmp_path):
    good, bad = {"tools_ok": 1, "tools_total": 1}, {"tools_ok": -1, "tools_total": 1}
    name = written(tmp_path, "many.jsonl", "\n".join(map(json.dumps, [good, bad, good])))
    done = process("respond", name, "--json")
    assert done.code == 1
    assert [one["composite"] for one in done.json["responses"]] == [86, 86]
    assert done.json["rejects"] == [
        {"line": 2, "field": "tools_ok", "reason": "tools_ok = -1: give a whole number ≥ 0", "value": "-1"}
    ]
    assert "rejected many.jsonl:2: tools_ok = -1" in process("respond", name).err


def test_snapshots_in_files_of_their_own(process, tmp_path):
    """One error resolved by ruff's own findings: 80 + 5 = 85; (100 · 40 + 70 · 35 + 85 · 25) / 100."""
    finding = {"filename": "a.py", "code": "F821", "message": "m", "location": {"row": 1, "column": 1}}
    name = written(tmp_path, "one.json", {"tools_ok": 1, "tools_total": 1})
    before, after = written(tmp_path, "before.json", [finding]), written(tmp_path, "after.json", [])
    done = process("respond", name, "--before", before, "--after", after, "--json")
    assert done.json["sub_scores"]["static_analysis"] == 85
    assert done.json["composite"] == 85.75


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.json"], "missing.json: no such file"),
        (["."], ".: not a file: name one file"),
        (["one.json", "--before", "one.json"], "--before and --after belong together"),
        (["two.jsonl", "--before", "snap.json", "--after", "snap.json"], "are of one response, the file holds 2"),
        (["one.json", "--before", "snap.json", "--after", "text.json"], "text.json:1: no JSON"),
    ],
)
def test_wrong_usage_is_one_line_with_the_remedy(run, tmp_path, words, message):
    written(tmp_path, "one.json", {"tools_ok": 1, "tools_total": 1})
    written(tmp_path, "two.jsonl", '{"tools_ok": 1, "tools_total": 1}\n{"tools_ok": 1, "tools_total": 1}\n')
    written(tmp_path, "snap.json", {"errors": 0, "warnings": 0})
    written(tmp_path, "text.json", "no snapshot")
    done = run("respond", *words, "--json")
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert message in done.json["error"]


def test_help_shows_the_commands_and_how_a_file_is_given(run):
    assert "FILE [OPTIONS] | COMMAND" in run("respond", "--help").out
    assert "--before" in run("respond", "x", "--help").out


def test_a_transcript_is_of_the_story_that_the_user_says(process, run):
    """Both responses of the transcript are found by that story, session and agent."""
    named = ("--story", "S-17", "--session", "s-1", "--agent", "mine")
    done = process("respond", str(ASSETS / "transcripts" / "codex.jsonl"), "--store", *named, "--json")
    assert (done.code, done.json["stored"]["stored"]) == (0, 2)
    found = process("respond", "stats", "--story", "S-17", "--rows", "--export", "json").json
    assert [[row[n] for n in ("story_id", "session_id", "agent")] for row in found["responses"]] == [
        ["S-17", "s-1", "mine"]
    ] * 2


def test_an_empty_story_is_wrong_usage(run, tmp_path):
    name = written(tmp_path, "one.json", {"tools_ok": 1, "tools_total": 1})
    done = run("respond", name, "--story", " ", "--json")
    assert (done.code, done.json["error"]) == (2, "--story is empty: name one, or leave it out")
