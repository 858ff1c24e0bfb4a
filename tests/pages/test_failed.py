"""Does somebody whose ledger cannot be opened learn why, and get the command that helps?"""

import shlex
import shutil
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.process import HOME
from quality.backup_commands import BackUp
from quality.commands import AddRating
from quality.errors import LedgerBusy, LedgerNewer
from quality.home import Home, State
from quality.ledger.ledger import Ledger
from quality.roles import Who
from quality.trouble import Trouble, trouble_with
from tests.pages.conftest import PAGES
from tests.pages.test_home import settled
from tests.serving import ROOT

DAMAGED = b"no database, but long enough to be looked at as one" * 100


@pytest.fixture
def path(tmp_path):
    """A ledger of one rating, backed up, and damaged since."""
    made = tmp_path / "ledger.duckdb"
    with Ledger(made) as ledger:
        ledger.execute(AddRating(actor="ana", reviewer="ana", story_id="S-1", rating=7, create=True))
        ledger.execute(BackUp(actor="ana"))
    made.write_bytes(DAMAGED)
    return made


@pytest.fixture
def home(path, monkeypatch):
    monkeypatch.setenv("QUALITY_LEDGER", str(path))
    opened = Home(data=path.parent)
    yield opened
    opened.close()


@pytest.fixture
def screen(monkeypatch, tmp_path):
    monkeypatch.setenv("QUALITY_LEDGER", str(tmp_path / "ledger.duckdb"))

    def run(trouble):
        monkeypatch.setattr(HOME, "_state", State("failed", reason=trouble.reason, trouble=trouble))
        app = AppTest.from_file(str(PAGES / "main.py"), default_timeout=20)
        app.run()
        assert not app.exception, app.exception
        assert app.title[0].value == "The ledger cannot be opened"
        return app

    yield run
    monkeypatch.setattr(HOME, "_state", State())


def test_a_damaged_ledger_is_restored_by_the_command_that_the_screen_shows(home, path, screen):
    """Copied as it stands; then Try again opens it."""
    home.start()
    trouble = settled(home).trouble
    assert (trouble.kind, [backup["runs"] for backup in trouble.backups]) == ("damaged", [1])
    reason, command = [code.value for code in screen(trouble).code]
    assert "not a ledger that this version can open" in reason
    words = [sys.executable, *shlex.split(command)[1:], "--yes"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    home.retry()
    assert settled(home).phase == "ready"
    assert home.ledger().store.rows("SELECT story_id FROM ledger") == [{"story_id": "S-1"}]


def test_a_copy_from_before_a_migration_is_offered_too(path):
    """The latest first, three at most; what lies there besides is none."""
    (backup,) = (path.parent / "backups").glob("*.duckdb")
    for version in ("003", "004", "005"):
        shutil.copyfile(backup, path.with_name(f"ledger.duckdb.before-{version}-20260101T000000"))
    (path.with_name("other.duckdb.before-003-20260101T000000")).write_bytes(b"x")
    error = _why(path)
    names = [one["name"] for one in trouble_with(path, error).backups]
    assert names == [f"ledger.duckdb.before-{version}-20260101T000000" for version in ("005", "004", "003")]


def _why(path):
    with pytest.raises(Exception, match="not a ledger") as caught:
        Ledger(path)
    return caught.value


def test_without_a_backup_the_way_is_shown_all_the_same(path, screen):
    shutil.rmtree(path.parent / "backups")
    shown = screen(trouble_with(path, _why(path)))
    assert shown.code[1].value == f"python -m quality --ledger {path} restore FILE"


def test_a_newer_ledger_asks_for_an_upgrade_first(path, screen):
    """A backup of a schema that this version does not know is not offered."""
    with Ledger(path.with_name("new.duckdb")) as ledger:
        with ledger.store.transaction() as tx:
            tx.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
        ledger.execute(BackUp(actor="ana"))
    with pytest.raises(LedgerNewer, match="written by a newer version") as caught:
        Ledger(path.with_name("new.duckdb"))
    trouble = trouble_with(path.with_name("new.duckdb"), caught.value)
    assert trouble.kind == "newer"
    assert [one["schema_version"] for one in trouble.backups] == [5]
    assert any("Upgrade Quality Tiers" in text.value for text in screen(trouble).markdown)


def test_a_ledger_in_use_names_who_has_it_and_leads_there(tmp_path, screen):
    """No backup is offered: the ledger is whole."""
    busy = tmp_path / "ledger.duckdb"
    with Ledger(busy) as ledger:
        ledger.store.owner.serve_at("http://127.0.0.1:8599")
        with pytest.raises(LedgerBusy, match="in use by process") as caught:
            Ledger(busy, wait=0.01)
        trouble = trouble_with(busy, caught.value)
    assert (trouble.kind, trouble.served_at, trouble.backups) == ("busy", "http://127.0.0.1:8599", ())
    shown = screen(trouble)
    assert "in use by process" in shown.code[0].value
    assert len(shown.code) == 1
    assert [link.proto.url for link in shown.get("link_button")] == ["http://127.0.0.1:8599"]


def test_a_damaged_sample_is_to_be_deleted_not_restored(path, screen):
    shown = screen(trouble_with(path, _why(path), sample=True))
    assert len(shown.code) == 1
    assert any("delete the file" in text.value for text in shown.markdown)


def test_who_is_no_admin_gets_no_command(path, screen, monkeypatch):
    monkeypatch.setattr("pages.components.viewer.who", lambda: Who("eva", "viewer"))
    shown = screen(trouble_with(path, _why(path)))
    assert len(shown.code) == 1
    assert any("An admin can" in text.value for text in shown.markdown)


def test_trouble_without_a_file_is_its_reason(screen):
    assert [code.value for code in screen(Trouble("other", "x: no space: make room")).code] == [
        "x: no space: make room"
    ]
