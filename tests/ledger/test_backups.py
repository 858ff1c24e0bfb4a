"""Is a backup whole, whatever goes on meanwhile, and does a restore look before it replaces?"""

import hashlib
import io
import json
import os
import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from quality.backup_commands import BackUp, CheckBackup, ListBackups, Restore
from quality.commands import AddRating, Rebuild, UndoRating
from quality.errors import Conflict, LedgerBusy, LedgerUnusable, NotFound, QualityError
from quality.ledger import backups
from quality.ledger.backup_restoring import restore_unopened
from quality.ledger.backups import mark_as_sample
from quality.ledger.ledger import Ledger
from quality.ledger.migrations import SCHEMA_VERSION

AUDIT = "SELECT name, actor FROM audit ORDER BY recorded_at"
STORIES = "SELECT story_id FROM ledger ORDER BY story_id"


def rate(ledger, story, by="dana", rating=7.0):
    ledger.execute(AddRating(actor=by, reviewer=by, story_id=story, rating=rating, create=True))


def stories(ledger):
    return [row["story_id"] for row in ledger.store.rows(STORIES)]


def stories_in(path):
    with duckdb.connect(str(path), read_only=True) as connection:
        return [story for (story,) in connection.execute(STORIES).fetchall()]


@pytest.fixture
def backup(ledger):
    """A backup of a ledger with S-1; after it S-2 is rated."""
    rate(ledger, "S-1")
    done = ledger.execute(BackUp(actor="ops"))
    rate(ledger, "S-2", by="lee")
    return done


def test_a_backup_is_a_ledger_of_that_moment_and_says_what_is_in_it(ledger, backup):
    """Named by time beside the ledger, for its owner alone, with size, counts and SHA-256 in a file beside it."""
    path = Path(backup.path)
    assert path.parent == ledger.path.parent / "backups"
    assert path.name.startswith("l-20")
    assert path.name.endswith("Z.duckdb")
    assert (backup.runs, backup.stories, backup.writes, backup.bytes) == (1, 1, 1, path.stat().st_size)
    assert backup.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = path.with_name(path.name + ".json")
    assert json.loads(manifest.read_text())["sha256"] == backup.sha256
    assert [p.stat().st_mode & 0o777 for p in (path.parent, path, manifest)] == [0o700, 0o600, 0o600]
    assert stories_in(path) == ["S-1"]
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name, manifest.name]


def test_a_backup_is_recorded_and_changes_nothing_when_it_is_sent_again(ledger):
    rate(ledger, "S-1")
    command = BackUp(actor="ops", idempotency_key="nightly-1")
    assert ledger.execute(command) == ledger.execute(command)
    assert len(list(backups.folder_of(ledger.path).glob("*.duckdb"))) == 1
    assert ledger.store.rows(AUDIT) == [{"name": "add_rating", "actor": "dana"}, {"name": "back_up", "actor": "ops"}]


def test_a_backup_never_overwrites(ledger, tmp_path):
    """Two of one second have two names; a file that is named and there is refused, whatever is in it."""
    first, second = (ledger.execute(BackUp(actor="ops")) for _ in range(2))
    assert first.path != second.path
    there = tmp_path / "mine.duckdb"
    there.write_text("mine")
    with pytest.raises(Conflict, match=r"mine\.duckdb: is there already, and a backup never overwrites"):
        ledger.execute(BackUp(actor="ops", path=str(there)))
    assert there.read_text() == "mine"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("b.duckdb", "give the whole path"),
        ("/nowhere/b.duckdb", "/nowhere: no such folder"),
        ("/proc/b.duckdb", "/proc"),
    ],
)
def test_a_place_that_cannot_be_written_is_named(ledger, path, reason):
    with pytest.raises(QualityError, match=reason):
        ledger.execute(BackUp(actor="ops", path=path))


def test_a_backup_without_room_is_refused_before_it_begins(ledger, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(LedgerUnusable, match=r"1 bytes are free and the copy needs [0-9,]+: make room"):
        ledger.execute(BackUp(actor="ops"))
    assert list(backups.folder_of(ledger.path).iterdir()) == []
    assert ledger.store.rows(AUDIT) == []


def test_what_a_killed_backup_left_is_removed_by_the_next(ledger):
    folder = backups.folder_of(ledger.path)
    folder.mkdir()
    (folder / "l-20260101T000000Z.duckdb.part").write_text("half")
    done = ledger.execute(BackUp(actor="ops"))
    assert {p.name for p in folder.iterdir()} == {done.name, done.name + ".json"}


def test_a_backup_is_consistent_while_others_write(ledger):
    """Each holds whole writes only: as many rows of the audit as ratings, and every rating in its row."""
    stop = threading.Event()

    def write():
        for number in range(10_000):
            if stop.is_set():
                return
            rate(ledger, f"S-{number}")

    rate(ledger, "S-first")
    writers = [threading.Thread(target=write) for _ in range(2)]
    for thread in writers:
        thread.start()
    made = [ledger.execute(BackUp(actor="ops")) for _ in range(5)]
    stop.set()
    for thread in writers:
        thread.join()
    for done in made:
        with duckdb.connect(done.path, read_only=True) as copy:
            ratings, rated, runs = copy.execute(
                "SELECT (SELECT count(*) FROM audit WHERE name = 'add_rating'), (SELECT count(*) FROM overrides), "
                "(SELECT count(*) FROM ledger WHERE quality IS NOT NULL)"
            ).fetchone()
        assert (ratings, rated, runs) == (ratings, ratings, done.runs)
    assert made[0].runs < made[-1].runs


def test_a_look_at_a_backup_tells_what_would_be_lost(ledger, backup):
    """Writes by kind and in words; that a backup was made is no loss. Nothing is changed, nothing left behind."""
    ledger.execute(UndoRating(actor="lee", reviewer="lee", story_id="S-2"))
    before = sorted(p.name for p in ledger.path.parent.iterdir())
    found = ledger.ask(CheckBackup(path=backup.path))
    assert (found["lost"], found["returned"], found["schema_before"]) == (2, 0, SCHEMA_VERSION)
    assert found["lost_kinds"] == {"add_rating": 1, "undo_rating": 1}
    assert [one["words"] for one in found["lost_writes"]] == [
        "took back their own rating 7 of S-2",
        "rated S-2: 7, a story that was not known before",
    ]
    assert (found["backup"]["runs"], found["ledger"]["runs"]) == (1, 2)
    assert sorted(p.name for p in ledger.path.parent.iterdir()) == before


def test_a_look_warns_of_what_was_forgotten_since(ledger, backup):
    """A redaction that the backup does not have would be undone by it."""
    assert ledger.ask(CheckBackup(path=backup.path))["forgotten"] == 0
    ledger.store.cursor().execute(
        "INSERT INTO audit BY NAME SELECT uuidv7() AS command_id, 'redact_note' AS name, 'lee' AS actor, now() AS recorded_at"
    )
    assert ledger.ask(CheckBackup(path=backup.path))["forgotten"] == 1


def test_a_restore_brings_the_state_back_and_keeps_what_it_replaces(ledger, backup):
    """The restored ledger says who did it; the replaced one lies among the backups and can be restored in turn."""
    version = ledger.version
    done = ledger.execute(Restore(actor="ops", path=backup.path))
    assert (done.lost, done.returned, done.runs, done.writes) == (1, 0, 1, 2)
    assert stories(ledger) == ["S-1"]
    assert ledger.version > version
    assert ledger.store.rows(AUDIT) == [{"name": "add_rating", "actor": "dana"}, {"name": "restore", "actor": "ops"}]
    assert stories_in(done.kept) == ["S-1", "S-2"]
    rate(ledger, "S-3")
    again = ledger.execute(Restore(actor="ops", path=done.kept))
    assert stories(ledger) == ["S-1", "S-2"]
    assert (again.lost, again.returned) == (2, 1)  # lost: the first restore and S-3; returned: S-2
    kinds = {one["name"]: one["replaced"] for one in ledger.ask(ListBackups())["backups"]}
    assert sorted(kinds.values()) == [False, True, True]


def test_a_restored_ledger_is_written_and_opened_like_any_other(ledger, backup, tmp_path):
    """Its owner file, lock and permissions are those of before, and a restart finds it."""
    ledger.path.chmod(0o640)
    secret = ledger.store.owner.serve_at("http://127.0.0.1:1")
    ledger.execute(Restore(actor="ops", path=backup.path))
    assert ledger.store.owner.secret == secret
    assert ledger.store.owner.read().secret == secret
    assert ledger.path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(LedgerBusy):
        Ledger(ledger.path, wait=0)
    rate(ledger, "S-9")
    ledger.execute(Rebuild(actor="ops"))
    ledger.close()
    with Ledger(ledger.path) as again:
        assert stories(again) == ["S-1", "S-9"]


def test_a_restore_sent_twice_is_done_once(ledger, backup):
    command = Restore(actor="ops", path=backup.path, idempotency_key="r-1")
    first = ledger.execute(command)
    rate(ledger, "S-5")
    assert ledger.execute(command) == first
    assert stories(ledger) == ["S-1", "S-5"]


def test_a_write_after_the_look_stops_the_restore(ledger, backup):
    """Whoever agreed to lose one write does not lose two."""
    rate(ledger, "S-3")
    with pytest.raises(Conflict, match="1 writes more were made since the backup was looked at: look again"):
        ledger.execute(Restore(actor="ops", path=backup.path, most_lost=1))
    assert stories(ledger) == ["S-1", "S-2", "S-3"]


def test_readers_see_the_old_ledger_or_the_restored_one_and_no_error(ledger, backup):
    """Four threads read all along; two restores, there and back."""
    seen, faults, stop = set(), [], threading.Event()

    def read():
        while not stop.is_set():
            try:
                seen.add(tuple(stories(ledger)))
            except Exception as error:
                faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for thread in readers:
        thread.start()
    kept = ledger.execute(Restore(actor="ops", path=backup.path)).kept
    ledger.execute(Restore(actor="ops", path=kept))
    stop.set()
    for thread in readers:
        thread.join()
    assert faults == []
    assert seen <= {("S-1", "S-2"), ("S-1",)}


def test_a_long_read_breaks_off_with_a_reason(ledger, backup, monkeypatch):
    """A restore does not wait for ever; what was read in part is not passed for a whole."""
    monkeypatch.setattr("quality.ledger.store.GRACE_SECONDS", 0.2)

    def read_on():
        with ledger.store.snapshot() as reading:
            assert reading.value("SELECT count(*) FROM ledger") == 2
            ledger.execute(Restore(actor="ops", path=backup.path))
            reading.value("SELECT count(*) FROM ledger")

    with pytest.raises(LedgerBusy, match="another state was restored while it was read: try again"):
        read_on()
    assert stories(ledger) == ["S-1"]


@pytest.fixture
def bad(ledger, tmp_path, backup):
    """Name of a fault → a file that has it."""

    def make(fault):
        path = tmp_path / f"{fault}.duckdb"
        content = bytearray(Path(backup.path).read_bytes())
        if fault == "text":
            path.write_text("not a database")
        elif fault == "cut":
            path.write_bytes(content[: len(content) // 2])
        elif fault == "changed":
            shutil.copy(backup.path, path)
            shutil.copy(backup.path + ".json", str(path) + ".json")
            with path.open("r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"x")
        elif fault == "foreign":
            with duckdb.connect(str(path)) as other:
                other.execute("CREATE TABLE meta (i INTEGER)")
        elif fault == "newer":
            shutil.copy(backup.path, path)
            with duckdb.connect(str(path)) as other:
                other.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
        elif fault == "folder":
            path.mkdir()
        return str(path)

    return make


@pytest.mark.parametrize(
    ("fault", "error", "reason"),
    [
        ("text", LedgerUnusable, "text.duckdb: not a ledger that this version can open"),
        ("cut", LedgerUnusable, "cut.duckdb: "),
        ("changed", LedgerUnusable, "changed.duckdb: not as it was written, see its SHA-256"),
        ("foreign", LedgerUnusable, "foreign.duckdb: not a ledger"),
        ("newer", LedgerUnusable, "newer.duckdb: written by a newer version .schema 99"),
        ("folder", QualityError, "folder.duckdb: not a file"),
        ("missing", NotFound, "missing.duckdb: no such file"),
    ],
)
def test_a_bad_backup_is_refused_by_name_and_the_ledger_is_as_it_was(ledger, bad, fault, error, reason):
    """Nothing of the try is left beside the ledger."""
    path, before = bad(fault), sorted(p.name for p in ledger.path.parent.iterdir() if p.suffix != ".duckdb")
    for asked in (lambda: ledger.ask(CheckBackup(path=path)), lambda: ledger.execute(Restore(actor="ops", path=path))):
        with pytest.raises(error, match=reason):
            asked()
    assert stories(ledger) == ["S-1", "S-2"]
    after = sorted(p.name for p in ledger.path.parent.iterdir() if p.suffix != ".duckdb")
    assert [name for name in after if name not in before and not name.startswith(fault)] == []


def test_the_ledger_is_no_backup_of_itself(ledger):
    with pytest.raises(QualityError, match="the ledger itself: name a backup of it"):
        ledger.ask(CheckBackup(path=str(ledger.path)))


def test_a_second_name_of_the_ledger_is_no_backup(ledger, backup):
    """As a restore leaves it that is killed between the two names; the next one clears it away."""
    second = backups.folder_of(ledger.path) / "l-20260101T000000Z-replaced.duckdb"
    second.hardlink_to(ledger.path)
    (ledger.path.parent / "l.duckdb.restoring-0").write_text("half")
    assert [b["name"] for b in ledger.ask(ListBackups())["backups"]] == [backup.name]
    with pytest.raises(QualityError, match="the ledger itself"):
        ledger.ask(CheckBackup(path=str(second)))
    ledger.execute(Restore(actor="ops", path=backup.path))
    assert not second.exists()
    assert list(ledger.path.parent.glob("*.restoring-*")) == []


def test_two_restores_at_once_come_one_after_the_other(ledger, backup):
    """Neither takes the other's copy away."""
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(ledger.execute(Restore(actor="ops", path=backup.path))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.lost for answer in answers) == [1, 1, 1]  # S-2, then the restore before
    assert stories(ledger) == ["S-1"]


def test_a_backup_from_elsewhere_joins_the_others_once_it_was_read(ledger, backup):
    """Under a name by the time; what is no ledger leaves nothing."""
    done = backups.receive(ledger.store, io.BytesIO(Path(backup.path).read_bytes()), "ops")
    assert done.name.endswith("-received.duckdb")
    assert (done.runs, done.sha256, done.received) == (1, backup.sha256, True)
    assert ledger.ask(ListBackups())["last"]["recorded_at"] < done.made_at  # it is no backup of this ledger
    before = {path.name for path in Path(done.path).parent.iterdir()}
    with pytest.raises(LedgerUnusable, match="the file: not a ledger that this version can open"):
        backups.receive(ledger.store, io.BytesIO(b"text"), "ops")
    assert {path.name for path in Path(done.path).parent.iterdir()} == before


def test_sample_and_own_ledger_never_mix(ledger, backup, tmp_path):
    """The sample can be backed up; nothing is restored into it, and its backup into no other."""
    with Ledger(tmp_path / "sample.duckdb") as sample:
        mark_as_sample(sample.store)
        of_sample = sample.execute(BackUp(actor="ops"))
        assert of_sample.sample
        assert [b["name"] for b in sample.ask(ListBackups())["backups"]] == [of_sample.name]
        with pytest.raises(QualityError, match="is the sample ledger, and the sample ledger and your own never mix"):
            sample.execute(Restore(actor="ops", path=backup.path))
    with pytest.raises(
        QualityError, match="a backup of the sample ledger, and the sample ledger and your own never mix"
    ):
        ledger.execute(Restore(actor="ops", path=of_sample.path))
    assert [b["name"] for b in ledger.ask(ListBackups())["backups"]] == [backup.name]


def test_an_older_backup_is_migrated_in_the_copy(ledger, backup, tmp_path, monkeypatch):
    """The file that was named stays as it is; the restored ledger has our schema and says how it came to it."""
    older = tmp_path / "older.duckdb"
    with monkeypatch.context() as patch:
        patch.setattr("quality.ledger.migrations.SCHEMA_VERSION", 3)
        Ledger(older).close()
    content = older.read_bytes()
    done = ledger.execute(Restore(actor="ops", path=str(older)))
    assert (done.schema_before, done.schema_version, done.lost) == (3, SCHEMA_VERSION, 2)
    assert older.read_bytes() == content
    migrations = [row["name"] for row in ledger.store.rows(AUDIT)]
    assert migrations == ["migrate"] * (SCHEMA_VERSION - 3) + ["restore"]
    assert list(ledger.path.parent.glob("*.before-*")) == []


def test_a_ledger_that_cannot_be_opened_or_is_gone_is_put_right_by_a_backup(ledger, backup):
    """The unusable file is kept; who did it stands in the restored ledger."""
    ledger.close()
    ledger.path.write_text("burnt")
    ledger.path.with_name(ledger.path.name + ".wal").write_text("burnt too")
    done = restore_unopened(ledger.path, Restore(actor="ops", path=backup.path), wait=1)
    assert Path(done.kept).read_text() == "burnt"
    assert done.lost is None
    ledger.path.unlink()
    done = restore_unopened(ledger.path, Restore(actor="ops", path=backup.path), wait=1)
    assert (done.kept, done.lost) == (None, 0)
    with Ledger(ledger.path) as again:
        assert stories(again) == ["S-1"]
        assert again.store.rows(AUDIT)[-1] == {"name": "restore", "actor": "ops"}
