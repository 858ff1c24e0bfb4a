"""Does a search find the runs whose title, id or note hold every word, as it is written, in any case?"""

import pytest

from quality.commands import AddRating, Filters
from quality.ledger import queries
from quality.observations import RunFact, StoryFact

NOTES = {"S_1": "100% Straße", "SX1": "100 per cent", "S-3": r"a\b NAÏVE שלום"}


@pytest.fixture
def stories(ledger, tell):
    """Three stories of a run each with a note; the titles are Alpha, Beta and none."""
    titles = {"S_1": "Alpha", "SX1": "Beta", "S-3": None}
    tell(
        *(StoryFact(story_id=story, title=title) for story, title in titles.items()),
        *(RunFact(story_id=story, agent="a", model_version="m", attempt=1) for story in titles),
    )
    for story, note in NOTES.items():
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=story, rating=6, note=note))
    return ledger


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alpha", {"S_1"}),
        ("s_1", {"S_1"}),
        ("100%", {"S_1"}),
        ("100", {"S_1", "SX1"}),
        ("BETA 100", {"SX1"}),
        ("beta alpha", set()),
        (r"A\B", {"S-3"}),
        ("naïve", {"S-3"}),
        ("שלום", {"S-3"}),
        ("STRAßE alpha", {"S_1"}),
        ("%", {"S_1"}),
        ("_", {"S_1"}),
        ("'; DROP TABLE ledger", set()),
    ],
)
def test_every_word_must_occur_as_it_is_written(stories, text, expected):
    """Words may stand in different fields; a percent sign or an underline is a letter like any other."""
    rows = queries.ledger_rows(stories.store, Filters(text=text), 10, 0)
    assert {row["story_id"] for row in rows} == expected
