"""A judge's reply becomes one score with its explanation, exactly as MODEL.md says; what is no reply is FAILED."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.dimensions import DIMENSIONS, KEYS, Weights, colour_of, label_of, rubric, weights_in_force
from quality.evaluation import Evaluation
from quality.prompts import NO_FEEDBACK, rounded, score_reply

CASES = json.loads((Path(__file__).parents[1] / "assets/oracle/prompts/cases.json").read_text())
QUARTERS = (0.25, 0.25, 0.25, 0.25)
scores = st.lists(st.floats(0, 10), min_size=4, max_size=4)
weights = st.lists(st.floats(0, 100, allow_subnormal=False), min_size=4, max_size=4).filter(lambda w: max(w) > 1e-6)


def reply_of(*given, **more) -> str:
    return json.dumps({key: {"score": score, "feedback": key} for key, score in zip(KEYS, given)} | more)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_worked_cases(case, monkeypatch):
    """Status, overall, label, colour, scores and weights of every case, its environment included."""
    for name, value in case["env"].items():
        monkeypatch.setenv(name, value)
    found, expected = score_reply(case["reply"]), case["expected"]
    assert found.status == expected["status"]
    if found.status == "FAILED":
        assert found.failure.code == expected["failure_code"]
        assert (found.overall, found.label, found.colour, found.dimensions, found.suggestions) == (
            None,
            None,
            None,
            [],
            [],
        )
        return
    assert (found.overall, found.label, found.colour) == (expected["overall"], expected["label"], expected["colour"])
    assert {part.key: part.score for part in found.dimensions} == expected["scores"]
    assert {part.key: part.weight for part in found.dimensions} == pytest.approx(expected["weights"], abs=1e-6)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("8.5", 8.5), (" 8 ", 8.0), ("+8", 8.0), ("1e1", 10.0), ("-3", 0.0), ("1e400", 10.0),
        ("8/10", None), ("8,5", None), ("eight", None), ("", None), ("0x8", None), ("1_0", None), ("８", None),
        ("NaN", None), ("Infinity", None), ("true", None),
        (True, None), (False, None), ([8], None), ({"score": 8}, None), (None, None),
    ],
)  # fmt: skip
def test_what_counts_as_a_score(said, expected):
    """A number, or a text that is one; a truth value, a fraction or a list is unusable and counts 5, and that is said."""
    found = score_reply(reply_of(said, 9, 9, 9), QUARTERS)
    first = found.dimensions[0]
    if expected is None:
        assert (first.score, first.feedback) == (5.0, NO_FEEDBACK)
        assert found.warnings == ["structure: the reply has no usable score, 5 stands for it"]
    else:
        assert (first.score, first.feedback, found.warnings) == (expected, "structure", [])


def test_a_number_beyond_floats_is_clamped_like_any_other():
    """JSON has no limit: 1e999 and a number of 5,000 digits are above 10, −1e999 is below 0."""
    found = score_reply(f'{{"structure": 1e999, "clarity": {"9" * 5000}, "completeness": -1e999, "specificity": -0.0}}')
    assert [str(part.score) for part in found.dimensions] == ["10.0", "10.0", "0.0", "0.0"]


@pytest.mark.parametrize("feedback", [None, "", "  \n", 3, ["a"], {"a": 1}, True])
def test_feedback_that_is_no_text_is_not_available(feedback):
    """The score counts all the same."""
    found = score_reply(json.dumps({"clarity": {"score": 8, "feedback": feedback}}))
    assert (found.dimensions[1].score, found.dimensions[1].feedback) == (8.0, NO_FEEDBACK)


def test_suggestions_are_the_texts_among_them():
    """The rest is left out, with a warning; no list is no suggestion."""
    found = score_reply(reply_of(8, 8, 8, 8, suggestions=["a", 3, None, " ", {"text": "b"}, "c"]))
    assert (found.suggestions, found.warnings) == (["a", "c"], ["suggestions that are not text were left out"])
    assert score_reply(reply_of(8, 8, 8, 8, suggestions={"a": 1})).suggestions == []
    assert score_reply(reply_of(8, 8, 8, 8, suggestions=[])).warnings == []


def test_half_a_surrogate_pair_does_not_get_through():
    """JSON can spell it, a file in UTF-8 cannot hold it."""
    found = score_reply('{"clarity": {"score": 8, "feedback": "a\\ud83d b"}, "suggestions": ["\\udc00\\ud83d\\ude00"]}')
    assert (found.dimensions[1].feedback, found.suggestions) == ("a\ufffd b", ["\ufffd😀"])
    assert Evaluation.model_validate_json(score_reply("\ud800").model_dump_json()).reply == "\ufffd"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7.25, 7.3), (7.249999999999999, 7.3), (7.2499999999, 7.2), (8.95, 9.0), (0.05, 0.1), (0.049, 0.0), (10.0, 10.0),
        (0.0, 0.0), (2.45, 2.5), (6.35, 6.4), (1e-300, 0.0),
    ],
)  # fmt: skip
def test_halves_go_up_on_the_decimal_value(value, expected):
    """7.25 and what binary arithmetic makes of it is 7.3; what is less on paper is not."""
    assert rounded(value) == expected


def test_halves_go_up_whatever_the_weights_are():
    """(1·7.1 + 3·7.3 + 2·7.2 + 4·7.275) / 10 = (7.1 + 21.9 + 14.4 + 29.1) / 10 = 7.25."""
    assert score_reply(reply_of(7.1, 7.3, 7.2, 7.275), (1, 3, 2, 4)).overall == 7.3
    assert score_reply(reply_of(7.1, 7.3, 7.2, 7.275), (0.1, 0.3, 0.2, 0.4)).overall == 7.3


@pytest.mark.parametrize(
    "value", ["", " ", "abc", "0.5x", "1,5", "-0.1", "NaN", "Infinity", "-inf", "1e400", "0x1", "1_0", "０"]
)
def test_a_weight_that_is_none_makes_four_quarters_and_a_warning(value):
    """Any one of them; the warning names variable and value."""
    found = weights_in_force({"EVAL_WEIGHT_CLARITY": value, "EVAL_WEIGHT_STRUCTURE": "3"})
    assert found.values == QUARTERS
    assert found.warnings == (
        f"EVAL_WEIGHT_CLARITY={value!r} is not a finite number ≥ 0: all four dimensions count a quarter",
    )
    assert score_reply("{}", found).warnings[0] == found.warnings[0]
    assert score_reply("no JSON", found).warnings == list(found.warnings)


def test_weights_that_sum_to_nothing_make_four_quarters_and_a_warning():
    """−0 is 0; one positive weight is enough."""
    zeros = dict.fromkeys((d.variable for d in DIMENSIONS), "-0")
    assert weights_in_force(zeros).values == QUARTERS
    assert weights_in_force(zeros).warnings == ("the EVAL_WEIGHT_… sum to 0: all four dimensions count a quarter",)
    assert weights_in_force(zeros | {"EVAL_WEIGHT_CLARITY": "1e-300"}) == Weights((0.0, 1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(" 0.5 ", 0.4), ("5e-1", 0.4), (".5", 0.4), ("+0.5", 0.4), ("0", 0.0), ("1e308", 1.0), ("0.250", 0.25)],
)
def test_a_weight_as_people_write_it(value, expected):
    """0.5 of 0.5 + 3 · 0.25 = 0.4."""
    assert weights_in_force({"EVAL_WEIGHT_STRUCTURE": value}).values[0] == pytest.approx(expected)


def test_huge_weights_do_not_overflow():
    """Only their ratio matters."""
    found = weights_in_force({d.variable: "1e308" for d in DIMENSIONS})
    assert found == Weights(QUARTERS)


@pytest.mark.parametrize("wrong", [(1, 1, 1), (-1, 1, 1, 1), (0, 0, 0, 0), (float("nan"), 1, 1, 1)])
def test_weights_by_the_caller_that_are_none_are_misuse(wrong):
    """The environment is forgiven, a caller is told."""
    with pytest.raises(ValueError, match="weight"):
        score_reply("{}", wrong)


def test_weights_by_key_are_those_in_order():
    by_key = dict(zip(KEYS, (4, 1, 3, 2)))
    assert (
        score_reply(reply_of(9, 5, 8, 7), by_key).answer() == score_reply(reply_of(9, 5, 8, 7), (4, 1, 3, 2)).answer()
    )


@given(scores, weights)
def test_the_overall_lies_between_the_scores(given_scores, given_weights):
    """To the tenth; and each part's weight is its share."""
    found = score_reply(reply_of(*given_scores), given_weights)
    counted = [s for s, w in zip(given_scores, given_weights) if w > 0]
    assert rounded(min(counted)) <= found.overall <= rounded(max(counted))
    assert sum(part.weight for part in found.dimensions) == pytest.approx(1)


@given(scores, st.integers(0, 3), st.floats(0, 10))
def test_a_better_score_never_lowers_the_overall(given_scores, place, more):
    better = list(given_scores)
    better[place] = min(10.0, better[place] + more)
    assert score_reply(reply_of(*better), QUARTERS).overall >= score_reply(reply_of(*given_scores), QUARTERS).overall


@pytest.mark.parametrize(
    ("overall", "label", "colour"),
    [
        (10.0, "Exceptional", "green"), (9.0, "Exceptional", "green"), (8.9, "Good", "green"), (8.0, "Good", "green"),
        (7.9, "Good", "yellow"), (7.0, "Good", "yellow"), (6.9, "Adequate", "yellow"), (6.0, "Adequate", "yellow"),
        (5.9, "Adequate", "orange"), (5.0, "Adequate", "orange"), (4.9, "Below Average", "orange"),
        (4.0, "Below Average", "orange"), (3.9, "Below Average", "red"), (3.0, "Below Average", "red"),
        (2.9, "Poor", "red"), (0.0, "Poor", "red"),
    ],
)  # fmt: skip
def test_label_and_colour_at_every_edge(overall, label, colour):
    """The edge itself has the better word."""
    assert (label_of(overall), colour_of(overall)) == (label, colour)


def test_the_rubric_shows_every_dimension_with_bands_that_cover_the_scale():
    """What the judge is told is what the screens show."""
    for dimension in DIMENSIONS:
        assert sorted(n for band in dimension.bands for n in range(band.low, band.high + 1)) == list(range(11))
        assert f"{dimension.key}: {dimension.description}" in rubric()
        assert all(band.meaning in rubric() for band in dimension.bands)


def test_the_answer_has_the_seven_keys_of_the_model():
    """In their order; what is known besides is elsewhere."""
    expected = ["status", "overall", "label", "colour", "dimensions", "suggestions", "failure"]
    assert list(score_reply(reply_of(8, 8, 8, 8)).answer()) == expected
    assert list(score_reply("").answer()) == expected
    assert list(score_reply("{}").answer()["dimensions"][0]) == ["key", "score", "feedback", "weight"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "SUCCESS"},
        {"status": "FAILED"},
        {"status": "FAILED", "overall": 5, "failure": {"code": "a", "message": "b"}},
        {"status": "SUCCESS", "overall": 11, "dimensions": [{"key": "a", "score": 5, "feedback": "", "weight": 1}]},
    ],
)
def test_an_evaluation_has_either_scores_or_a_failure(wrong):
    """Whoever sends one to a ledger is held to it."""
    with pytest.raises(ValueError, match=r"does not fit|less than or equal to 10"):
        Evaluation(**wrong)
