"""Activity, backup and restore from a terminal, with and without a dashboard that holds the ledger."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from quality.api import routes
from quality.ledger.ledger import Ledger
from quality.settings import Settings
from tests.api.conftest import serving


@pytest.fixture
def rated(run):
    """S-1 by dana, then S-2 by lee."""
    run("score", "add", "S-1", "8", "--create")
    run("score", "add", "S-2", "4", "--create", QUALITY_REVIEWER="lee")


def stories(path):
    with Ledger(path) as ledger:
        return [row["story_id"] for row in ledger.store.rows("SELECT story_id FROM ledger ORDER BY story_id")]


def test_activity_lists_writes_in_words(run, rated):
    """Filters narrow it, and an id shows one whole."""
    done = run("activity")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("when (UTC)")
    assert "lee   rated S-2: 4, a story that was not known before" in lines[1]
    (one,) = run("activity", "--actor", "dana", "--kind", "add_rating", "--json").json["writes"]
    assert one["words"] == "rated S-1: 8, a story that was not known before"
    assert run("activity", "--story", "S-2", "--json").json["total"] == 1
    shown = run("activity", one["command_id"]).out
    assert "dana rated S-1: 8" in shown
    assert '"rating": 8.0' in shown


def test_activity_goes_on_where_a_page_ended(run, rated):
    done = run("activity", "--limit", "1")
    assert "1 of 2 writes; go on with --before " in done.err
    last = done.err.split()[-1]
    assert [w["actor"] for w in run("activity", "--before", last, "--json").json["writes"]] == ["dana"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ("--kind", "add_ratin"),
            "--kind add_ratin: no such kind: give one of add_rating, .* Did you mean: add_rating",
        ),
        (("--limit", "0"), "limit"),
        (("--since", "soon"), "--since soon: not a time"),
        (("no-such-id",), "no-such-id: no such write"),
    ],
)
def test_a_wrong_word_is_named(run, rated, arguments, reason):
    done = run("activity", *arguments)
    assert done.code == 2
    assert re.search(reason, done.err)


def test_a_backup_is_made_listed_and_restored(run, rated, ledger_path):
    """The restore tells what is lost, needs --yes where nobody can be asked, and takes a name beside the ledger."""
    done = run("backup")
    assert done.code == 0
    path = Path(done.out.splitlines()[-1])
    assert done.out.startswith("Backed up 2 runs and 2 writes, ")
    assert path.parent == ledger_path.parent / "backups"
    run("score", "add", "S-3", "5", "--create")
    assert path.name in run("backup", "--list").out
    refused = run("restore", path.name)
    assert refused.code == 2
    assert "it would lose 1 write: 1 × rating" in refused.err
    assert "error: restore replaces the ledger: give --yes" in refused.err
    assert stories(ledger_path) == ["S-1", "S-2", "S-3"]
    restored = run("restore", path.name, "--yes", "--json")
    assert (restored.code, restored.json["lost"], restored.json["runs"]) == (0, 1, 2)
    assert stories(ledger_path) == ["S-1", "S-2"]
    assert Path(restored.json["kept"]).exists()


def test_a_backup_goes_where_it_is_told_and_never_over_a_file(run, rated, tmp_path):
    (tmp_path / "safe").mkdir()
    assert run("backup", "safe/one.duckdb", "--json").json["path"] == str(tmp_path / "safe" / "one.duckdb")
    again = run("backup", "safe/one.duckdb")
    assert again.code == 2
    assert "safe/one.duckdb: is there already, and a backup never overwrites" in again.err
    assert run("backup", "safe", "--json").json["name"].startswith("ledger-20")


def test_a_restore_without_a_ledger_or_over_one_that_is_damaged(run, rated, ledger_path):
    """The file that cannot be opened is kept."""
    path = run("backup", "--json").json["path"]
    ledger_path.unlink()
    done = run("restore", path, "--yes")
    assert done.code == 0
    assert "there is no ledger yet" in done.err
    assert stories(ledger_path) == ["S-1", "S-2"]
    ledger_path.write_text("burnt")
    done = run("restore", path, "--yes", "--json")
    assert Path(done.json["kept"]).read_text() == "burnt"
    assert (done.json["lost"], stories(ledger_path)) == (None, ["S-1", "S-2"])


@pytest.mark.parametrize(
    ("file", "reason"), [("no.duckdb", "no such file"), ("text", "not a ledger that this version")]
)
def test_what_is_no_backup_is_refused(run, rated, ledger_path, tmp_path, file, reason):
    (tmp_path / "text").write_text("text")
    done = run("restore", file, "--yes")
    assert done.code == 2
    assert reason in done.err
    assert stories(ledger_path) == ["S-1", "S-2"]


def test_with_the_dashboard_open_its_process_does_the_work(run, rated, ledger_path):
    """The same words and files; the dashboard sees the restored ledger at once and holds it on."""
    with (
        Ledger(ledger_path, Settings(), purpose="dashboard", served=True) as ledger,
        serving(Starlette(routes=routes(lambda: ledger))) as address,
    ):
        ledger.store.owner.serve_at(address)
        path = run("backup", "--json").json["path"]
        run("score", "add", "S-3", "5", "--create")
        done = run("restore", path, "--yes", "--json")
        assert (done.code, done.json["lost"]) == (0, 1)
        assert [row["story_id"] for row in ledger.store.rows("SELECT story_id FROM ledger ORDER BY 1")] == [
            "S-1",
            "S-2",
        ]
        assert run("activity", "--json").json["writes"][0]["kind"] == "restore"
        assert run("score", "add", "S-4", "5", "--create").code == 0
    assert stories(ledger_path) == ["S-1", "S-2", "S-4"]
