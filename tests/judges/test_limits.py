"""Do the limits hold when many ask at once: what is spent, and how many calls are under way?"""

import threading

import pytest

from quality.judges import ask_many
from quality.judges.spending import Budget, price_of
from quality.settings import JudgeSettings, Price
from tests.judges.server import Answer

PRICED = {"gpt-4o-mini": Price(input=0, output=1000)}
"""A dollar for 1,000 tokens out: an answer of 7 costs $0.007, one with at most 100 sets $0.10 aside."""


def test_calls_under_way_together_do_not_overshoot(bench, question):
    """$0.12: one call at a time has its $0.10 set aside. After 3 calls ($0.021) the next does not fit any more."""
    judge = bench.judge(spend_usd=0.12, prices=PRICED, concurrency=8)
    answers = ask_many(judge, [question(f"q{n}", max_tokens=100) for n in range(8)], 8)
    said = [getattr(answer, "code", "fine") for answer in answers]
    assert sorted(said) == ["fine"] * 3 + ["spend_limit"] * 5
    assert len(bench.server.calls) == 3
    refused = next(answer for answer in answers if getattr(answer, "code", "") == "spend_limit")
    assert "$0.0210 are spent and this question may cost $0.1000, the limit is $0.1200" in refused.message
    assert "judges.spend_usd" in refused.message


def test_tokens_are_limited_whatever_they_cost(bench, question):
    """'Judge.' and 'How good?' are 15 bytes, 64 tokens of framing, 100 out: 179 may be taken, 18 are."""
    judge = bench.judge(spend_tokens=200, prices={"*": Price(input=0, output=0)})
    answers = [judge.ask(question(max_tokens=100)) for _ in range(3)]
    assert [getattr(answer, "code", "fine") for answer in answers] == ["fine", "fine", "spend_limit"]
    assert "36 tokens are used and this question may take 179, the limit is 200" in answers[2].message


def test_a_limit_of_nothing_means_no_calls(bench, question):
    assert bench.judge(spend_usd=0, prices=PRICED).ask(question()).code == "spend_limit"
    assert bench.server.calls == []


def test_one_limit_can_be_shared_by_judges(bench, question):
    """A panel spends from one purse."""
    settings = JudgeSettings(spend_usd=0.105, prices=PRICED)
    purse = Budget(settings)
    first, second = (bench.judge(budget=purse, prices=PRICED) for _ in range(2))
    assert first.ask(question(max_tokens=100)).text == "fine"
    assert second.ask(question(max_tokens=100)).code == "spend_limit"


@pytest.mark.parametrize(
    ("answer", "spent"),
    [
        (Answer(), 0.007),
        (Answer(text=None), 0.007),
        (Answer(usage=None), 0.1),
        (Answer(body=b"{}"), 0.1),
        (Answer(delay=30), 0.1),
        (Answer(status=401, error="no"), 0.0),
        (Answer(status=400, error="no"), 0.0),
        (Answer(status=429, error="insufficient_quota"), 0.0),
    ],
    ids=["used", "used for nothing", "not told", "not readable", "too late", "no key", "bad question", "rate limit"],
)
def test_what_counts_as_spent(bench, question, answer, spent):
    """What was used; all that was set aside where nobody knows; nothing where no work was done."""
    purse = Budget(JudgeSettings(prices=PRICED))
    bench.server.answers = [answer]
    bench.judge(budget=purse, prices=PRICED, timeout_seconds=0.5 if answer.delay else 20).ask(question(max_tokens=100))
    assert purse.usd == pytest.approx(spent)


def test_a_model_without_a_price_is_counted_as_dear(bench, question, monkeypatch):
    """$15 and $75 a million unless set; on this machine nobody bills, and tokens are the limit. The cost is not told."""
    assert price_of("my-model", JudgeSettings()) is None
    local = bench.judge(model="my-model", spend_usd=0.0).ask(question())
    assert (local.text, local.cost_usd) == ("fine", 0.0)
    monkeypatch.setenv(f"{bench.backend.upper()}_BASE_URL", "https://models.example/v1")
    failure = bench.judge(model="my-model", spend_usd=0.1).ask(question(max_tokens=2000))
    assert failure.code == "spend_limit"
    assert "may cost $0.1512" in failure.message  # 79 × 15 + 2000 × 75 a million


def test_a_price_of_ones_own_stands_before_the_built_in_ones():
    """The first pattern that fits, with or without the provider's prefix, in any case."""
    settings = JudgeSettings(prices={"GPT-4o-*": Price(input=1, output=2)})
    assert price_of("openai/gpt-4o-mini", settings).output == 2
    assert price_of("claude-sonnet-4-20250514", settings).output == 15


def test_no_more_calls_at_once_than_set(bench, question):
    """Twelve threads ask, three calls are under way at most."""
    bench.server.delay = 0.05
    answers = ask_many(bench.judge(concurrency=3), [question(f"q{n}") for n in range(12)], 12)
    assert {answer.text for answer in answers} == {"fine"}
    assert bench.server.most_at_once == 3


def test_a_parameter_refused_to_many_at_once_fails_none(bench, question):
    """All of them are asked again without it."""
    bench.server.answers = [Answer(status=400, error="no temperature please", delay=0.2)] * 4
    answers = ask_many(bench.judge(concurrency=4), [question(f"q{n}") for n in range(4)], 4)
    assert [answer.text for answer in answers] == ["fine"] * 4


def test_closing_gives_up_what_is_under_way(bench, question):
    """Interrupted in the middle of a batch, nothing waits for a slow server."""
    bench.server.answers = [Answer(), *[Answer(delay=30)] * 9]
    places = []

    def on_done(place, _answer):
        places.append((place, threading.current_thread() is threading.main_thread()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_many(bench.judge(), [question(f"q{n}") for n in range(6)], 3, on_done)
    assert len(places) == 1
    assert places[0][1]
    assert len(bench.server.calls) <= 4
