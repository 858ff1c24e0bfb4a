"""Other tools' results: a rating where the tool says one on a known scale, else a reject that says what is missing."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from quality.readers.base import Artifact, Target
from quality.readers.evals.scale import RATINGS, SHARES, rating
from quality.readers.formats import read_artifact
from quality.settings import EvaluationSettings, Settings

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


def attribute(key, value):
    kind = {str: "stringValue", float: "doubleValue", int: "intValue", bool: "boolValue"}[type(value)]
    return {"key": key, "value": {kind: str(value) if kind == "intValue" else value}}


def evaluation(name="relevance", event="gen_ai.evaluation.result", **more):
    attributes = {"gen_ai.evaluation.name": name, "gen_ai.request.model": "m1", "story_id": "S-7"}
    attributes |= {key.replace("__", "."): value for key, value in more.items()}
    listed = [attribute(key, value) for key, value in attributes.items() if value is not None]
    return {
        "timeUnixNano": "1785571200000000000",
        "eventName": event,
        "attributes": listed,
        "traceId": "a",
        "spanId": "b",
    }


def otlp(*records):
    return {"resourceLogs": [{"resource": {"attributes": []}, "scopeLogs": [{"logRecords": list(records)}]}]}


VALUE, LABEL = "gen_ai__evaluation__score__value", "gen_ai__evaluation__score__label"


def test_an_evaluation_event_is_a_rating(read):
    said = read(
        json.dumps(otlp(evaluation(**{VALUE: 8.5, LABEL: "pass", "gen_ai__evaluation__explanation": "to the point"})))
    )
    [verdict] = said.verdicts
    assert (said.format, named(said)) == ("OpenTelemetry evaluations", [("S-7", None, "m1", None)])
    assert (verdict["quality"], verdict["correct"], verdict["note"]) == (8.5, True, "to the point")
    assert (verdict["verifier_agent"], verdict["source_id"]) == ("relevance", "a:b:relevance")
    assert verdict["occurred_at"].isoformat() == "2026-08-01T08:00:00+00:00"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({VALUE: 85.0}, 'state it in quality.toml: [readers.evaluations."relevance"]'),
        ({VALUE: -1}, "outside 0 (worst) to 10 (best)"),
        ({VALUE: "NaN"}, "not scored"),
        ({LABEL: "relevant"}, '[readers.evaluations."relevance".labels] relevant ='),
        ({}, "no score"),
        ({VALUE: 5, "error__type": "timeout"}, "failed (timeout)"),
        ({VALUE: 5, "story_id": None}, "as an attribute story_id"),
        ({VALUE: 5, "gen_ai__evaluation__name": None}, "without gen_ai.evaluation.name"),
    ],
)
def test_an_event_that_gives_no_rating_says_what_is_missing(read, more, reason):
    said = read(json.dumps(otlp(evaluation(**more))))
    assert "verdicts" not in said.tables
    assert reason in said.rejects[0]["reason"]


def test_events_by_line_by_span_and_in_snake_case(read):
    line = json.dumps(otlp(evaluation(**{VALUE: 7})))
    other = json.dumps(otlp(evaluation("x", event="gen_ai.client.inference.operation.details")))
    said = read(f"{line}\n{other}\n{line}\n")
    assert qualities(said) == [7.0, 7.0]
    assert [verdict["line"] for verdict in said.verdicts] == [1, 3]
    assert said.warnings == ["1 other records were passed over"]
    record = evaluation(**{VALUE: 7})
    event = {
        "name": "gen_ai.evaluation.result",
        "attributes": record["attributes"],
        "timeUnixNano": record["timeUnixNano"],
    }
    span = {"traceId": "a", "spanId": "b", "events": [event]}
    assert qualities(read(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}))) == [7.0]
    snake = {"resource_logs": [{"scope_logs": [{"log_records": [record | {"event_name": record.pop("eventName")}]}]}]}
    assert qualities(read(json.dumps(snake))) == [7.0]


def test_scores_that_look_like_shares_are_taken_as_they_are_and_told(read):
    said = read(json.dumps(otlp(evaluation(**{VALUE: 0.9}))))
    assert qualities(said) == [0.9]
    assert (
        'if they are shares, state it in quality.toml: [readers.evaluations."relevance"] best = 1' in said.warnings[0]
    )


SCALES = {
    "harm": EvaluationSettings(worst=5, best=1),
    "relevance": EvaluationSettings(best=1, labels={"relevant": 9}),
    "match": EvaluationSettings(worst=1, best=5),
    "thumbs": EvaluationSettings(tier="human", labels={"up": 10, "down": 0}),
}


@pytest.mark.parametrize(
    ("value", "name", "label", "quality"),
    [
        (1, "harm", "", 10.0), (5, "harm", "", 0.0), (2, "harm", "", 7.5), (0.5, "harm", "", None),
        (0.87, "relevance", "", 8.7), (None, "relevance", "relevant", 9.0), (None, "relevance", "so so", None),
        (3, "match", "", 5.0), (4, "other", "", 4.0), (True, "other", "", 1.0),
    ],
)  # fmt: skip
def test_a_stated_scale_has_its_ends_and_its_direction(value, name, label, quality):
    """Harm 1 … 5, less is better: 2 is (2 − 5)/(1 − 5) = 0.75 of the way."""
    assert rating(value, name, SCALES, RATINGS, label).quality == quality
    assert rating(0.3, "x", {}, SHARES).quality == 3.0


def test_the_settings_scale_reaches_the_readers(tmp_path):
    """A person's thumb is a person's rating; a scorer on 1–5 is read as it says; another scale reads the file again."""
    path = tmp_path / "log.json"
    path.write_text(json.dumps(otlp(evaluation("thumbs", **{LABEL: "up"}), evaluation("match", **{VALUE: 50}))))
    said = [b for b in read_artifact(Artifact(path, evaluations=SCALES), Target()).batches]
    assert [(row["quality"], row["reviewer"]) for row in said[0].records("overrides")] == [(10.0, "thumbs")]

    def imported(ledger):
        return ledger.execute(ImportArtifact(actor="test", path=str(path)))

    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        assert imported(ledger).counts["rejects"] == 2
    settings = Settings(readers={"evaluations": {"thumbs": SCALES["thumbs"], "match": {"best": 100}}})
    with Ledger(tmp_path / "ledger.duckdb", settings) as ledger:
        assert imported(ledger).status == "imported"
        assert imported(ledger).status == "unchanged"
        assert ledger.store.rows("SELECT quality_human, quality_verifier FROM ledger") == [
            {"quality_human": 10.0, "quality_verifier": 5.0}
        ]


def test_a_scale_without_extent_is_refused():
    with pytest.raises(ValueError, match="worst and best are equal"):
        EvaluationSettings(worst=1, best=1)


def test_ratings_reach_the_ledger_once(ingest, rows):
    path = ASSETS / "sb91_swebench_run_report_trimmed.json"
    assert ingest(path, model_version="m1", agent="agentless").counts["verdicts"] == 18
    assert ingest(path, model_version="m1", agent="agentless").status == "unchanged"
    assert sorted(rows("quality_verifier, correct")) == [(0.0, False)] * 14 + [(10.0, True)] * 4
