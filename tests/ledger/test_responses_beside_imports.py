"""Responses and imports take turns in one ledger that stays open; neither trips over what the other left."""

from quality.observations import RunFact
from quality.response_commands import AddFeedback, ListResponses, StoreResponses


def test_imports_and_responses_take_turns(ledger, tell):
    """A new response between two imports is kept, its feedback counts, and the second import is whole."""
    record = {"metadata": {"response_id": "r", "model": "m", "tools_ok": 1, "story_id": "S-1"}}
    tell(RunFact(story_id="S-1", agent="a", model_version="m", attempt=1))
    assert ledger.execute(StoreResponses(actor="ci", responses=[record])).stored == 1
    assert ledger.execute(AddFeedback(actor="dana", response_id="r", signal="accept")).composite == 93
    assert tell(RunFact(story_id="S-2", agent="a", model_version="m", attempt=1)).counts["runs"] == 1
    assert ledger.execute(StoreResponses(actor="ci", responses=[record])).unchanged == 1
    assert ledger.ask(ListResponses())["total"] == 1
    assert ledger.store.rows("SELECT count(*) AS n FROM ledger")[0]["n"] == 2
