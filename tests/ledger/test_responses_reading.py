"""What responses add up to: regressions within a model, means and percentiles, weeks, days, a series. Worked by hand."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from quality.ledger.ledger import Ledger
from quality.response_commands import (
    AddFeedback,
    ListResponses,
    ResponseFilters,
    ResponseSeries,
    ResponseStats,
    ShowResponse,
    StoreResponses,
)
from quality.settings import Settings

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
ALONE = {"correctness": 1, "user_feedback": 0, "static_analysis": 0}
"""Weights under which a response's score is 100 · ok / (ok + failed)."""


def worth(name, score, hour=0, model="m", **more):
    """A response that scores so much, a whole number."""
    stated = {"response_id": name, "model": model, "occurred_at": MONDAY + timedelta(hours=hour)} | more
    return {"metadata": stated | {"tools_ok": score, "tools_failed": 100 - score}, "weights": ALONE}


def store(ledger, *records):
    return ledger.execute(StoreResponses(actor="ci", responses=list(records)))


def shown(ledger, name):
    return ledger.ask(ShowResponse(response_id=name))


def by_model(ledger, **filters):
    return ledger.ask(ResponseStats(filters=ResponseFilters(**filters)))["models"]


@pytest.mark.parametrize(
    ("score", "severity"),
    [(76, None), (75, "minor"), (66, "minor"), (65, "moderate"), (50, "moderate"), (49, "severe")],
)
def test_a_regression_is_as_severe_as_the_model_says(ledger, score, severity):
    """Against five of 80 before it: minor from −5, moderate from −15, severe below −30; the alert level is moderate."""
    answer = store(ledger, *(worth(f"r{n}", 80, n) for n in range(5)), worth("r5", score, 5))
    found = shown(ledger, "r5")
    assert (found["severity"], found["delta"]) == (severity, score - 80)
    assert [one.response_id for one in answer.alerts] == (["r5"] if severity in ("moderate", "severe") else [])
    assert found["alert"] == (severity in ("moderate", "severe"))
    assert [row["severity"] for row in found["regressions"]] == ([severity] if severity else [])


def test_fewer_than_five_before_it_say_nothing(ledger):
    """Nor do those of another model, those without a score, or a response whose model is not stated."""
    unscored = {"metadata": {"response_id": "u", "model": "m", "tools_unknown": 1}, "weights": ALONE}
    others = [worth(f"o{n}", 80, n, model="other") for n in range(5)]
    nameless = [worth(f"n{n}", 80 - 20 * (n == 6), n, model=None) for n in range(7)]
    store(ledger, *(worth(f"r{n}", 80, n) for n in range(4)), unscored, *others, *nameless, worth("r9", 10, 9))
    for name in ("r9", "n6", "u"):
        assert (shown(ledger, name)["delta"], shown(ledger, name)["severity"]) == (None, None)
    assert shown(ledger, "u")["composite"] is None


def test_the_window_is_the_twenty_before_it(ledger):
    """Of 25 before it the first five are out: (5·100 + 20·60) would be 68, the twenty are 60."""
    store(ledger, *(worth(f"r{n:02}", 100 if n < 5 else 60, n) for n in range(25)), worth("r25", 60, 25))
    assert shown(ledger, "r25")["delta"] == 0
    # r24 is compared with r04 to r23: (100 + 19·60) / 20 = 62
    assert shown(ledger, "r24")["delta"] == -2
    assert shown(ledger, "r24")["rolling_mean"] == 60


def test_a_late_arrival_and_a_statement_anew_judge_those_after_it_anew(ledger):
    """What was said before stays in the history of the regression."""
    store(ledger, *(worth(f"r{n}", 80, n) for n in range(1, 6)), worth("r6", 75, 6))
    assert shown(ledger, "r6")["severity"] == "minor"
    store(ledger, worth("late", 44, 0))
    # (44 + 5·80) / 6 = 74
    assert (shown(ledger, "r6")["delta"], shown(ledger, "r6")["severity"]) == (1, None)
    store(ledger, worth("late", 80, 0, model="other"))
    assert [row["severity"] for row in shown(ledger, "r6")["regressions"]] == ["minor", None, "minor"]
    assert [row["delta"] for row in shown(ledger, "r6")["regressions"]] == [-5, 1, -5]


def test_feedback_on_one_judges_those_after_it(ledger):
    """The first of six goes from 86 to 72: the sixth was 14 below the mean, now by a fifth of that less."""
    at = [{"response_id": f"r{n}", "model": "m", "occurred_at": MONDAY + timedelta(hours=n)} for n in range(6)]
    store(ledger, *({"metadata": one} for one in at[:5]), {"metadata": at[5], "feedback": ["revert"]})
    assert shown(ledger, "r5")["delta"] == pytest.approx(72 - 86)
    ledger.execute(AddFeedback(actor="dana", response_id="r0", signal="revert"))
    assert shown(ledger, "r5")["delta"] == pytest.approx(72 - (72 + 4 * 86) / 5)
    assert shown(ledger, "r4")["rolling_mean"] == pytest.approx((72 + 4 * 86) / 5)


def test_the_alert_level_can_be_set(tmp_path):
    with Ledger(tmp_path / "l.duckdb", Settings(responses={"regression": {"alert_level": "minor"}})) as ledger:
        answer = store(ledger, *(worth(f"r{n}", 80, n) for n in range(5)), worth("r5", 75, 5))
        assert [one.response_id for one in answer.alerts] == ["r5"]


def test_means_percentiles_and_the_trend_of_a_model(ledger):
    """10, 20, 40, 80, 90: p25 20, median 40, p75 80, mean 48; the week of 80 and 90 against that of 40."""
    week = 7 * 24
    scores = ((10, 0), (20, 1), (40, 2 * week), (80, 3 * week), (90, 3 * week + 1))
    store(ledger, *(worth(f"r{hour}", score, hour) for score, hour in scores), worth("x", 50, 0, model=None))
    (one, other) = sorted(by_model(ledger), key=lambda row: row["model"])
    assert (one["n"], one["mean"], one["p25"], one["median"], one["p75"]) == (5, 48, 20, 40, 80)
    assert (one["week"], one["week_mean"], one["week_before_mean"], one["trend"]) == (date(2026, 3, 23), 85, 40, 45)
    assert (one["week_n"], one["week_before_n"], one["rolling_mean"]) == (2, 1, 48)
    assert (other["model"], other["n"], other["trend"], other["rolling_mean"]) == ("unknown", 1, None, None)


def test_percentiles_are_those_of_numpy(ledger):
    """Linear between two values."""
    scores = [3, 14, 15, 92, 65, 35, 89]
    store(ledger, *(worth(f"r{n}", score, n) for n, score in enumerate(scores)))
    (found,) = by_model(ledger)
    assert [found[name] for name in ("p25", "median", "p75")] == pytest.approx(np.percentile(scores, [25, 50, 75]))


def test_days_are_days_in_utc_and_gaps_stay_gaps(ledger):
    store(ledger, worth("a", 10, -1), worth("b", 20, 0), worth("c", 40, 23), worth("d", 60, 72))
    days = ledger.ask(ResponseStats())["days"]
    assert [(row["day"], row["n"], row["mean"]) for row in days] == [
        (date(2026, 3, 1), 1, 10), (date(2026, 3, 2), 2, 30), (date(2026, 3, 5), 1, 60),
    ]  # fmt: skip


def test_nothing_stored_is_nothing_and_not_zero(ledger):
    """No mean, no models, no points."""
    stats = ledger.ask(ResponseStats())
    assert (stats["overall"]["n"], stats["overall"]["mean"], stats["models"], stats["days"]) == (0, None, [], [])
    assert ledger.ask(ResponseSeries()) == {"points": [], "regressions": []}
    assert ledger.ask(ListResponses()) == {"total": 0, "responses": []}


def test_filters_hold_together(ledger):
    """Model, session, story, provider, agent, time and severity; latest first, page by page."""
    store(
        ledger, *(worth(f"r{n}", 80, n, session_id="s", story_id="S-1") for n in range(5)),
        worth("bad", 10, 5, session_id="s", provider="p", agent="a"), worth("other", 50, 6, model="n"),
    )  # fmt: skip

    def found(limit=1000, offset=0, **filters):
        page = ledger.ask(ListResponses(filters=ResponseFilters(**filters), limit=limit, offset=offset))
        return page["total"], [row["response_id"] for row in page["responses"]]

    assert found(limit=2) == (7, ["other", "bad"])
    assert found(limit=2, offset=2) == (7, ["r4", "r3"])
    assert found(model="n") == (1, ["other"])
    assert found(session_id="s", since=MONDAY + timedelta(hours=4)) == (2, ["bad", "r4"])
    assert found(story_id="S-1", until=MONDAY + timedelta(hours=1)) == (1, ["r0"])
    assert found(severity="severe") == found(severity="minor") == found(provider="p", agent="a") == (1, ["bad"])
    assert by_model(ledger, story_id="S-1")[0]["mean"] == 80


def test_a_series_has_no_more_points_than_asked_for(ledger):
    """Each stands for as many as it says, one after the other; a regression is never lost between them."""
    store(ledger, *(worth(f"r{n:03}", 90 if n != 50 else 10, n) for n in range(100)))
    whole = ledger.ask(ResponseSeries())["points"]
    assert [(p["n"], p["response_id"]) for p in whole[:2]] == [(1, "r000"), (1, "r001")]
    few = ledger.ask(ResponseSeries(points=11))
    assert (len(few["points"]), sum(p["n"] for p in few["points"])) == (10, 100)
    assert (few["points"][5]["composite"], few["points"][5]["n"]) == (82, 10)
    assert [(r["response_id"], r["severity"], r["alert"]) for r in few["regressions"]] == [("r050", "severe", True)]
