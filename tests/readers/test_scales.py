"""Evaluations as OpenTelemetry events, and the scales that the settings state for other tools' scores."""

import json

import pytest

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from quality.readers.base import Artifact, Target
from quality.readers.evals.scale import RATINGS, SHARES, rating
from quality.readers.formats import read_artifact
from quality.settings import EvaluationSettings, Settings


def qualities(said):
    return [verdict["quality"] for verdict in said.verdicts]


def named(said):
    return [tuple(run.get(part) for part in ("story_id", "agent", "model_version", "attempt")) for run in said.runs]


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
