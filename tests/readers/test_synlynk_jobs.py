"""synlynk's jobs: exit 0 is no success, and what did nothing is told."""

import json
from pathlib import Path

REAL = Path(__file__).parents[1] / "assets" / "evidence" / "console" / "synlynk_ab_results.jsonl"
TAIL = "{}\n-- job job-1 complete ---------\nagent:    local   story: story-7\nstatus:   OK (exit 0)\n{}"


def job(code=0, said="", files="files:    3 touched\n", **more):
    """One line."""
    row = {"model_id": "m-1", "label": "rename", "exit_code": code, "stdout_tail": TAIL.format(said, files)}
    return json.dumps(row | more) + "\n"


def test_the_real_jobs_exited_0_and_have_no_build(read):
    """8 exited 0, 4 did nothing; one names no story and is a reject until the caller names it."""
    said = read(REAL)
    assert said.format == "synlynk jobs"
    assert not any("build_success" in signal for signal in said.signals)
    assert [run["model_version"] for run in said.runs] == ["Ornith-1.0-9B-4bit"] * 3 + ["Qwen3.6-27B-4bit"] * 4
    assert {run["agent"] for run in said.runs} == {"local"}
    assert [reject["line"] for reject in said.rejects] == [2]
    assert "4 of 8 jobs exited 0 and did nothing: the model never answered" in said.warnings
    assert not read(REAL, story_id="S-1").rejects


def test_another_exit_code_is_a_failed_build(read):
    """With the end of the output as evidence."""
    said = read(job(code=2) + job(code=-9) + job(code=None), "jobs.jsonl")
    assert [signal.get("build_success") for signal in said.signals] == [False, False, None]
    assert said.evidence[0]["text"].startswith("exit_code 2\n")
    assert any("exit_code is no number" in warning for warning in said.warnings)


def test_tests_in_the_tail_are_read(read):
    """And exit 0 after tests that passed is a success."""
    said = read(
        job(said="..   [100%]\n2 passed in 0.1s") + job(code=1, said="F   [100%]\n1 failed in 0.1s"), "jobs.jsonl"
    )
    assert [(s["tests_passed"], s["tests_failed"], s["build_success"]) for s in said.signals] == [
        (2, 0, True),
        (0, 1, False),
    ]


def test_an_edit_is_work_whatever_the_count_of_files_says(read):
    """One real job applied an edit and says 0 files touched."""
    idle = read(job(said="Tokens: 21k sent, 0 received.", files="files:    0 touched\n"), "jobs.jsonl")
    busy = read(job(said="Applied edit to a.py", files="files:    0 touched\n"), "jobs.jsonl")
    assert any("did nothing" in warning for warning in idle.warnings)
    assert not any("did nothing" in warning for warning in busy.warnings)


def test_a_line_that_is_no_job_is_a_reject(read):
    """With its line; the others are read."""
    said = read(job() + "not json\n\n" + '{"exit_code": 0}\n' + job(), "jobs.jsonl")
    assert [reject["line"] for reject in said.rejects] == [2, 4]
    assert len(said.signals) == 2
