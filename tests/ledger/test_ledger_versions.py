"""What is read of the rows is read anew when a write can have changed it, and not at every other write."""

import pytest

from quality.command_base import Touched
from quality.commands import COMMANDS, AddRating, Command, Rebuild, UndoRating
from quality.ledger.ledger import Ledger
from quality.response_commands import AddFeedbacks, FeedbackOn


@pytest.fixture
def versions(tmp_path):
    """`versions(command)` → by how much (every write, scores, runs) have moved."""
    with Ledger(tmp_path / "own.duckdb") as ledger:
        ledger.execute(AddRating(actor="a", reviewer="a", story_id="S-1", rating=5, create=True))

        def moved(command):
            before = (ledger.version, ledger.scores_version, ledger.runs_version)
            ledger.execute(command)
            after = (ledger.version, ledger.scores_version, ledger.runs_version)
            return tuple(bool(now - then) for now, then in zip(after, before, strict=True))

        yield moved


RATING = {"actor": "a", "reviewer": "a", "story_id": "S-1"}


@pytest.mark.parametrize(
    ("command", "moved"),
    [
        (AddRating(**RATING, rating=7), (True, True, False)),
        (AddRating(**RATING | {"story_id": "S-2"}, rating=7, create=True), (True, True, True)),
        (UndoRating(**RATING), (True, True, False)),
        (AddFeedbacks(actor="a", events=[FeedbackOn(response_id="r", signal="redo")]), (True, False, False)),
        (Rebuild(actor="a"), (True, True, True)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_write_moves_what_it_can_have_changed(versions, command, moved):
    assert versions(command) == moved


def test_a_command_sent_again_moves_nothing(versions):
    command = AddRating(**RATING, rating=7)
    assert versions(command)[1]
    assert versions(command)[1:] == (False, False)


def test_every_write_says_what_it_touches():
    """What says nothing counts as touching the runs, which is always right and never quick."""
    assert {kind.touches for kind in COMMANDS.values() if issubclass(kind, Command)} <= set(Touched.__args__)
