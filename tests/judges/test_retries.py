"""What is asked again, how often, and after which wait?"""

import pytest

from quality.judging import JudgeReply
from tests.judges.server import Answer

BUSY, BROKEN = Answer(status=429, error="slow down"), Answer(status=500, error="oops")


@pytest.mark.parametrize("bad", [BUSY, BROKEN, Answer(status=529, error="overloaded"), Answer(status=503, body=b"<b>")])
def test_a_rate_limit_or_a_server_error_is_asked_again(bench, question, bad):
    """Twice bad, then good. With no jitter the waits are half of 1 and of 2 seconds."""
    bench.server.answers = [bad, bad]
    reply = bench.judge().ask(question())
    assert isinstance(reply, JudgeReply)
    assert (reply.text, reply.attempts, bench.waits) == ("fine", 3, [0.5, 1.0])


@pytest.mark.parametrize(("bad", "code"), [(BUSY, "rate_limit"), (BROKEN, "server_error")])
@pytest.mark.parametrize("retries", [0, 2])
def test_retries_are_bounded(bench, question, bad, code, retries):
    """One call and the retries, then a failure that says how often it was asked."""
    bench.server.answers = [bad] * 9
    failure = bench.judge(retries=retries).ask(question())
    assert (failure.code, failure.attempts, len(bench.server.calls)) == (code, retries + 1, retries + 1)
    assert ("asked 3 times" in failure.message) == (retries == 2)


def test_the_wait_that_the_server_asks_for_is_kept(bench, question):
    """7 seconds, and the half second of the first wait on top."""
    bench.server.answers = [Answer(status=429, error="slow down", headers={"Retry-After": "7"})]
    assert bench.judge().ask(question()).text == "fine"
    assert bench.waits == [7.5]


@pytest.mark.parametrize("asked", ["31", "1e99", "inf", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_a_longer_wait_than_the_longest_is_not_waited_for(bench, question, asked):
    """At most 30 seconds: the failure comes at once."""
    bench.server.answers = [Answer(status=429, error="slow down", headers={"Retry-After": asked})]
    assert bench.judge().ask(question()).code == "rate_limit"
    assert bench.waits == []


@pytest.mark.parametrize("asked", ["soon", "-5", "nan", ""])
def test_a_wait_that_makes_no_sense_is_as_if_none_were_asked_for(bench, question, asked):
    """Our own back-off then."""
    bench.server.answers = [Answer(status=429, error="slow down", headers={"Retry-After": asked})]
    assert bench.judge().ask(question()).text == "fine"
    assert bench.waits == [0.5]


def test_an_empty_account_is_not_asked_again(bench, question):
    """A 429 that no waiting helps."""
    bench.server.answers = [Answer(status=429, error="You exceeded your current quota: insufficient_quota")]
    failure = bench.judge().ask(question())
    assert (failure.code, failure.attempts) == ("rate_limit", 1)


def test_the_whole_is_bounded_too(bench, question):
    """A wait that would end after total_seconds is not begun."""
    bench.server.answers = [Answer(status=429, error="slow down", headers={"Retry-After": "7"})]
    assert bench.judge(total_seconds=5).ask(question()).code == "rate_limit"
    assert bench.waits == []
