"""Which ledger is opened, is the sample kept apart from the team's own, and is a failure one clear sentence?"""

import threading
import time

import pytest

from quality.commands import AddRating
from quality.errors import QualityError
from quality.home import Home, State
from quality.ledger.ledger import Ledger


def one_rating(ledger, tell):
    """A builder: one story, with its progress."""
    tell("Reading the sample", 0.5)
    ledger.execute(AddRating(actor="sample data", reviewer="dana", story_id="SAMPLE", rating=5, create=True))


def settled(home):
    """The state once it no longer opens."""
    for _ in range(200):
        if home.state.phase not in ("idle", "opening"):
            return home.state
        time.sleep(0.02)
    raise AssertionError(f"still {home.state}")


def stories(home):
    return [row["story_id"] for row in home.ledger().store.rows("SELECT story_id FROM ledger")]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home in an empty folder, with a sample of one rating."""
    monkeypatch.delenv("QUALITY_LEDGER", raising=False)
    made = Home(data=tmp_path, builder=one_rating)
    yield made
    made.close()


def test_the_first_start_builds_and_opens_the_sample(home, tmp_path):
    """It is marked as one, and the building site is gone."""
    home.start()
    assert settled(home).sample
    assert stories(home) == ["SAMPLE"]
    assert not (tmp_path / "sample-building.duckdb").exists()


def test_the_teams_own_ledger_goes_before_the_sample(home, tmp_path):
    Ledger(tmp_path / "ledger.duckdb").close()
    home.start()
    assert not settled(home).sample
    assert home.ledger().path.name == "ledger.duckdb"


def test_a_named_ledger_goes_before_both(home, tmp_path, monkeypatch):
    """QUALITY_LEDGER is created where it is missing."""
    monkeypatch.setenv("QUALITY_LEDGER", str(tmp_path / "named.duckdb"))
    home.start()
    assert not settled(home).sample
    assert home.ledger().path.name == "named.duckdb"


def test_an_own_ledger_is_empty_and_leaves_the_sample_as_it_was(home, tmp_path):
    """The two never mix; who holds the file is told of the new one only."""
    told = []
    home.on_open.append(lambda ledger: told.append(ledger.path.name))
    home.start()
    settled(home)
    home.start_own()
    assert not home.state.sample
    assert stories(home) == []
    assert told == ["sample.duckdb", "ledger.duckdb"]
    assert not (tmp_path / "sample.duckdb.owner").exists()
    home.close()
    with Ledger(tmp_path / "sample.duckdb") as sample:
        assert sample.store.rows("SELECT count(*) AS n FROM ledger") == [{"n": 1}]


def test_an_own_ledger_is_started_once(home):
    home.start()
    settled(home)
    home.start_own()
    with pytest.raises(QualityError, match="your own ledger already is"):
        home.start_own()


def test_an_interrupted_build_is_never_opened_as_the_sample(home, tmp_path):
    """It fails with its reason, and the next start goes on from there."""

    def broken(ledger, tell):
        one_rating(ledger, tell)
        raise QualityError("conala.csv: missing: restore it")

    home.builder = broken
    home.start()
    assert settled(home).reason == "conala.csv: missing: restore it"
    assert not (tmp_path / "sample.duckdb").exists()
    home.builder = lambda ledger, tell: None
    home.retry()
    assert settled(home).sample
    assert stories(home) == ["SAMPLE"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no database, but long enough to be looked at as one" * 100, "not a ledger that this version can open"),
        (None, "is a folder"),
    ],
    ids=["not a database", "a folder"],
)
def test_what_cannot_be_opened_is_one_sentence_with_a_remedy(home, tmp_path, monkeypatch, content, reason):
    path = tmp_path / "broken.duckdb"
    path.mkdir() if content is None else path.write_bytes(content)
    monkeypatch.setenv("QUALITY_LEDGER", str(path))
    home.start()
    state = settled(home)
    assert state.phase == "failed"
    assert reason in state.reason
    assert "\n" not in state.reason
    with pytest.raises(QualityError, match="broken"):
        home.ledger()


def test_a_home_that_is_closed_while_it_opens_holds_nothing(home, tmp_path):
    """The file can be opened by somebody else as soon as the build has ended."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(ledger, tell):
        begun.set()
        go_on.wait(10)
        tell("half", 0.5)

    home.builder = slow
    home.start()
    assert begun.wait(10)
    home.close()
    go_on.set()
    for thread in threading.enumerate():
        if thread.name == "open-ledger":
            thread.join(10)
    assert home.state == State()
    assert (tmp_path / "sample.duckdb").exists()
    Ledger(tmp_path / "sample.duckdb", wait=0.1).close()


def test_a_failure_is_not_tried_again_by_every_page(home, tmp_path, monkeypatch):
    """Only `retry` begins again."""
    monkeypatch.setenv("QUALITY_LEDGER", str(tmp_path))
    home.start()
    settled(home)
    home.start()
    assert home.state.phase == "failed"
