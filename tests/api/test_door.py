"""The caller's side: the same commands reach a ledger that another process holds, and nothing is lost."""

import os
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from quality.api import MARK
from quality.client import open_door
from quality.commands import AddRating, ExportRows, ImportArtifact, ListScores, ShowStory
from quality.errors import LedgerBusy, QualityError
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.ledger.owner import Holder, OwnerFile
from quality.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
IMPATIENT = Settings.model_validate({"limits": {"lock_seconds": 0.3}})


def rate(story: str, rating: float, reviewer: str = "eli") -> AddRating:
    return AddRating(actor=reviewer, reviewer=reviewer, story_id=story, rating=rating, create=True)


def test_here_and_there_answer_the_same(owner, tmp_path):
    """Through the owner a question has the answer the file gives."""
    with open_door(owner.ledger.path, Settings()) as door:
        there = door.ask(ShowStory(story_id="S-1"))
        listed = door.ask(ListScores())
    owner.ledger.close()
    with open_door(owner.ledger.path, Settings()) as door:
        assert door.ask(ShowStory(story_id="S-1")) == there
        assert door.ask(ListScores()) == listed


def test_a_refusal_of_the_owner_is_shown_like_our_own(owner):
    """Text, exit code and status."""
    command = rate("S-9", 5).model_copy(update={"create": False})
    with (
        open_door(owner.ledger.path, Settings()) as door,
        pytest.raises(QualityError, match="S-9: no such story") as raised,
    ):
        door.execute(command)
    assert (raised.value.exit_code, raised.value.status) == (2, 404)


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_an_export_through_the_owner_is_the_same_file(owner, tmp_path, file_format):
    """Byte for byte."""
    question = ExportRows(format=file_format)
    here, there = tmp_path / "here", tmp_path / "there"
    export_rows(owner.ledger.store, question, here)
    with open_door(owner.ledger.path, Settings()) as door:
        assert door.export(question, there) == 1
    assert there.read_bytes() == here.read_bytes()


def test_an_artifact_is_sent_with_its_bytes(owner, tmp_path):
    """The same file through the owner and then here is the same import."""
    backup = tmp_path / "backup.jsonl"
    with Ledger(tmp_path / "other.duckdb") as other:
        other.execute(rate("S-7", 3))
        export_rows(other.store, ExportRows(format="jsonl", full=True), backup)
    command = ImportArtifact(actor="eli", path=str(backup))
    with open_door(owner.ledger.path, Settings()) as door:
        answer = door.execute(command)
        assert (answer.path, answer.status, answer.counts["overrides"]) == (str(backup), "imported", 1)
        with pytest.raises(QualityError, match=r"gone\.csv: no such file"):
            door.execute(command.model_copy(update={"path": str(tmp_path / "gone.csv")}))
    again = owner.ledger.execute(command.model_copy(update={"idempotency_key": "other"}))
    assert again.status == "unchanged"


def test_writers_lose_nothing_while_an_import_runs(owner, tmp_path):
    """4 callers × 25 ratings through the owner beside imports and reads: 100 ratings, no error."""
    backup = tmp_path / "backup.jsonl"
    with Ledger(tmp_path / "other.duckdb") as other:
        for number in range(50):
            other.execute(rate(f"I-{number}", 5))
        export_rows(other.store, ExportRows(format="jsonl", full=True), backup)
    faults: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            with open_door(owner.ledger.path, Settings()) as door:
                for number in range(25):
                    door.execute(rate(f"W-{writer}-{number}", number % 11, f"writer-{writer}"))
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    with open_door(owner.ledger.path, Settings()) as door:
        door.execute(ImportArtifact(actor="eli", path=str(backup)))
        while any(thread.is_alive() for thread in threads):
            door.ask(ListScores())
    for thread in threads:
        thread.join()
    assert faults == []
    assert owner.ledger.ask(ListScores())["total"] == 1 + 50 + 100


def test_the_command_line_goes_through_the_owner(owner, tmp_path):
    """Every command, as a process of its own, while the ledger is held."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("QUALITY_")}
    env = own | {"PYTHONPATH": str(ROOT), "QUALITY_LEDGER": str(owner.ledger.path), "QUALITY_REVIEWER": "eli"}

    def run(*arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "quality", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)

    assert "Stored 3.0 by eli for S-1" in run("score", "add", "S-1", "3").stdout
    assert "rating 11: out of range" in run("score", "add", "S-1", "11").stderr
    state = run("doctor", "--json").stdout
    assert '"purpose": "dashboard"' in state
    assert owner.secret not in state
    assert run("export", "--output", "rows.csv").stdout == "Wrote 1 row to rows.csv\n"


def test_a_holder_that_does_not_answer_is_named_in_time(tmp_path):
    """No address: the wait is bounded, and the message says who it is."""
    path = tmp_path / "ledger.duckdb"
    with Ledger(path, purpose="a long import"), open_door(path, IMPATIENT) as door:
        begun = time.monotonic()
        with pytest.raises(LedgerBusy, match=rf"in use by process {os.getpid()} \(a long import"):
            door.ask(ListScores())
        assert time.monotonic() - begun < 5


def test_an_owner_that_hangs_is_named_in_time(tmp_path):
    """It accepts connections and says nothing: nobody waits as long as a long import may take."""
    path = tmp_path / "ledger.duckdb"
    with socket.create_server(("127.0.0.1", 0)) as silent, Ledger(path, purpose="dashboard") as ledger:
        ledger.store.owner.serve_at(f"http://127.0.0.1:{silent.getsockname()[1]}")
        begun = time.monotonic()
        with (
            open_door(path, IMPATIENT) as door,
            pytest.raises(LedgerBusy, match=rf"process {os.getpid()} \(dashboard\) at .* did not answer within 2 s"),
        ):
            door.ask(ListScores())
        assert time.monotonic() - begun < 10


@pytest.mark.parametrize("answer", [b'{"models": []}', b"<html>"], ids=["another form", "no JSON"])
def test_an_owner_of_another_version_is_told_to_start_anew(tmp_path, answer):
    """One line, whatever it answers."""

    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(404)

        def do_POST(self):
            self.send_response(200)
            for name, value in MARK.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            """Nothing on the test's output."""

    path = tmp_path / "ledger.duckdb"
    with HTTPServer(("127.0.0.1", 0), Other) as server, Ledger(path, purpose="dashboard") as ledger:
        ledger.store.owner.serve_at(f"http://127.0.0.1:{server.server_port}")
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            with (
                open_door(path, IMPATIENT) as door,
                pytest.raises(QualityError, match="in a form that this version does not know: start it anew"),
            ):
                door.execute(rate("S-1", 5))
        finally:
            server.shutdown()
            serving.join()


@pytest.mark.parametrize("pid", [os.getpid(), 2**22 - 1], ids=["a living process", "none"])
def test_a_stale_owner_file_does_not_mislead(tmp_path, pid):
    """The holder was killed: its lock is free, its address is nobody's."""
    path = tmp_path / "ledger.duckdb"
    with Ledger(path) as ledger:
        ledger.execute(rate("S-1", 9))
    stale = Holder(pid=pid, purpose="dashboard", since="2026-01-01T00:00:00Z", address="http://127.0.0.1:9", secret="s")
    OwnerFile(path.resolve()).path.write_text(stale.model_dump_json())
    with open_door(path, IMPATIENT) as door:
        assert door.ask(ListScores())["total"] == 1


def test_an_owner_that_stops_meanwhile_is_taken_over_from(tmp_path):
    """Its address does not answer any more, and a little later the lock is free: no error is shown."""
    path = tmp_path / "ledger.duckdb"
    ledger = Ledger(path, purpose="dashboard")
    ledger.store.owner.serve_at("http://127.0.0.1:9")
    stopping = threading.Timer(0.5, ledger.close)
    stopping.start()
    with open_door(path, Settings()) as door:
        assert door.execute(rate("S-1", 9)).row["quality"] == 9.0
    stopping.join()
