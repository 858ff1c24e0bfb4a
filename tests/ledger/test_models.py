"""Do the questions about models give what a hand count gives?

Eight runs; week = Monday of the effective score. R7 changed its model on the way and R8 is not scored.

| run | story | model | discipline | auto | verifier | human | effective | rated |
|---|---|---|---|---|---|---|---|---|
| R1 | A | m1 | backend | 10 | 8 | 6 | 6 human | Mon 2026-03-02 |
| R2 | B | m1 | backend | – | 7 | – | 7 verifier | Sun 2026-03-08 23:59 UTC |
| R3 | C | m1 | docs | 4 | – | – | 4 auto | Mon 2026-03-09 00:00 UTC |
| R4 | A | m2 | backend | 8 | 5 | – | 5 verifier | Mon 2026-03-30 |
| R5 | B | m2 | backend | 6 | 9 | 9 | 9 human | Mon 2026-03-30 |
| R6 | D | m2 | not recorded | – | – | 3 | 3 human | Mon 2026-03-30 |
| R7 | C | m2 → m1 | docs | 2 | – | – | 2 auto | Mon 2026-03-30 |
| R8 | E | m1 | docs | – | – | – | – | |
"""

from datetime import UTC, date, datetime

import pytest

from quality.commands import Filters
from quality.errors import QualityError
from quality.ledger import queries_models as questions
from quality.ledger.ledger import Ledger
from tests.models_by_hand import fill

ALL = Filters()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The eight runs."""
    with Ledger(tmp_path_factory.mktemp("models") / "ledger.duckdb") as ledger:
        fill(ledger, tmp_path_factory.mktemp("told"))
        yield ledger.store


def test_a_cell_is_the_mean_of_one_model_at_one_kind_of_work(store):
    """m1, backend: effective (6 + 7) / 2 = 6.5 of two, auto 10 of one. The split run is in no cell, the unscored in no n."""
    cells = {(cell["model"], cell["value"]): cell for cell in questions.by_coordinate(store, ALL, "discipline")}
    assert cells.keys() == {("m1", "backend"), ("m1", "docs"), ("m2", "backend"), ("m2", None)}
    backend = cells["m1", "backend"]
    assert (backend["effective_mean"], backend["n"], backend["mean_auto"], backend["n_with_auto"]) == (6.5, 2, 10, 1)
    assert (backend["mean_verifier"], backend["n_with_verifier"], backend["mean_human"]) == (7.5, 2, 6)
    docs = cells["m1", "docs"]
    assert (docs["n"], docs["n_runs"], docs["effective_mean"]) == (1, 2, 4)
    assert (cells["m2", "backend"]["effective_mean"], cells["m2", None]["effective_mean"]) == (7, 3)
    assert {(cell["n_models"], cell["n_values"]) for cell in cells.values()} == {(2, 3)}


def test_only_the_most_rated_models_and_kinds_travel(store, monkeypatch):
    """One of each: m1 and m2 have three scored runs each, so the first by name; backend has four of the six."""
    monkeypatch.setattr(questions, "MOST_MODELS", 1)
    monkeypatch.setattr(questions, "MOST_VALUES", 1)
    (cell,) = questions.by_coordinate(store, ALL, "discipline")
    assert (cell["model"], cell["value"], cell["n_models"], cell["n_values"]) == ("m1", "backend", 2, 3)


def test_filters_hold_for_cells(store):
    """Of human scores there are three: 6 of m1, and 9 and 3 of m2."""
    cells = questions.by_coordinate(store, Filters(tier="human"), "discipline")
    assert {(cell["model"], cell["value"]): cell["effective_mean"] for cell in cells} == {
        ("m1", "backend"): 6, ("m2", "backend"): 9, ("m2", None): 3,
    }  # fmt: skip


def test_a_kind_of_work_that_is_none_is_refused(store):
    with pytest.raises(QualityError, match=r"'dicipline' is no kind of work: .*Did you mean: discipline"):
        questions.by_coordinate(store, ALL, "dicipline")


def test_a_week_starts_on_monday_in_utc_and_a_week_without_scores_is_a_gap(store):
    """Sunday 23:59 is of the week before Monday 00:00; two weeks of nothing lie between 9 and 30 March."""
    weeks = questions.by_week(store, ALL)
    assert [row["week"] for row in weeks] == [date(2026, 3, day) for day in (2, 9, 16, 23, 30)]
    assert [row["n"] for row in weeks] == [2, 1, 0, 0, 3]
    assert [row["mean_verifier"] for row in weeks] == [7.5, None, None, None, 7]
    assert [row["mean_human"] for row in weeks] == [6, None, None, None, 6]
    assert [row["n_with_auto"] for row in weeks] == [1, 1, 0, 0, 2]
    assert weeks[0]["n_weeks"] == 5


def test_only_the_last_weeks_travel(store, monkeypatch):
    monkeypatch.setattr(questions, "MOST_WEEKS", 2)
    weeks = questions.by_week(store, ALL)
    assert [(row["week"], row["n_weeks"]) for row in weeks] == [(date(2026, 3, 23), 5), (date(2026, 3, 30), 5)]


def test_nothing_scored_has_no_weeks(store):
    assert questions.by_week(store, Filters(since=datetime(2027, 1, 1, tzinfo=UTC))) == []
    assert questions.by_coordinate(store, Filters(text="zzz"), "phase") == []


def test_sets_of_tiers_add_up_to_all_runs(store):
    """All three: R1, R5. Auto and verifier: R4. Auto: R3, R7. Verifier: R2. Human: R6. None: R8."""
    sets = {(row["auto"], row["verifier"], row["human"]): row["n_tiers"] for row in questions.coverage(store, ALL)}
    assert sets == {
        (True, True, True): 2, (True, True, False): 1, (True, False, False): 2, (False, True, False): 1,
        (False, False, True): 1, (False, False, False): 1,
    }  # fmt: skip


def test_scores_fall_in_steps_of_one_point(store):
    """m1: auto 10 is in the last step and 4 in step 4; verifier 8 and 7; human 6."""
    rows = questions.distribution(store, Filters(model_version="m1"))
    steps = {(row["tier"], row["step"]): row["n_step"] for row in rows}
    assert steps == {("auto", 9): 1, ("auto", 4): 1, ("verifier", 8): 1, ("verifier", 7): 1, ("human", 6): 1}


def test_two_models_are_compared_on_the_stories_that_both_did(store):
    """A and B. Auto: A alone, 10 − 8 = 2. Verifier: A 8 − 5 = 3 and B 7 − 9 = −2, mean 0.5. Human: no pair."""
    pairs = questions.compare(store, ALL, "m1", "m2")
    assert {row["n_shared"] for row in pairs.values()} == {2}
    auto, verifier, human = (pairs[tier] for tier in ("auto", "verifier", "human"))
    assert (auto["n_paired"], auto["paired_difference"], auto["paired_low"]) == (1, 2, None)
    assert (verifier["n_paired"], verifier["paired_difference"], verifier["n_better"], verifier["n_worse"]) == (
        2,
        0.5,
        1,
        1,
    )
    assert (human["n_paired"], human["paired_difference"]) == (0, None)
    # spread √((2.5² + 2.5²) / 1), over √2 = 2.5, times t for one degree of freedom
    assert verifier["paired_high"] - 0.5 == pytest.approx(12.7062 * 2.5, abs=1e-3)


def test_shared_stories_have_the_largest_difference_first(store):
    rows = questions.shared_stories(store, ALL, "m1", "m2", "verifier").to_pylist()
    assert [(row["story_id"], row["paired_difference"]) for row in rows] == [("A", 3), ("B", -2)]


def test_models_without_a_shared_story_have_nothing_to_compare(store):
    assert questions.compare(store, ALL, "m1", "nobody") == {}


def test_what_runs_took_is_read_from_their_attributes(store):
    """m1: 0.50 and 1.50 dollars are 1.00 a run; 60 seconds of one run; no estimate is known. m2: nothing is."""
    took = questions.effort(store, Filters(model_version="m1"))
    assert (took["mean_cost"], took["n_with_cost"]) == (1.0, 2)
    assert (took["median_duration"], took["n_with_duration"]) == (60, 1)
    assert (took["median_duration_vs_estimate"], took["n_with_ratio"]) == (None, 0)
    assert questions.effort(store, Filters(model_version="m2"))["n_with_cost"] == 0
