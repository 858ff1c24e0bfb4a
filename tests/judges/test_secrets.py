"""Does a key stay where it belongs: in the header of the call, and nowhere else?"""

import logging

import pytest

from quality.judges.endpoint import Endpoint
from quality.judging import JudgeFailure
from tests.judges.conftest import KEY
from tests.judges.server import Answer

HOSTILE = {
    "a 401 that repeats it": Answer(status=401, error=f"Incorrect API key provided: {KEY}."),
    "a body that is no JSON": Answer(status=500, body=f"<p>Bearer {KEY}</p>".encode()),
    "another key in a 400": Answer(status=400, error="team key ghp_0123456789abcdefghijABCDEFGHIJ leaked"),
    "a refusal": Answer(text=None, stopped="declined"),
    "a good answer": Answer(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_key_is_in_no_answer_log_or_repr(bench, question, caplog, name):
    """Whatever the server says, with every logger at its most talkative."""
    caplog.set_level(logging.DEBUG)
    bench.server.answers = [HOSTILE[name]] * 3
    judge = bench.judge()
    answer = judge.ask(question())
    shown = [repr(answer), answer.model_dump_json(), repr(judge), repr(Endpoint.of(bench.backend)), caplog.text]
    for text in shown:
        assert KEY not in text
        assert "ghp_" not in text
    assert KEY in str(bench.server.calls[0].headers)


def test_a_key_in_an_exception_s_text_is_masked(bench, question, monkeypatch):
    """Also a key of a shape that nobody knows."""
    monkeypatch.setenv(f"{bench.backend.upper()}_API_KEY", "hunter22")
    judge = bench.judge()

    async def fail(*_args, **_more):
        raise ConnectionError("proxy said: key hunter22 is unknown")

    client = judge._opened()._client
    monkeypatch.setattr(client._client, "send", fail)
    failure = judge.ask(question())
    assert (failure.code, "hunter22" in failure.message, "[secret]" in failure.message) == ("connection", False, True)


@pytest.mark.parametrize("bad", ["sk-\u201cquoted\u201d", "two\nlines-of-key"])
def test_a_key_that_no_header_takes_is_refused_without_showing_it(bench, question, monkeypatch, bad):
    """Copied with typographic quotes or a line break."""
    monkeypatch.setenv(f"{bench.backend.upper()}_API_KEY", bad)
    failure = bench.judge().ask(question())
    assert isinstance(failure, JudgeFailure)
    assert failure.code == "bad_request"
    assert "copy it again" in failure.message
    assert bad not in failure.message


def test_a_password_in_the_address_is_refused_without_showing_it(bench, question, monkeypatch):
    """The libraries log addresses."""
    monkeypatch.setenv(f"{bench.backend.upper()}_BASE_URL", "http://user:pass-word@127.0.0.1:9/v1")
    failure = bench.judge().ask(question())
    assert failure.code == "bad_request"
    assert "holds a name or a password" in failure.message
    assert "pass-word" not in failure.message


def test_a_redirect_does_not_take_the_key_along(bench, question):
    """It is not followed."""
    bench.server.answers = [Answer(status=307, headers={"Location": f"{bench.server.address}/elsewhere"})]
    assert bench.judge().ask(question()).code == "bad_request"
    assert len(bench.server.calls) == 1
