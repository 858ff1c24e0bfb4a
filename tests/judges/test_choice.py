"""Which judges are there, and can they be asked?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quality.errors import QualityError
from quality.judges import available, open_judge
from quality.judges.endpoint import Endpoint
from quality.settings import JudgeSettings

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    """Nothing set."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def ready() -> dict[str, str | None]:
    return {judge.backend: judge.why_not for judge in available(JudgeSettings())}


@pytest.mark.parametrize(
    ("name", "backend", "model"),
    [
        ("anthropic", "anthropic", "claude-sonnet-4-20250514"), ("claude", "anthropic", "claude-sonnet-4-20250514"),
        ("openai", "openai", "gpt-4o-mini"), ("scripted", "scripted", "scripted"), (" Mock ", "scripted", "scripted"),
    ],
)  # fmt: skip
def test_a_judge_is_opened_by_its_name_or_alias(name, backend, model):
    """With the default model, before any key is looked at."""
    judge = open_judge(name, JudgeSettings())
    assert (judge.backend, judge.model) == (backend, model)


def test_the_model_is_the_call_s_else_the_settings():
    settings = JudgeSettings.model_validate({"models": {"openai": "gpt-5"}})
    assert open_judge("openai", settings).model == "gpt-5"
    assert open_judge("openai", settings, model="llama3").model == "llama3"


def test_an_unknown_judge_is_an_error_that_names_all():
    words = r"judge 'opnai': choose one of anthropic, openai, scripted, claude, mock\. Did you mean: openai"
    with pytest.raises(QualityError, match=words):
        open_judge("opnai", JudgeSettings())


def test_the_scripted_judge_is_no_other_model():
    with pytest.raises(QualityError, match="model 'gpt-5': the scripted judge is no model"):
        open_judge("mock", JudgeSettings(), model="gpt-5")


@pytest.mark.parametrize("backend", ["anthropic", "openai"])
def test_without_a_key_the_answer_says_which_to_set(question, backend, monkeypatch):
    """A failure, not an exception; blanks are no key; the provider's own address written out changes nothing."""
    monkeypatch.setenv(f"{backend.upper()}_API_KEY", "  ")
    for address in ("", f"https://api.{backend}.com/v1"):
        monkeypatch.setenv(f"{backend.upper()}_BASE_URL", address)
        failure = open_judge(backend, JudgeSettings()).ask(question())
        assert (failure.code, failure.attempts) == ("no_key", 0)
        assert f"set {backend.upper()}_API_KEY" in failure.message
    assert ready()["scripted"] is None
    assert f"{backend.upper()}_API_KEY" in ready()[backend]


def test_a_key_makes_a_judge_ready(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "t")
    assert ready() == {"anthropic": None, "openai": None, "scripted": None}


def test_a_server_of_ones_own_needs_no_key(server, question, monkeypatch):
    """As Ollama does: the address is enough."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1/")
    assert ready()["openai"] is None
    judge = open_judge("openai", JudgeSettings(), model="llama3")
    assert judge.ask(question()).text == "fine"
    judge.close()


@pytest.mark.parametrize(
    ("address", "given"),
    [("", None), ("https://eu.anthropic.com", None), ("https://anthropic.com.example", "x-api-key")],
)
def test_a_key_stands_in_a_second_header_for_other_servers_alone(monkeypatch, address, given):
    """At the provider's own address the library decides how a key is given."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-real-key")
    from quality.judges.anthropic import AnthropicService

    headers = AnthropicService(Endpoint.of("anthropic"), 1.0)._client._custom_headers
    assert list(headers) == ([given] if given else [])


@pytest.mark.parametrize("address", ["localhost:11434", "ftp://host/v1", "http://", "http://host:port", "http://[::1"])
def test_an_address_that_is_none_is_named(question, monkeypatch, address):
    """By its variable, before anything is sent."""
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    failure = open_judge("openai", JudgeSettings()).ask(question())
    assert failure.code == "bad_request"
    assert "OPENAI_BASE_URL is no address" in failure.message


def test_nothing_of_a_provider_is_loaded_before_it_is_asked():
    """The command line and the pages start as fast as without judges."""
    script = (
        "import sys; from quality.judges import available, open_judge; from quality.settings import JudgeSettings as S; "
        "available(S()); open_judge('scripted', S()); open_judge('openai', S()); import quality.cli; "
        "print([m for m in ('anthropic', 'openai', 'httpx2') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
