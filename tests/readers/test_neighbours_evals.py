"""Other tools' results as other versions and exporters write them."""

import json

import pytest


def result(n=0, score=1, **more):
    return {
        "success": score == 1, "score": score, "provider": {"id": "openai:m"}, "promptIdx": 0, "testIdx": n,
        "vars": {"question": f"what is {n}?"}, "testCase": {"description": f"case {n}"}, "response": {"output": "x"}, **more,
    }  # fmt: skip


def rated(said):
    """(story, line, quality) each."""
    return [(said.runs[v["run"]]["story_id"], v.get("line"), v["quality"]) for v in said.verdicts]


def test_promptfoo_writes_a_result_a_line_too(read):
    """`--output results.jsonl`; a line that is cut is a reject, the others are rated."""
    text = json.dumps(result(0)) + "\n" + json.dumps(result(1, 0.5)) + "\n" + json.dumps(result(2))[:40]
    said = read(text, "results.jsonl")
    assert said.format == "promptfoo results"
    assert rated(said) == [("promptfoo/case 0", 1, 10.0), ("promptfoo/case 1", 2, 5.0)]
    assert [(reject["line"], reject["reason"]) for reject in said.rejects] == [(3, "the line is no JSON")]


@pytest.mark.parametrize("leave_out", ["id", "testCase"])
def test_promptfoo_results_without_an_id_have_their_line(read, leave_out):
    """Up to version 2: by the description, else by a variable; each result is 10 lines or more."""
    results = [{k: v for k, v in result(n, id=f"r{n}").items() if k not in ("id", leave_out)} for n in range(3)]
    whole = json.dumps({"results": {"version": 2, "results": results}}, indent=1)
    lines = whole.split("\n")
    needle = "what is" if leave_out == "testCase" else "case "
    expected = [n for n, line in enumerate(lines, start=1) if needle in line and '": "' in line]
    assert [line for _, line, _ in rated(read(whole, "results.json"))] == expected


def test_a_promptfoo_error_makes_no_run(read):
    """It was not graded: nothing is known of the model."""
    said = read(json.dumps({"evalId": "e", "results": {"results": [result(0, 0, failureReason=2, error="API")]}}))
    assert (said.runs, len(said.rejects)) == ([], 1)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ({"resolved": ["a"], "no_generation": ["e"], "no_logs": ["n"]}, {"a": 10.0, "e": 0.0}),
        (
            {"resolved": ["a"], "applied": ["a", "b"], "no_apply": ["c"], "generated": ["a", "b", "c"]},
            {"a": 10.0, "b": 0.0},
        ),
        (
            {"resolved": ["a"], "generated": ["a", "b", "c", "d"], "no_apply": ["c"], "test_timeout": ["d"]},
            {"a": 10.0, "b": 0.0},
        ),
        ({"resolved": [], "with_logs": ["b"], "no_generation": []}, {"b": 0.0}),
    ],
)
def test_older_swe_bench_reports(read, report, expected):
    """What was run and not resolved is unresolved; what the harness could not apply or test has no rating."""
    said = read(json.dumps(report, indent=1), "results.json", model_version="m")
    assert said.format == "SWE-bench report"
    assert {story: quality for story, _, quality in rated(said)} == expected
    assert all(line for _, line, _ in rated(said))


def test_a_swe_bench_report_of_numbers_alone_rates_nobody(read):
    """It does not say which instances were resolved; the denominators are stated as they are."""
    report = {"total_instances": 300, "submitted_instances": 3, "resolved_instances": 1, "schema_version": 2}
    said = read(json.dumps(report), "run.json", model_version="m")
    assert (said.verdicts, "lists no instances" in said.rejects[0]["reason"]) == ([], True)
    assert said.warnings[0].startswith("1 resolved of 3 submitted, and of 300")


def record(value):
    told = {"name": "quality"}
    attributes = [{"key": f"gen_ai.evaluation.{key}", "value": {"stringValue": text}} for key, text in told.items()]
    attributes.append({"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": value}})
    return {"eventName": "gen_ai.evaluation.result", "attributes": attributes, "timeUnixNano": "1780000000000000000"}


def export(*records):
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(records)}]}]}


@pytest.mark.parametrize(
    "content",
    [
        [export(record(7)), export(record(8))],
        export({"body": {"stringValue": "x" * 70_000}}, record(7), record(8)),
        export({"body": {"stringValue": "x" * 3_000_000}}, record(7), record(8)),
    ],
    ids=["an array of exports", "after 64 KB of other records", "after 3 MB"],
)
def test_evaluation_events_wherever_they_stand(read, content):
    """Batches gathered into one array, and events that come late in a long export."""
    said = read(json.dumps(content), "logs.json", story_id="S-1")
    assert said.format == "OpenTelemetry evaluations"
    assert [verdict["quality"] for verdict in said.verdicts] == [7.0, 8.0]


BLANK = " \t"


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (
            {"total_instances": 2, "schema_version": 2, "resolved_ids": ["a"], "unresolved_ids": [BLANK]},
            "an instance without a name: no rating",
        ),
        (
            {"results": [{"task_id": "a", "trial_name": "a.1-of-1", "is_resolved": True},
                         {"task_id": BLANK, "trial_name": "x.1-of-1", "is_resolved": True}]},
            "a trial without a task_id",
        ),
    ],
    ids=["SWE-bench", "terminal-bench"],
)  # fmt: skip
def test_a_blank_name_is_no_name(read, document, reason):
    """The result that bears it is a reject, the others are rated."""
    said = read(json.dumps(document), "results.json")
    assert [(story, quality) for story, _, quality in rated(said)] == [("a", 10.0)]
    assert [reject["reason"] for reject in said.rejects] == [reason]
