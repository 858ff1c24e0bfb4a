"""Who holds the file, and what survives (DESIGN.md, Who may write)."""

import json
import os
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import duckdb
import pytest

from quality.commands import AddRating, Rebuild
from quality.errors import LedgerBusy, LedgerUnusable
from quality.ledger.ledger import Ledger
from quality.ledger.migrations import SCHEMA_VERSION
from quality.ledger.owner import OwnerFile

ROOT = Path(__file__).parents[2]


def rate(ledger, rating=7.0, story="S-1", **more):
    return ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=story, rating=rating, create=True, **more))


def in_another_process(script, *args):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, args)],
        cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True,
    )  # fmt: skip


HOLD = """
    import sys
    from quality.ledger.ledger import Ledger
    with Ledger(sys.argv[1], purpose="a long import"):
        print("held", flush=True)
        sys.stdin.readline()
"""


def test_a_second_process_is_told_who_holds_the_ledger(tmp_path):
    holder = in_another_process(HOLD, tmp_path / "l.duckdb")
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(LedgerBusy, match=rf"in use by process {holder.pid} \(a long import, since .* UTC\)"):
        Ledger(tmp_path / "l.duckdb", wait=0.2)
    holder.communicate("\n")
    with Ledger(tmp_path / "l.duckdb", wait=0.2) as ledger:
        assert ledger.store.rows("SELECT count(*) AS n FROM audit") == [{"n": 0}]


def test_the_owner_file_is_private_and_goes_with_its_owner(tmp_path):
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger:
        owner = path.with_name("l.duckdb.owner")
        assert stat.S_IMODE(owner.stat().st_mode) == 0o600
        secret = ledger.store.owner.serve_at("http://127.0.0.1:1")
        assert stat.S_IMODE(owner.stat().st_mode) == 0o600
        said = json.loads(owner.read_text())
        assert (said["pid"], said["address"], said["secret"]) == (os.getpid(), "http://127.0.0.1:1", secret)
    assert not owner.exists()


def test_a_stale_owner_file_of_another_is_not_removed_by_us(tmp_path):
    mine, other = OwnerFile(tmp_path / "l.duckdb"), OwnerFile(tmp_path / "l.duckdb")
    mine.announce("first")
    other.announce("second")
    mine.forget()
    assert other.read().purpose == "second"


def test_a_rating_acknowledged_before_a_kill_is_there_afterwards(tmp_path):
    script = """
        import os, signal, sys
        from quality.ledger.ledger import Ledger
        from quality.commands import AddRating
        ledger = Ledger(sys.argv[1])
        for n in range(5):
            ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=f"S-{n}", rating=n, create=True))
            print(n, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = in_another_process(script, tmp_path / "l.duckdb")
    acknowledged = killed.communicate()[0].split()
    assert acknowledged == ["0", "1", "2", "3", "4"]
    assert killed.returncode == -9
    with Ledger(tmp_path / "l.duckdb", wait=1) as ledger:
        rows = ledger.store.rows("SELECT story_id, quality FROM ledger ORDER BY story_id")
    assert rows == [{"story_id": f"S-{n}", "quality": n} for n in range(5)]


def test_many_threads_write_and_read_at_once_and_nothing_is_lost(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as ledger:
        rate(ledger, 0)
        failures, seen = [], []

        def write(name):
            try:
                for n in range(15):
                    rate(ledger, n % 11, note=f"{name}-{n}")
                    seen.append(ledger.store.rows("SELECT count(*) AS n FROM overrides")[0]["n"])
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        notes = {row["note"] for row in ledger.store.rows("SELECT note FROM overrides WHERE note IS NOT NULL")}
        assert notes == {f"{name}-{n}" for name in "abcd" for n in range(15)}
        recorded = [r["t"] for r in ledger.store.rows("SELECT recorded_at AS t FROM overrides")]
        assert len(set(recorded)) == len(recorded) == 61, "no two writes share an instant"


def test_closing_closes_every_cursor_so_that_the_next_process_may_write(tmp_path):
    path = tmp_path / "l.duckdb"
    ledger = Ledger(path)
    rate(ledger)
    opened = threading.Thread(target=lambda: kept.append(ledger.store.cursor()))
    kept = []
    opened.start()
    opened.join()
    with ledger.store.snapshot() as reading:
        ledger.close()
        with pytest.raises(duckdb.Error):
            reading.rows("SELECT * FROM ledger")
        script = """
            import sys, duckdb
            print(duckdb.connect(sys.argv[1]).execute("SELECT count(*) FROM overrides").fetchall())
        """
        assert in_another_process(script, path).communicate()[0] == "[(1,)]\n", "nobody holds the file any more"


def test_a_write_that_fails_stores_nothing(tmp_path, monkeypatch):
    with Ledger(tmp_path / "l.duckdb") as ledger:
        rate(ledger)
        monkeypatch.setattr("quality.ledger.ratings.recompute_human", lambda *_: 1 / 0)
        version = ledger.version
        with pytest.raises(ZeroDivisionError):
            rate(ledger, 3)
        assert ledger.store.rows("SELECT count(*) AS n FROM overrides") == [{"n": 1}]
        assert ledger.version == version


def test_a_disk_that_is_full_is_one_line_and_the_ledger_goes_on(tmp_path, monkeypatch):
    with Ledger(tmp_path / "l.duckdb") as ledger:
        rate(ledger)

        def full(*_):
            raise duckdb.IOException("Could not write file: No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("quality.ledger.ratings.recompute_human", full)
            with pytest.raises(LedgerUnusable, match="nothing was stored, the disk is full or failing: make room"):
                rate(ledger, 3)
        assert rate(ledger, 4).row["quality"] == 4


def test_after_a_failed_checkpoint_the_ledger_is_opened_anew(tmp_path):
    """DuckDB then refuses all work in that process; as soon as there is room the owner works on, without a restart."""
    with Ledger(tmp_path / "l.duckdb") as ledger:

        def fail() -> None:
            with ledger.store.transaction():
                for cursor in [*ledger.store._cursors, ledger.store._connection]:
                    cursor.close()
                raise duckdb.FatalException("FATAL Error: Failed to create checkpoint: No space left on device")

        rate(ledger, 3)
        with pytest.raises(LedgerUnusable, match="the disk is full or failing"):
            fail()
        assert ledger.store.rows("SELECT count(*) AS n FROM overrides") == [{"n": 1}]
        with ledger.store.snapshot() as snapshot:
            assert snapshot.value("SELECT count(*) FROM overrides") == 1
        assert rate(ledger, 4).row["quality"] == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.mkdir(), "is a folder: name a ledger file in it"),
        (lambda p: p.write_text("story_id,quality\n"), "not a ledger that this version can open"),
        (lambda p: p.write_bytes(b""), "not a ledger that this version can open"),
        (lambda p: p.write_bytes(b"SQLite format 3\0" + bytes(4080)), "not a ledger that this version can open"),
    ],
)
def test_a_path_that_is_no_ledger_is_one_line_with_the_remedy(tmp_path, make, message):
    path = tmp_path / "l.duckdb"
    make(path)
    with pytest.raises(LedgerUnusable, match=message) as caught:
        Ledger(path)
    assert "\n" not in str(caught.value)
    assert not path.with_name("l.duckdb.owner").exists()


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(LedgerUnusable, match="its folder does not exist"):
        Ledger(tmp_path / "no" / "l.duckdb")


def test_a_newer_schema_is_refused_and_left_untouched(tmp_path):
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger, ledger.store.transaction() as tx:
        tx.execute("UPDATE meta SET value = $v WHERE key = 'schema_version'", {"v": str(SCHEMA_VERSION + 1)})
    with pytest.raises(LedgerUnusable, match=f"schema {SCHEMA_VERSION + 1}, this one knows {SCHEMA_VERSION}"):
        Ledger(path)


def test_another_duckdb_file_is_not_taken_for_a_ledger(tmp_path):
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE pets (name VARCHAR)")
    with pytest.raises(LedgerUnusable, match="a DuckDB file, but not a ledger"):
        Ledger(path)


def test_the_same_idempotency_key_answers_the_same_and_writes_once(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as ledger:
        first = rate(ledger, idempotency_key="k-1")
        again = rate(ledger, idempotency_key="k-1")
        assert again.override_id == first.override_id
        assert ledger.store.rows("SELECT count(*) AS n FROM overrides") == [{"n": 1}]
        with pytest.raises(Exception, match="idempotency key k-1 was used for add_rating"):
            ledger.execute(Rebuild(actor="dana", idempotency_key="k-1"))


def test_every_write_is_audited_with_its_actor(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as ledger:
        rate(ledger, note="kept")
        ledger.execute(Rebuild(actor="eli"))
        audit = ledger.store.rows("SELECT name, actor, request FROM audit ORDER BY recorded_at")
    assert [(a["name"], a["actor"]) for a in audit] == [("add_rating", "dana"), ("rebuild", "eli")]
    assert json.loads(audit[0]["request"])["note"] == "kept"
