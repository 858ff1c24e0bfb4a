"""Which replies hold a JSON object? The whole reply, or its first fence; nothing is searched for or repaired."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.judge_json import NotAnObject, reply_object
from quality.prompts import PARSE_FAILED, score_reply

INNER = '{"clarity": {"score": 8, "feedback": "fence it with ```json … ``` like so"}}'


@pytest.mark.parametrize(
    "reply",
    [
        '{"clarity": 8}',
        '\ufeff \r\n{"clarity": 8}\r\n\t',
        '```json\n{"clarity": 8}\n```',
        '```\n{"clarity": 8}\n```',
        '```{"clarity": 8}```',
        '```json{"clarity": 8}```',
        '```JsOn\r\n{"clarity": 8}\r\n```\r\n',
        '```json5 strict\n{"clarity": 8}\n```',
        '````json\n{"clarity": 8}\n````',
        '~~~json\n{"clarity": 8}\n~~~',
        '```json title="scores"\n{"clarity": 8}\n```',
        '"Sum it up" is short.\n```json\n{"clarity": 8}\n```',
        '[Verdict]\n```json\n{"clarity": 8}\n```',
        'Sure.\n\n```javascript\n{"clarity": 8}\n```\nAnything else?',
        '```json\n{"clarity": 8}',
        '```json\n{"clarity": 8}\n```\n```json\n{"clarity": 1}\n```',
        '{"clarity": 1, "clarity": 8}',
        '{"clarity": 8, "notes": "``` { ```"}',
    ],
)
def test_a_whole_object_or_the_first_fence(reply):
    """Any language tag in any case, prose around it, a closing mark or none; of a key given twice the last counts."""
    assert reply_object(reply)["clarity"] == 8.0


def test_a_fence_inside_a_text_is_text():
    """Inside a fence too, where a search for the next mark would cut the object."""
    assert reply_object(INNER) == json.loads(INNER)
    assert reply_object(f"Here:\n```json\n{INNER}\n```\nThanks") == json.loads(INNER)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        ("\ufeff \n", "is empty"),
        ("I would give it an 8.", "is not JSON"),
        ('Score: {"clarity": 8}', "is not JSON"),
        ('{"clarity": 8} as asked', "is not JSON"),
        ('{"clarity": 8}{"clarity": 9}', "is not JSON"),
        ('{"clarity": 8', "is not JSON"),
        ("{'clarity': 8}", "is not JSON"),
        ('{"clarity": 8,}', "is not JSON"),
        ('{"clarity": NaN}', "NaN is no JSON number"),
        ('{"clarity": -Infinity}', "-Infinity is no JSON number"),
        ('{"clarity": {"score": 8, "feedback": "a\nb"}}', "is not JSON"),
        ("[]", "a list instead of an object"),
        ('[{"clarity": 8}]', "a list instead of an object"),
        ('"{}"', "a text instead of an object"),
        ("8", "a number instead of an object"),
        ("null", "null instead of an object"),
        ("true", "true or false instead of an object"),
        ("```json\n[]\n```", "a list instead of an object"),
        ("```json\n```", "is not JSON"),
        ("```", "is not JSON"),
        ('```text\nthe prompt\n```\n```json\n{"clarity": 8}\n```', "is not JSON"),
        ('```json\n{"clarity": 8}\n{"clarity": 9}\n```', "something follows"),
        ('```json\n{"clarity": 8\n```', "is not JSON"),
        ('{"clarity": {"score": 8, "feedback": "like ```json {}``` and', "is not JSON"),
    ],
)
def test_anything_else_is_failed_and_says_why(reply, reason):
    """One code, no score, and what to do; a truncated object is not mended by what it quotes."""
    with pytest.raises(NotAnObject, match=reason):
        reply_object(reply)
    found = score_reply(reply)
    assert (found.status, found.overall, found.failure.code) == ("FAILED", None, PARSE_FAILED)
    assert reason in found.failure.message
    assert "run the evaluation again with the same judge" in found.failure.message


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, "```json\n" + "[" * 100_000])
def test_a_reply_that_is_nested_without_end_is_failed(deep):
    """It does not take the process with it."""
    assert score_reply(deep).failure.code == PARSE_FAILED


def test_a_reply_of_a_megabyte_is_read():
    """And one that opens many fences is read once, not once a fence."""
    long = json.dumps({"clarity": {"score": 8, "feedback": "x" * 1_000_000}})
    assert score_reply(long).dimensions[1].score == 8.0
    assert score_reply("`" * 1_000_000).status == "FAILED"
    assert score_reply("``` " * 250_000).status == "FAILED"


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
dimension = st.sampled_from(["structure", "clarity", "completeness", "specificity", "suggestions", "score"])


@given(st.text() | st.builds(lambda text, fence: f"```{fence}\n{text}\n```", st.text(), st.text(max_size=4)))
def test_no_text_whatever_raises(text):
    """Either scores or one failure."""
    found = score_reply(text)
    assert (found.overall is None) == (found.status == "FAILED")
    assert found.model_dump_json()


@given(st.dictionaries(dimension, json_values))
def test_no_object_whatever_raises(document):
    """Every object has four scores from 0 to 10, and one in a fence has the same."""
    found = score_reply(json.dumps(document))
    assert found.status == "SUCCESS"
    assert [0 <= part.score <= 10 for part in found.dimensions] == [True] * 4
    assert score_reply(f"```json\n{json.dumps(document)}\n```").answer() == found.answer()
