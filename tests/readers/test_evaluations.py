"""Other tools' results: a rating where the tool says one on a known scale, else a reject that says what is missing."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from quality.readers.base import Target
from quality.readers.evals.sheet import Sheet

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "evals"


def qualities(said):
    return [verdict["quality"] for verdict in said.verdicts]


def named(said):
    return [tuple(run.get(part) for part in ("story_id", "agent", "model_version", "attempt")) for run in said.runs]


def test_an_inspect_archive_gives_one_rating_a_sample(read):
    """match = I: incorrect, 0; the model is the evaluated one, the rater the scorer."""
    said = read(ASSETS / "e56_inspect.eval")
    [verdict] = said.verdicts
    assert (said.format, named(said)) == ("Inspect log", [("popularity/1", None, "ollama/llama3.1", 1)])
    assert (verdict["quality"], verdict["raw"], verdict["correct"]) == (0.0, "I", False)
    assert (verdict["verifier_agent"], verdict["verifier_model"]) == ("match", "match")
    assert verdict["occurred_at"].isoformat() == "2024-10-15T16:53:13+00:00"
    assert '"value": "I"' in said.evidence[0]["text"]
    assert not said.rejects


def log(*samples, **header):
    spec = {"task": "t", "model": "m/1", "run_id": "r"} | header.pop("eval", {})
    return {"version": 2, "status": "success", "eval": spec, "samples": list(samples), **header}


def sample(name="s", value="C", epoch=1, scorer="match", **score):
    return {"id": name, "epoch": epoch, "scores": {scorer: {"value": value, **score}}}


@pytest.mark.parametrize(
    ("value", "quality", "correct"),
    [
        ("C", 10.0, True), ("I", 0.0, False), ("P", 5.0, None), ("N", 0.0, False), (1, 10.0, True), (0.25, 2.5, None),
        (True, 10.0, True), (False, 0.0, False), ("yes", 10.0, True), ("0.5", 5.0, None), (1.0, 10.0, True), (-0.0, 0.0, False),
    ],
)  # fmt: skip
def test_inspect_scores_by_its_own_convention(read, value, quality, correct):
    """Letters, words and shares 0–1."""
    [verdict] = read(json.dumps(log(sample(value=value)))).verdicts
    assert (verdict["quality"], verdict.get("correct")) == (quality, correct)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 7, -1, "good", None, [1, 0], "", 10**400])
def test_what_is_on_no_known_scale_is_a_reject(read, value):
    """Bare NaN is Inspect's word for "could not be scored"."""
    said = read(json.dumps(log(sample(value=value))))
    assert (said.verdicts if "verdicts" in said.tables else [], len(said.rejects)) == ([], 1)
    assert said.rejects[0]["reason"].startswith("match")


def test_samples_without_a_score_are_told_and_not_rated(read):
    failed = {"id": "x", "epoch": 1, "error": {"message": "boom"}, "scores": {}}
    said = read(json.dumps(log(sample(), failed, {"id": "y", "epoch": 2}, status="error")))
    assert qualities(said) == [10.0]
    assert said.warnings == [
        "the evaluation's status is error: samples may be missing",
        "1 samples ended in an error: no rating: x (epoch 1)",
        "1 samples were not scored: no rating: y (epoch 2)",
    ]


def test_epochs_are_attempts_and_each_scorer_is_a_rater(read):
    said = read(json.dumps(log(sample(), sample(epoch=2, value="I"), sample(value={"a": 1, "b": 0.5}, scorer="multi"))))
    assert named(said) == [("t/s", None, "m/1", 1), ("t/s", None, "m/1", 2)]
    assert [(v["run"], v["quality"], v["source_id"]) for v in said.verdicts] == [
        (0, 10.0, "r:s:1:match"), (1, 0.0, "r:s:2:match"), (0, 10.0, "r:s:1:multi/a"), (0, 5.0, "r:s:1:multi/b"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "score", "grader"),
    [
        ({}, {}, "m/1"),
        ({"eval": {"model_roles": {"grader": {"model": "g/2"}}}}, {}, "g/2"),
        (
            {
                "results": {
                    "scores": [{"name": "model_graded_qa", "scorer": "model_graded_qa", "params": {"model": "g/3"}}]
                }
            },
            {},
            "g/3",
        ),
        (
            {"eval": {"scorers": [{"name": "inspect_ai/model_graded_qa", "options": {"model": ["g/4", "g/5"]}}]}},
            {},
            "g/4+g/5",
        ),
    ],
)
def test_a_grading_model_is_the_verifier(read, header, score, grader):
    """Where the log names none, Inspect grades with the model that is evaluated: the same family, as the caveat says."""
    said = read(json.dumps(log(sample(scorer="model_graded_qa", explanation="because", **score), **header)))
    assert (said.verdicts[0]["verifier_model"], said.verdicts[0]["note"]) == (grader, "because")


def archive(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, value in members.items():
            file.writestr(name, value if isinstance(value, bytes | str) else json.dumps(value))
    return packed.getvalue()


def test_an_archive_whose_run_broke_off_is_read_from_its_journal(read):
    """No header and no summaries: the journal's summaries, and the samples that it misses by themselves."""
    start = {"eval": {"task": "t", "model": "m/1", "run_id": "r"}}
    content = archive(**{
        "_journal/start.json": start, "_journal/summaries/2.json": [sample("b", "I")], "_journal/summaries/1.json": [sample("a")],
        "samples/a_epoch_1.json": sample("a"), "samples/c_epoch_1.json": sample("c", "P"),
    })  # fmt: skip
    said = read(content)
    assert [run["story_id"] for run in said.runs] == ["t/a", "t/b", "t/c"]
    assert qualities(said) == [10.0, 0.0, 5.0]
    assert "status is not stated" in said.warnings[0]


def test_damaged_and_hostile_archives_are_rejects(read, tmp_path):
    start = {"eval": {"task": "t", "model": "m"}}
    bomb = archive(**{"header.json": start, "summaries.json": b"[" + b" " * (65 * 2**20) + b"]"})
    said = read(bomb)
    assert "unpacks to more than" in said.rejects[0]["reason"]
    escaping = archive(**{"header.json": start, "samples/../../../etc/x.json": sample(), "/abs.json": sample()})
    assert "verdicts" not in read(escaping).tables
    whole = archive(**{"_journal/start.json": start, "header.json": start})
    assert "cannot be read" in read(whole[:-30]).rejects[0]["reason"]
    assert "no JSON" in read(archive(**{"header.json": "{", "_journal/start.json": start})).rejects[0]["reason"]


def test_a_swe_bench_report_gives_18_ratings(read):
    """4 resolved, 14 unresolved; 5 incomplete ones have none; both denominators are told."""
    said = read(ASSETS / "sb91_swebench_run_report_trimmed.json", model_version="m1")
    assert sorted(qualities(said)) == [0.0] * 14 + [10.0] * 4
    assert not {"astropy__astropy-12907"} & {run["story_id"] for run in said.runs}
    assert said.warnings[0].startswith("4 resolved of 18 submitted, and of 300 in the data set")
    assert not said.rejects
    line = (ASSETS / "sb91_swebench_run_report_trimmed.json").read_text().split("\n")[said.verdicts[0]["line"] - 1]
    assert said.runs[0]["story_id"] in line
    assert line.startswith('"resolved_ids"')


def test_swe_bench_neighbours(read):
    """An empty patch is a 0, a harness error is none, one id in two lists is a contradiction."""
    report = {
        "total_instances": 9, "submitted_instances": 5, "resolved_ids": ["a", "x"], "unresolved_ids": ["b", "x"],
        "empty_patch_ids": ["c"], "error_ids": ["d"], "resolved_instances": 3,
    }  # fmt: skip
    said = read(json.dumps(report))
    assert list(zip([run["story_id"] for run in said.runs], qualities(said))) == [("a", 10.0), ("b", 0.0), ("c", 0.0)]
    assert said.rejects[0]["value"] == "x"
    assert "contradiction" in said.rejects[0]["reason"]
    assert said.warnings[0].startswith("it does not name the model")
    assert said.warnings[2:] == [
        "1 instances could not be run by the harness: no rating",
        "it declares 3 resolved, and lists 2: the list counts",
    ]


def test_a_swe_bench_instance_has_its_tests_too(read):
    """2 of 3 tests that have to pass."""
    status = {"FAIL_TO_PASS": {"success": ["t1"], "failure": ["t2"]}, "PASS_TO_PASS": {"success": ["t3"], "failure": []},
              "FAIL_TO_FAIL": {"success": ["t4"], "failure": []}}  # fmt: skip
    said = read(
        json.dumps({"a__b-1": {"patch_exists": True, "resolved": False, "tests_status": status}}), model_version="m1"
    )
    assert qualities(said) == [0.0]
    assert (said.signals[0]["tests_passed"], said.signals[0]["tests_total"]) == (2, 3)


def trial(task, number, resolved, **more):
    return {"trial_name": f"{task}.{number}-of-2.run", "task_id": task, "is_resolved": resolved, **more}


def test_terminal_bench_trials_are_attempts(read):
    results = [
        trial(
            "hello", 1, True, parser_results={"a": "passed", "b": "passed"}, trial_ended_at="2026-08-01T10:00:00+00:00"
        ),
        trial(
            "hello",
            2,
            False,
            failure_mode="agent_timeout",
            parser_results={"a": "failed", "b": "passed", "c": "skipped"},
        ),
        trial("other", 1, None, failure_mode="unknown_agent_error"),
    ]
    said = read(json.dumps({"results": results, "n_resolved": 1}), agent="terminus", model_version="m1")
    assert named(said) == [
        ("hello", "terminus", "m1", 1),
        ("hello", "terminus", "m1", 2),
        ("other", "terminus", "m1", 1),
    ]
    assert qualities(said) == [10.0, 0.0]
    assert [(s["tests_passed"], s["tests_failed"], s["tests_skipped"]) for s in said.signals] == [(2, 0, 0), (1, 1, 1)]
    assert said.verdicts[1]["note"] == "failure mode: agent_timeout"
    assert "was not judged (unknown_agent_error)" in said.rejects[0]["reason"]


def test_a_harbor_trial_names_its_model(read):
    content = {
        "id": "i", "task_name": "hello", "trial_name": "hello__x", "finished_at": "2026-08-01T10:00:00Z",
        "agent_info": {"name": "terminus", "model_info": {"name": "m1", "provider": "p"}},
        "verifier_result": {"rewards": {"reward": 0.5}},
    }  # fmt: skip
    said = read(json.dumps(content))
    assert (named(said), qualities(said)) == ([("hello", "terminus", "p/m1", None)], [5.0])
    content["verifier_result"] = None
    content["exception_info"] = {"exception_type": "AgentTimeoutError"}
    assert "AgentTimeoutError" in read(json.dumps(content)).rejects[0]["reason"]


def result(test=0, prompt=0, score=1, success=True, **more):
    return {
        "id": f"r{test}{prompt}", "testIdx": test, "promptIdx": prompt, "provider": {"id": "openai:m1"}, "success": success,
        "score": score, "testCase": {"description": f"case {test}"}, **more,
    }  # fmt: skip


def promptfoo(*results, **config):
    return {
        "evalId": "e",
        "results": {"version": 3, "timestamp": "2026-08-01T10:00:00Z", "results": list(results)},
        "config": config,
    }


def test_promptfoo_results_are_ratings(read):
    """A pass, a partial fail, and an error that is no grade; two prompts of one test are two attempts."""
    graded = {"pass": False, "score": 0.4, "reason": "thin", "componentResults": [
        {"assertion": {"type": "llm-rubric", "provider": "openai:judge"}}, {"assertion": {"type": "contains"}},
    ]}  # fmt: skip
    partly = result(prompt=1, score=0.4, success=False, gradingResult=graded)
    failed = result(1, error="429", failureReason=2, score=0)
    said = read(json.dumps(promptfoo(result(), partly, failed, description="suite")))
    assert named(said)[:2] == [("suite/case 0", None, "openai:m1", 1), ("suite/case 0", None, "openai:m1", 2)]
    assert [(v["quality"], v["correct"], v["verifier_model"], v.get("note")) for v in said.verdicts] == [
        (10.0, True, "promptfoo", None),
        (4.0, False, "openai:judge", "thin"),
    ]
    assert said.rejects[0]["value"] == "429"


def test_a_persons_grade_in_promptfoo_is_a_persons_rating(read):
    graded = {"pass": True, "comment": "good", "componentResults": [{"assertion": {"type": "human"}, "pass": True}]}
    said = read(json.dumps(promptfoo(result(gradingResult=graded))))
    assert [(o["quality"], o["note"]) for o in said.overrides] == [(10.0, "good")]
    assert "verdicts" not in said.tables


def test_promptfoo_graders_that_fail_and_totals_that_disagree(read):
    content = promptfoo(
        result(gradingResult={"pass": False, "reason": "no answer", "metadata": {"graderError": True}}), result(1)
    )
    content["results"]["stats"] = {"successes": 2, "failures": 0, "errors": 0}
    said = read(json.dumps(content))
    assert "its grader failed" in said.rejects[0]["reason"]
    assert said.warnings == [
        "it declares 2 successes, and lists 1: the list counts",
        "it declares 0 errors, and lists 1: the list counts",
    ]


def test_ratings_reach_the_ledger_once(ingest, rows):
    path = ASSETS / "sb91_swebench_run_report_trimmed.json"
    assert ingest(path, model_version="m1", agent="agentless").counts["verdicts"] == 18
    assert ingest(path, model_version="m1", agent="agentless").status == "unchanged"
    assert sorted(rows("quality_verifier, correct")) == [(0.0, False)] * 14 + [(10.0, True)] * 4


def test_a_sheets_time_counts_if_it_states_its_zone():
    """The first of each kind that cannot be used is a warning, however many there are."""
    sheet = Sheet(Target("S-1"))
    assert sheet.moment("2026-01-13T08:23:07+01:00").hour == 7
    assert [sheet.moment(text) for text in ("2026-01-13T07:23:07", "2026-01-14T07:23:07", None)] == [None] * 3
    assert sheet.warnings == ["the time '2026-01-13T07:23:07' names no zone: not used"]
