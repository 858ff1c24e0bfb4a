"""A response's composite 0–100: every worked case, and its laws (MODEL.md, Responses)."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import quality
from quality.response_models import SIGNALS, FeedbackEvent, ResponseRecord
from quality.response_settings import ResponseSettings, ResponseWeights
from quality.responses import CHANGES, COLUMNS, PARTS, record_columns, score_record, score_responses

ORACLE = json.loads((Path(__file__).parents[1] / "assets" / "oracle" / "responses" / "cases.json").read_text())
COUNT = st.integers(0, 40)
SNAPSHOT = st.builds(lambda e, w: {"errors": e, "warnings": w}, COUNT, COUNT)
FEEDBACK = st.lists(st.sampled_from(SIGNALS), max_size=12)
METADATA = st.builds(
    lambda ok, failed, unknown, errored: {
        "tools_ok": ok, "tools_failed": failed, "tools_unknown": unknown, "response_error": errored,
    },
    COUNT, COUNT, COUNT, st.booleans(),
)  # fmt: skip


@pytest.mark.parametrize("case", ORACLE["cases"], ids=lambda case: case["name"])
def test_the_worked_cases(case):
    """Sub-scores, used weights and composite are those of the oracle."""
    given = case["input"]
    score = quality.score_response(
        {"tools_ok": given["tools_ok"], "tools_failed": given["tools_total"] - given["tools_ok"],
         "response_error": given["response_error"]},
        given["lsp_before"], given["lsp_after"], feedback=given["signals"],
        settings=ResponseSettings(weights=ResponseWeights(**given["weights"])),
    )  # fmt: skip
    answer = score.answer()
    assert answer["sub_scores"] == case["sub_scores"]
    assert answer["effective_weights"] == case["effective_weights"]
    assert answer["composite"] == case["composite"]
    assert answer["missing"] == [name for name in PARTS if case["sub_scores"][name] is None]


def test_the_defaults_are_those_of_the_worked_cases():
    """Every number of the oracle's parameters is a default setting."""
    settings, params = ResponseSettings(), ORACLE["params"]
    assert settings.weights.model_dump() == params["weights"]
    assert settings.feedback.model_dump() == {"start": params["feedback_start"], **params["signals"]}
    assert settings.correctness.model_dump() == {
        "response_error": params["response_error"], "new_error": params["correctness_per_new_error"],
    }  # fmt: skip
    assert settings.static_analysis.model_dump() == {
        "start": params["static_base"],
        **{
            name: params[f"static_{name}"]
            for name in ("new_error", "new_warning", "resolved_error", "resolved_warning")
        },
    }
    assert (settings.retention_days, settings.regression.window, settings.regression.minimum) == (90, 20, 5)


@given(METADATA, st.none() | SNAPSHOT, st.none() | SNAPSHOT, FEEDBACK)
def test_the_composite_and_its_parts_lie_within_0_and_100(metadata, before, after, feedback):
    score = quality.score_response(metadata, before, after, feedback=feedback)
    present = [part for part in score.sub_scores.values() if part is not None]
    assert all(0 <= part <= 100 for part in present)
    assert min(present) <= score.composite <= max(present)
    assert sum(score.contributions.values()) == pytest.approx(score.composite)
    assert sum(score.effective_weights.values()) == pytest.approx(1)


@given(METADATA, SNAPSHOT, FEEDBACK, st.randoms())
def test_any_order_of_the_feedback_gives_the_same_score(metadata, snapshot, feedback, chance):
    shuffled = list(feedback)
    chance.shuffle(shuffled)
    one, other = (quality.score_response(metadata, snapshot, snapshot, feedback=f) for f in (feedback, shuffled))
    assert one == other


@given(METADATA, SNAPSHOT, SNAPSHOT, FEEDBACK, st.booleans())
def test_without_lsp_data_it_is_static_analysis_left_out_and_no_new_error_counted(
    metadata, before, after, feedback, lose_before
):
    """The same as no change of the diagnostics, with the weight of static analysis at 0."""
    without = quality.score_response(
        metadata, None if lose_before else before, after if lose_before else None, feedback=feedback
    )
    weights = ResponseWeights(static_analysis=0)
    still = quality.score_response(
        metadata, after, after, feedback=feedback, settings=ResponseSettings(weights=weights)
    )
    assert without.missing[-1:] == ["static_analysis"]
    assert without.composite == pytest.approx(still.composite)
    assert without.sub_scores["correctness"] == still.sub_scores["correctness"]


@given(st.lists(st.tuples(METADATA, st.none() | SNAPSHOT, SNAPSHOT, FEEDBACK), min_size=1, max_size=6))
def test_a_response_alone_scores_exactly_as_among_many(cases):
    records = [ResponseRecord(metadata=m, lsp_before=b, lsp_after=a, feedback=f) for m, b, a, f in cases]
    rows = [record_columns(record) for record in records]
    many = score_responses({name: np.array([row[name] for row in rows], dtype=float) for name in COLUMNS})
    assert [many.row(place) for place in range(len(records))] == [score_record(record) for record in records]


def test_arrow_columns_with_nulls_are_taken():
    """Null = not known. 100 · 40 + 70 · 35 over 75 = 86; with an error 60 · 40 + 70 · 35 over 75 = 64.67."""
    columns = {"tools_ok": pa.array([1, 1]), "response_error": pa.array([0, 1])}
    columns |= {name: pa.array([None, None], pa.int64()) for name in CHANGES}
    assert score_responses(columns).value.round(2).tolist() == [86.0, 64.67]


def test_findings_are_told_apart_by_identity_where_both_snapshots_list_them():
    """One error mended and another made: 80 − 15 + 5 = 70, correctness 90. By counts alone nothing changed."""
    old = {"file": "a.py", "severity": "error", "message": "x is undefined", "line": 3}
    moved = old | {"line": 9}
    new = old | {"message": "y is undefined"}
    score = quality.score_response({}, {"findings": [old, old]}, {"findings": [moved, new]})
    assert (score.sub_scores["static_analysis"], score.sub_scores["correctness"]) == (70, 90)
    counted = quality.score_response({}, {"errors": 2, "warnings": 0}, {"findings": [moved, new]})
    assert (counted.sub_scores["static_analysis"], counted.sub_scores["correctness"]) == (80, 100)


def test_a_finding_of_another_severity_is_another_finding():
    """A warning that became an error: 80 − 15 + 2 = 67."""
    finding = {"file": "a.py", "severity": "warning", "message": "m"}
    score = quality.score_response({}, [finding], [finding | {"severity": "error"}])
    assert score.sub_scores["static_analysis"] == 67


def test_information_and_findings_without_a_severity_change_nothing():
    score = quality.score_response(
        {}, [], [{"severity": "information"}, {"severity": "hint"}, {"severity": "unspecified"}]
    )
    assert score.sub_scores["static_analysis"] == 80


def test_a_call_whose_end_is_unknown_counts_for_nothing():
    """1 of 2 that ended; where none ended correctness is missing, not 100."""
    results = [{"name": "Bash", "status": status} for status in ("success", "error", "unknown")]
    assert quality.score_response({"tool_results": results}).sub_scores["correctness"] == 50
    score = quality.score_response({"tool_results": results[2:]})
    assert (score.sub_scores["correctness"], score.composite) == (None, 70)
    assert score.missing == ["correctness", "static_analysis"]


def test_the_same_event_id_counts_once_and_without_one_each_is_its_own():
    """70 + 15 − 15 − 15: one accept that was sent twice, two redos."""
    sent = FeedbackEvent(signal="accept", event_id="e-1")
    assert quality.score_response({}, feedback=[sent, "redo", sent, "redo"]).sub_scores["user_feedback"] == 55


@pytest.mark.parametrize("order", [("accept", "revert"), ("revert", "accept")])
def test_one_event_id_for_two_signals_is_refused_whichever_came_first(order):
    events = [FeedbackEvent(signal=signal, event_id="e-1") for signal in order]
    with pytest.raises(
        ValueError, match="event id 'e-1' stands for accept and revert: give each event an id of its own"
    ):
        quality.score_response({}, feedback=events)


def test_edit_after_apply_may_be_written_with_hyphens():
    assert quality.score_response({}, feedback=["edit-after-apply"]).sub_scores["user_feedback"] == 65


def test_with_no_weight_on_what_is_known_there_is_no_score():
    weights = ResponseWeights(correctness=0, user_feedback=0)
    score = quality.score_response({}, settings=ResponseSettings(weights=weights))
    assert (score.composite, score.coverage) == (None, 0)


def test_weights_of_a_record_take_the_place_of_the_settings():
    """Only correctness weighs: 100 · 3/4."""
    record = ResponseRecord(
        metadata={"tools_ok": 3, "tools_failed": 1},
        weights={"correctness": 1, "user_feedback": 0, "static_analysis": 0},
    )
    assert score_record(record).composite == 75


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"tools_ok": -1}, "tools_ok"),
        ({"role": "user"}, "role"),
        ({"tool_results": [{"name": "Bash", "status": "maybe"}]}, "'success', 'error' or 'unknown'"),
        ({"tool_results": [{"status": "error"}]}, "name"),
        ({"tool_results": [], "tools_ok": 2}, "tools_ok is 2, but tool_results has 0: leave tools_ok out"),
        ({"error": "boom", "response_error": False}, "error says what went wrong"),
        ({"tokens": {"input": -5}}, "tokens.input"),
        ({"wieght": 1}, "wieght"),
    ],
)
def test_metadata_that_does_not_fit_is_refused_with_what_is_wrong(metadata, message):
    with pytest.raises(ValidationError, match=message):
        quality.score_response(metadata)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"tools": [1]}, "no such column: tools; allowed are tools_ok"),
        ({}, "give columns of one length, at least one; these are: none"),
        ({"tools_ok": [1], "redo": [1, 2]}, r"tools_ok \(1,\), redo \(2,\)"),
        ({"tools_ok": [-1]}, "tools_ok = -1 is out of range"),
        ({"tools_ok": [np.nan]}, "tools_ok = nan is out of range"),
        (
            {"new_errors": [1], "new_warnings": [np.nan], "resolved_errors": [0], "resolved_warnings": [0]},
            "together or not at all",
        ),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        score_responses(columns)


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'score_respnse'"):
        quality.score_respnse  # noqa: B018
