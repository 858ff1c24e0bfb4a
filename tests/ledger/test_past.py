"""Every question about models says of an earlier instant what it said then, whatever was written since."""

from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import AddRating, Filters
from quality.errors import QualityError
from quality.ledger import queries, queries_models
from quality.ledger.ledger import Ledger
from quality.observations import RunFact, StoryFact, Verdict
from quality.settings import ScoringSettings, Settings
from quality.story_commands import EditStory
from tests.ledger.test_as_of import last_write, rate

EVERYTHING = Filters()
SEARCHED = Filters(text="parser", agent=("a",))


def told(store, scoring, now, filters=EVERYTHING):
    """What Overview and a model's page say."""
    return {
        "totals": queries.totals(store, filters) | {"stories": queries.count_stories(store, filters)},
        "leaderboard": queries.leaderboard(store, filters, scoring, now).to_pylist(),
        "kinds": queries_models.by_coordinate(store, filters, "discipline"),
        "weeks": queries_models.by_week(store, filters),
        "coverage": queries_models.coverage(store, filters),
        "distribution": queries_models.distribution(store, filters),
        "caveats": queries_models.caveats(store, filters),
        "stories": queries_models.stories(store, filters).to_pylist(),
        "effort": queries_models.effort(store, filters),
        "compare": queries_models.compare(store, filters, "m-1", "m-2"),
        "shared": queries_models.shared_stories(store, filters, "m-1", "m-2", "verifier").to_pylist(),
    }


@pytest.mark.parametrize("filters", [EVERYTHING, SEARCHED], ids=["all", "filtered"])
def test_an_earlier_instant_is_told_as_it_was(ledger, tell, filters):
    """Runs, costs, ratings and a corrected title came since; the answers of then are those that were given then."""
    write(tell, cost=1.5, verdict=6.0, attempt=1)
    rate(ledger, "S-1", 8)
    then, now = last_write(ledger), datetime.now(UTC)
    before = told(ledger.store, ledger.settings.scoring, now, filters)
    write(tell, cost=40.0, verdict=1.0, attempt=2)
    rate(ledger, "S-2", 2)
    ledger.execute(EditStory(actor="ops", story_id="S-2", title="No such word", discipline="docs"))
    past = ledger.past(then)
    assert told(past, past.scoring, now, filters) == before
    assert told(ledger.store, ledger.settings.scoring, now, filters) != before
    assert before["effort"]["mean_cost"] == 1.5
    assert before["compare"]["verifier"]["n_paired"] == 2


def write(tell, cost, verdict, attempt):
    """Two models do two stories once each, at this cost, and a verifier gives one of them a point more."""
    facts = [StoryFact(story_id=story, title="The parser", discipline="backend") for story in ("S-1", "S-2")]
    runs = [
        RunFact(story_id=story, agent="a", model_version=model, attempt=attempt, attributes=f'{{"cost_usd": {cost}}}')
        for story in ("S-1", "S-2")
        for model in ("m-1", "m-2")
    ]
    verdicts = [
        Verdict(run=place, quality=verdict + place % 2, verifier_agent="v", verifier_model="judge", occurred_at=datetime.now(UTC))
        for place in range(4)
    ]  # fmt: skip
    tell(*facts, *runs, *verdicts)


def test_the_settings_valid_then_are_those_of_then(tmp_path):
    """A score accepted at 9 now was accepted at 8 then; the routing score's decay is that of then."""
    with Ledger(tmp_path / "l.duckdb") as ledger:
        then = rate(ledger, "S-1", 8)
    strict = ScoringSettings.model_validate({"routing": {"weekly_decay": 0.5}})
    with Ledger(tmp_path / "l.duckdb", Settings(scoring=strict)) as ledger:
        rate(ledger, "S-2", 8)
        assert ledger.past(then).scoring.routing.weekly_decay == ScoringSettings().routing.weekly_decay
        assert ledger.past(last_write(ledger)).scoring.routing.weekly_decay == 0.5


def test_rows_of_an_instant_are_derived_once_and_anew_after_a_write(ledger):
    """What is written later may change what was then: words can be redacted."""
    then = rate(ledger, "S-1", 8)
    past = ledger.past(then)
    assert ledger.past(then) is past
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=3))
    assert ledger.past(then) is not past


def test_an_instant_that_is_yet_to_come_is_refused(ledger):
    with pytest.raises(QualityError, match="is yet to come"):
        ledger.past(datetime.now(UTC) + timedelta(days=1))
