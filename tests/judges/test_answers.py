"""What do the two libraries make of a server's good and bad answers, over real HTTP?"""

import re
import time

import pytest

from quality.judging import JudgeFailure, JudgeReply
from tests.judges.conftest import KEY
from tests.judges.server import ANTHROPIC, MODEL, OPENAI, Answer


def test_a_good_answer_carries_text_model_tokens_time_and_cost(bench, question):
    """11 tokens in at $0.15 and 7 out at $0.60 a million: $0.00000585."""
    reply = bench.judge().ask(question("¿Qué? 好", max_tokens=99, temperature=0.3))
    assert isinstance(reply, JudgeReply)
    assert (reply.text, reply.model, reply.backend) == ("fine", MODEL, bench.backend)
    assert (reply.input_tokens, reply.output_tokens, reply.attempts, reply.truncated) == (11, 7, 1, False)
    assert reply.cost_usd == pytest.approx(5.85e-6)
    assert reply.latency_ms > 0


def test_what_is_sent_is_the_interface_of_each(bench, question):
    """Address, key, model, bounds and both texts."""
    bench.judge().ask(question("¿Qué?", max_tokens=99, temperature=0.3))
    (call,) = bench.server.calls
    assert (call.body["model"], call.body["max_tokens"], call.body["temperature"]) == ("gpt-4o-mini", 99, 0.3)
    assert call.headers["authorization"] == f"Bearer {KEY}"
    assert call.headers.get("x-api-key") == (KEY if bench.backend == "anthropic" else None)
    if bench.backend == "anthropic":
        assert (call.path, call.body["system"]) == (ANTHROPIC, "Judge.")
        assert call.body["messages"] == [{"role": "user", "content": "¿Qué?"}]
    else:
        assert call.path == OPENAI
        texts = [(message["role"], message["content"]) for message in call.body["messages"]]
        assert texts == [("system", "Judge."), ("user", "¿Qué?")]


def test_a_cut_answer_is_kept_and_says_so(bench, question):
    """The words were paid for and may be looked at; the stop reason is the server's."""
    bench.server.answers = [Answer(text='{"structure": {"sc', stopped="cut")]
    reply = bench.judge().ask(question())
    assert (reply.text, reply.truncated) == ('{"structure": {"sc', True)
    assert reply.stop_reason in ("max_tokens", "length")


FAILURES = {
    "no text": (Answer(text=None), "empty", "holds no text"),
    "blank": (Answer(text=" \n"), "empty", "holds no text"),
    "nothing but thinking": (Answer(text="", stopped="cut"), "empty", "into thinking.: name a model that thinks less"),
    "declined": (Answer(text="", stopped="declined"), "refused", "declined to answer .*: ask another"),
    "wrong JSON": (Answer(body=b'{"hello": "world"}'), "bad_reply", "Is the base URL right"),
    "a list": (Answer(body=b"[1]"), "bad_reply", "Is the base URL right"),
    "null": (Answer(body=b"null"), "bad_reply", "Is the base URL right"),
    "broken JSON": (Answer(body=b'{"id": "m", "con'), "bad_reply", "Is the base URL right"),
    "a page": (
        Answer(body=b"<html>hello</html>", headers={"Content-Type": "text/html"}), "bad_reply", "Is the base URL right",
    ),
    "parts of the wrong kind": (Answer(body=b'{"content": [3], "choices": [3], "usage": 1}'), "bad_reply", "base URL"),
    "no key accepted": (Answer(status=401, error="no"), "auth", r"answered 401: .*Check \w+_API_KEY"),
    "not allowed": (Answer(status=403, error="no"), "auth", "answered 403"),
    "no such model": (Answer(status=404, error="model: gpt-4o-mini"), "bad_request", "answered 404: .*gpt-4o-mini.*--model"),
    "bad question": (Answer(status=400, error="prompt is too long"), "bad_request", "answered 400: .*too long"),
    "an error page": (Answer(status=400, body=b"<b>no</b>"), "bad_request", "answered 400"),
    "elsewhere": (Answer(status=307, headers={"Location": "/x"}), "bad_request", "answered 307"),
    "too much": (Answer(status=413, body=b""), "bad_request", "answered 413"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_a_bad_answer_is_a_failure_of_its_kind_and_never_asked_again(bench, question, name):
    """One call each: only rate limits and server errors are worth another."""
    answer, code, words = FAILURES[name]
    bench.server.answers = [answer]
    failure = bench.judge().ask(question())
    assert isinstance(failure, JudgeFailure)
    assert (failure.code, failure.backend, failure.model, failure.attempts) == (code, bench.backend, "gpt-4o-mini", 1)
    assert re.search(words, failure.message)
    assert len(bench.server.calls) == 1
    assert bench.waits == []


def test_an_unparseable_reply_is_a_reply(bench, question):
    """What it means is for the scorer to say; the judge asks once."""
    bench.server.answers = [Answer(text="I would rather not use JSON.")]
    assert bench.judge().ask(question()).text == "I would rather not use JSON."
    assert len(bench.server.calls) == 1


def test_half_characters_travel_in_neither_direction(bench, question):
    """A lone surrogate cannot be stored or sent; it becomes �."""
    bench.server.answers = [Answer(text="a\ud800b")]
    assert bench.judge().ask(question("x\udfffy")).text == "a�b"
    assert "x�y" in str(bench.server.calls[0].body)


@pytest.mark.parametrize("answer", [Answer(delay=30), Answer(drip=True)], ids=["silent", "a byte now and then"])
def test_time_is_bounded_whatever_the_server_does(bench, question, answer):
    """Also where each single read is quick. Not asked again: the service may have done the work."""
    bench.server.answers = [answer]
    start = time.monotonic()
    failure = bench.judge(timeout_seconds=0.3).ask(question())
    assert failure.code == "timeout"
    assert "judges.timeout_seconds" in failure.message or "in time" in failure.message
    assert time.monotonic() - start < 20
    assert len(bench.server.calls) == 1


def test_nobody_at_the_address(bench, question, monkeypatch):
    """The failure names the address and the variable that holds it."""
    judge = bench.judge()
    bench.server.__exit__()
    failure = judge.ask(question())
    assert failure.code == "connection"
    assert bench.server.address in failure.message
    assert f"{bench.backend.upper()}_BASE_URL" in failure.message


def test_a_parameter_that_a_model_does_not_take_is_left_out_from_then_on(bench, question):
    """The 400 that names it costs one call, once; the reply says what was changed."""
    bench.server.answers = [Answer(status=400, error="`temperature` is not supported with this model")]
    judge = bench.judge()
    first, second = judge.ask(question()), judge.ask(question())
    assert (first.text, first.adapted, first.attempts) == ("fine", ("temperature",), 2)
    assert (second.adapted, second.attempts) == (("temperature",), 1)
    assert ["temperature" in call.body for call in bench.server.calls] == [True, False, False]


def test_a_parameter_is_left_out_once_only(bench, question):
    """A server that keeps complaining gets no third call."""
    bench.server.answers = [Answer(status=400, error="temperature!")] * 3
    assert bench.judge().ask(question()).code == "bad_request"
    assert len(bench.server.calls) == 2


def test_openai_models_that_want_the_newer_name_of_the_bound_get_it(bench, question):
    """`max_completion_tokens` takes the place of `max_tokens`; Anthropic knows no such thing."""
    words = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    bench.server.answers = [Answer(status=400, error=words)]
    answer = bench.judge().ask(question(max_tokens=77))
    if bench.backend == "anthropic":
        assert answer.code == "bad_request"
    else:
        assert answer.text == "fine"
        assert bench.server.calls[1].body["max_completion_tokens"] == 77
        assert "max_tokens" not in bench.server.calls[1].body
