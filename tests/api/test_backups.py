"""Backups over HTTP: who may ask for them, and how the file leaves."""

from pathlib import Path

import httpx
import pytest

from quality.api.downloads import TICKETS, download_path
from quality.backup_commands import BackUp, CheckBackup, ListBackups, Restore
from quality.commands import AddRating
from quality.roles import Forbidden, Who


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
@pytest.mark.parametrize(
    "asked", [BackUp(actor="v"), Restore(actor="v", path="/b"), ListBackups(), CheckBackup(path="/etc/passwd")]
)
def test_backups_are_for_admins(owner, role, asked):
    """Neither is the ledger replaced nor a path of the server looked at for anybody else, and no token reaches them."""
    carry_out = owner.ledger.execute if isinstance(asked, BackUp | Restore) else owner.ledger.ask
    with pytest.raises(Forbidden, match=f"{asked.name} needs the role admin, and v is a {role}"):
        carry_out(asked, Who("v", role))
    token = Who("token:ci", "admin", frozenset(("ingest", "review", "read")))
    with pytest.raises(Forbidden, match=f"{asked.name} is open to no token"):
        carry_out(asked, token)


def test_a_backup_and_a_restore_are_answered_like_any_command(owner):
    """The whole way over HTTP with the owner's secret; writes that come after go to the restored ledger."""
    made = owner.post("back_up", {"actor": "ops"})
    assert made.status_code == 200
    path = made.json()["path"]
    owner.ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-LATER", rating=5, create=True))
    looked = owner.post("check_backup", {"path": path}).json()
    assert (looked["lost"], looked["lost_writes"][0]["actor"]) == (1, "dana")
    refused = owner.post("restore", {"actor": "ops", "path": path, "most_lost": 0})
    assert refused.status_code == 409
    done = owner.post("restore", {"actor": "ops", "path": path, "most_lost": 1}).json()
    assert done["lost"] == 1
    assert owner.post("show_story", {"story_id": "S-LATER"}).status_code == 404
    assert owner.post("list_activity", {"limit": 1}).json()["writes"][0]["kind"] == "restore"


@pytest.mark.parametrize("path", ["backup.duckdb", "/nowhere/backup.duckdb", "/etc/passwd"])
def test_what_cannot_be_restored_is_a_reason_and_no_fault(owner, path):
    answer = owner.post("restore", {"actor": "ops", "path": path})
    assert answer.status_code in (400, 404, 500)
    assert path in answer.json()["error"]
    assert "Traceback" not in answer.text


def test_a_backup_is_streamed_from_its_file(owner):
    """Byte for byte, as a download of its name, in parts where the browser asks for parts; gone once the file is."""
    path = Path(owner.post("back_up", {"actor": "ops"}).json()["path"])
    link = f"{owner.address}/{download_path(TICKETS.issue(path, path.name))}"
    answer = httpx.get(link, timeout=30, trust_env=False)
    assert answer.content == path.read_bytes()
    assert answer.headers["content-disposition"].startswith(f'attachment; filename="{path.name}"')
    assert (answer.headers["content-length"], answer.headers["cache-control"]) == (str(path.stat().st_size), "no-store")
    part = httpx.get(link, headers={"Range": "bytes=0-3"}, timeout=30, trust_env=False)
    assert (part.status_code, part.content) == (206, path.read_bytes()[:4])
    path.unlink()
    gone = httpx.get(link, timeout=30, trust_env=False)
    assert (gone.status_code, gone.json()["error"]) == (410, "this file is not there any more: load the page again")
