"""A response is handed over at once; a thread puts it away, and nothing that was accepted is lost at a normal stop."""

import asyncio
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from quality.client import open_door
from quality.ledger.ledger import Ledger
from quality.ledger.owner import OwnerFile
from quality.response_commands import ListResponses, ShowResponse
from quality.response_scorer import ResponseScorer
from quality.response_spool import Spool
from quality.settings import Settings
from tests.serving import serving, wait_until

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = {"linger_seconds": 0, "wait_seconds": 0.1}
NEUTRAL = 86.0
"""All tools succeeded, no feedback, no diagnostics: (40·100 + 35·70) / 75."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "l.duckdb"


def total(path):
    with Ledger(path) as ledger:
        return ledger.ask(ListResponses())["total"]


def in_ledger(path, name):
    with Ledger(path) as ledger:
        return ledger.ask(ShowResponse(response_id=name))


def test_what_is_submitted_is_stored_and_scored(path):
    """With its snapshots and feedback; an id and a time are made up where none is stated."""
    with ResponseScorer(path) as scorer:
        made = scorer.submit({"model": "m", "tools_ok": 1})
        assert scorer.submit({"response_id": "r"}, {"errors": 0, "warnings": 0}, {"errors": 1, "warnings": 0}) == "r"
        assert scorer.feedback("r", "edit-after-apply", "e")
        assert scorer.feedback("r", "edit_after_apply", "e")
        assert scorer.drain(60)
        assert (scorer.counts.accepted, scorer.counts.stored) == (4, 4)
    # correctness 90, feedback 65, static 65: 0.4·90 + 0.35·65 + 0.25·65
    assert in_ledger(path, "r")["composite"] == 75.0
    found = in_ledger(path, made)
    assert (found["composite"], found["model"]) == (NEUTRAL, "m")
    assert found["ts"] < found["recorded_at"]


def test_the_ledger_is_free_between_two_batches(path):
    """An agent that lives long does not keep the dashboard out."""
    with ResponseScorer(path, **AT_ONCE) as scorer:
        for n in range(2):
            scorer.submit({"response_id": f"r{n}"})
            assert scorer.drain(60)
            assert total(path) == n + 1


def test_a_full_queue_drops_and_counts(path, monkeypatch, caplog):
    """The caller is told at once, with no id; what was accepted is put away all the same."""
    gate = threading.Event()
    put_away = ResponseScorer._put_away
    monkeypatch.setattr(ResponseScorer, "_put_away", lambda self, batch: (gate.wait(60), put_away(self, batch)))
    with caplog.at_level(logging.WARNING), ResponseScorer(path, queue_size=5) as scorer:
        given = [scorer.submit({"response_id": f"r{n}"}) for n in range(8)]
        assert not scorer.feedback("r0", "accept")
        assert given == ["r0", "r1", "r2", "r3", "r4", None, None, None]
        assert (scorer.counts.accepted, scorer.counts.dropped) == (5, 4)
        gate.set()
    assert total(path) == 5
    assert "dropped so far: 5 are waiting already" in caplog.text


def test_what_does_not_fit_is_logged_and_never_raised(path, caplog):
    """One bad response does not keep the others of its batch from being stored."""
    with caplog.at_level(logging.WARNING), ResponseScorer(path) as scorer:
        scorer.submit({"response_id": "bad", "tools_ok": -1})
        scorer.submit(7)  # type: ignore[arg-type]
        scorer.submit({"response_id": "good"})
        scorer.feedback("good", "applause")
        scorer.feedback("good", "accept")
        assert scorer.drain(60)
        assert (scorer.counts.rejected, scorer.counts.stored) == (3, 2)
    assert "response bad rejected: metadata.tools_ok = -1" in caplog.text
    assert "feedback good rejected: signal = 'applause'" in caplog.text
    assert in_ledger(path, "good")["accept"] == 1


def test_nothing_accepted_is_lost_when_it_is_closed(path):
    """Closing puts away all that waits; afterwards everything is dropped."""
    scorer = ResponseScorer(path, linger_seconds=30)
    for n in range(500):
        scorer.submit({"response_id": f"r{n}"})
    scorer.close()
    scorer.close()
    assert scorer.submit({}) is None
    assert (scorer.counts.stored, scorer.counts.dropped) == (500, 1)
    assert total(path) == 500


def test_it_can_be_awaited(path):
    """`async with` closes it, `await` drains it; the event loop goes on meanwhile."""

    async def use():
        async with ResponseScorer(path) as scorer:
            scorer.submit({"response_id": "r"})
            assert await scorer
            assert scorer.counts.stored == 1

    asyncio.run(use())
    assert total(path) == 1


def test_a_held_ledger_is_spooled_for_and_imported_later_once(path, caplog):
    """By the next batch that reaches the ledger; feedback and responses keep their identity."""
    with ResponseScorer(path, **AT_ONCE) as scorer:
        with Ledger(path, purpose="another script"), caplog.at_level(logging.WARNING):
            scorer.submit({"response_id": "r"})
            scorer.feedback("r", "accept")
            assert scorer.drain(60)
            assert (scorer.counts.spooled, scorer.counts.lost) == (2, 0)
            copy = Spool(path).path.read_bytes()
        assert "in use by process" in caplog.text
        wait_until(lambda: time.monotonic() >= scorer._spool_until, "the next try")
        scorer.submit({"response_id": "s"})
        assert scorer.drain(60)
    assert Spool(path).waiting() == []
    assert [row["signal"] for row in in_ledger(path, "r")["feedback"]] == ["accept"]
    Spool(path).path.write_bytes(copy)
    with Ledger(path) as ledger:
        Spool(path).import_waiting(ledger, "eli")
    assert total(path) == 2
    assert in_ledger(path, "r")["accept"] == 1


def test_where_not_even_the_spool_can_be_written_it_is_counted(tmp_path, caplog):
    """The caller hears nothing of it."""
    with caplog.at_level(logging.WARNING), ResponseScorer(tmp_path / "none" / "l.duckdb", **AT_ONCE) as scorer:
        assert scorer.submit({"response_id": "r"}) == "r"
        assert scorer.drain(60)
        assert scorer.counts.lost == 1
    assert "could not be put away" in caplog.text


def test_the_owner_takes_them_and_what_waited(path, tmp_path):
    """With the dashboard open responses go to it, and what was spooled before is imported when it opens."""
    with Ledger(path), ResponseScorer(path, **AT_ONCE) as scorer:
        scorer.submit({"response_id": "early"})
        assert scorer.drain(60)
    with serving(path, tmp_path / "log"):
        wait_until(lambda: (holder := OwnerFile(path).read()) is not None and holder.address is not None, "an owner")
        wait_until(lambda: Spool(path).waiting() == [], "the spool to be imported")
        with ResponseScorer(path) as scorer:
            scorer.submit({"response_id": "late"})
        assert scorer.counts.stored == 1
        with open_door(path, Settings()) as door:
            assert {row["response_id"] for row in door.ask(ListResponses())["responses"]} == {"early", "late"}


SUBMIT_ALL = """
import sys
from quality.response_scorer import ResponseScorer
scorer = ResponseScorer(sys.argv[1], batch_size=20, linger_seconds=0.01)
for n in range(int(sys.argv[2])):
    scorer.submit({"response_id": f"r{n}", "model": "m", "tools_ok": 1})
    scorer.feedback(f"r{n}", "accept", f"e{n}")
print("submitted", flush=True)
if len(sys.argv) > 3:
    sys.stdin.read()
"""


def process(path, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", SUBMIT_ALL, str(path), *arguments], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def test_a_process_that_ends_loses_nothing(path):
    """Without a word to the scorer: the interpreter's end is its close."""
    ended = process(path, "300")
    ended.communicate(timeout=120)
    assert ended.returncode == 0
    assert total(path) == 300
    assert in_ledger(path, "r299")["accept"] == 1


@pytest.mark.parametrize("moment", [0.05, 0.3, 0.6, 0.9, 1.3])
def test_a_killed_process_leaves_a_whole_ledger(path, moment):
    """kill −9 while batches are stored: each response there has its score, and the rest can be stored again."""
    killed = process(path, "400", "wait")
    killed.stdout.readline()
    time.sleep(moment)
    killed.kill()
    killed.communicate()
    with Ledger(path) as ledger:
        counts = ledger.store.rows(
            "SELECT (SELECT count(*) FROM responses) AS statements, (SELECT count(*) FROM response_rows) AS rows, "
            "(SELECT count(DISTINCT response_id) FROM response_scores) AS scored, "
            "(SELECT count(*) FROM response_rows WHERE composite IS NULL) AS unscored"
        )[0]
        assert counts["statements"] == counts["rows"] == counts["scored"]
        assert counts["unscored"] == 0
    with ResponseScorer(path) as scorer:
        for n in range(400):
            scorer.submit({"response_id": f"r{n}", "model": "m", "tools_ok": 1})
            scorer.feedback(f"r{n}", "accept", f"e{n}")
    with Ledger(path) as ledger:
        assert ledger.store.rows("SELECT count(*) AS n, sum(accept) AS accepts FROM response_rows") == [
            {"n": 400, "accepts": 400}
        ]
