"""Is a run's neighbour the row beside it in the table, whatever the order and the filters?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.commands import AddRating, Filters, Rebuild
from quality.errors import QualityError
from quality.ledger import queries
from quality.ledger.neighbours import place_of
from quality.observations import RunFact, StoryFact, Verdict


@pytest.fixture
def runs(ledger, tell):
    """Seven runs of two agents: scores that are equal, different and unknown, with and without a title."""
    scores = [8.0, 8.0, None, 5.0, 9.5, None, 8.0]
    tell(
        *(StoryFact(story_id=f"S-{n}", title=f"title {n % 2}") for n in range(3)),
        *(RunFact(story_id=f"S-{n}", agent=f"a{n % 2}", model_version="m", attempt=1) for n in range(7)),
        *(Verdict(run=n, quality=score, verifier_agent="v") for n, score in enumerate(scores) if score is not None),
    )
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-3", rating=8.0, note="b"))
    ledger.execute(Rebuild(actor="dana"))
    return ledger


@given(sort=st.sampled_from(queries.SORTABLE), descending=st.booleans(), agent=st.sampled_from([None, "a0"]))
@settings(max_examples=60)
def test_neighbours_are_the_rows_of_the_table(runs, sort, descending, agent):
    """Walked from the first to the last and back, the list is the table's, and positions count from 1."""
    filters = Filters(agent=agent)
    order = {"sort": sort, "descending": descending}
    ids = queries.runs_page(runs.store, filters, limit=50, **order)["run_id"].to_pylist()
    places = [place_of(runs.store, filters, run_id, **order) for run_id in ids]
    assert [place.position for place in places] == list(range(1, len(ids) + 1))
    assert [place.next for place in places] == [*ids[1:], None]
    assert [place.previous for place in places] == [None, *ids[:-1]]
    assert {(place.total, place.fits) for place in places} == {(len(ids), True)}


def test_a_run_that_does_not_fit_has_the_place_it_would_have(runs):
    """Of agent a0 there are S-0, S-2, S-4 and S-6; S-3, of a1, would stand between the second and the third."""
    ids = {row["story_id"]: row["run_id"] for row in queries.ledger_rows(runs.store, Filters(), 10, 0)}
    place = place_of(runs.store, Filters(agent="a0"), ids["S-3"], sort="story_id", descending=False)
    assert (place.position, place.total, place.fits) == (3, 4, False)
    assert (place.previous, place.next) == (ids["S-2"], ids["S-4"])


def test_a_run_that_there_is_not_has_no_neighbours(runs):
    place = place_of(runs.store, Filters(), "nonsense")
    assert (place.fits, place.previous, place.next) == (False, None, None)


def test_only_what_a_table_sorts_by_is_an_order(runs):
    with pytest.raises(QualityError, match="cannot sort by '1; DROP TABLE ledger'"):
        place_of(runs.store, Filters(), "x", sort="1; DROP TABLE ledger")
