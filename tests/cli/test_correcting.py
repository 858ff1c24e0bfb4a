"""Imports listed, withdrawn and reinstated from a terminal, with and without a dashboard that holds the ledger."""

import pytest
from starlette.applications import Starlette

from quality.api import routes
from quality.ledger.ledger import Ledger
from quality.settings import Settings
from tests.api.conftest import serving

FIRST = "story_id,model,build_success\nS-1,m1,true\n"
SECOND = "story_id,model,source,quality\nS-1,m1,verifier,4\nS-2,m1,verifier,8\n"


@pytest.fixture
def two(run, tmp_path):
    """S-1 built, by build.csv; rated 4 and S-2 rated 8 by a verifier, by ratings/verdicts.csv; dana rates S-2 6."""
    (tmp_path / "build.csv").write_text(FIRST)
    (tmp_path / "ratings").mkdir()
    (tmp_path / "ratings" / "verdicts.csv").write_text(SECOND)
    assert run("ingest", "build.csv").code == 0
    assert run("ingest", "ratings/verdicts.csv").code == 0
    assert run("score", "add", "S-2", "6").code == 0


def scores(run):
    return {row["story_id"]: row["quality"] for row in run("score", "list", "--json").json["rows"]}


def test_imports_are_listed_latest_first_with_what_they_brought(run, two):
    """Two runs by the second: S-1 was there already, so it brought one new one and two verdicts."""
    lines = run("imports").out.splitlines()
    assert lines[0].split() == ["when", "(UTC)", "who", "file", "format", "brought", "state", "id"]
    assert "dana  ratings/verdicts.csv  csv" in lines[1]
    assert "1 run, 2 verdicts" in lines[1]
    assert "counts" in lines[1]
    assert "build.csv" in lines[2]
    assert [one["label"] for one in run("imports", "--file", "VERDICT", "--json").json["imports"]] == [
        "ratings/verdicts.csv"
    ]
    done = run("imports", "--limit", "1")
    assert "1 of 2 imports: see --limit" in done.err


def test_an_import_is_withdrawn_and_reinstated_by_real_processes(process, run, two):
    """Named by its file. S-2 is gone with dana's rating, S-1 is worth 10 by its build again; then all of it is back."""
    assert scores(run) == {"S-1": 4, "S-2": 6}
    done = process("withdraw", "verdicts.csv", "--reason", "the wrong judge", "--yes")
    assert done.code == 0
    assert (
        "Withdrawn: ratings/verdicts.csv. Runs gone: 1, other runs that lost evidence: 1. Back by: reinstate "
        in done.out
    )
    assert "1 rating by people would wait until its run comes back" in done.err
    assert scores(run) == {"S-1": 10}
    (gone,) = process("imports", "--withdrawn", "--json").json["imports"]
    assert (gone["label"], gone["turned_by"], gone["reason"]) == ("ratings/verdicts.csv", "dana", "the wrong judge")
    assert gone["counts"]["verdicts"] == 2
    done = process("reinstate", gone["import_id"], "--json")
    assert done.json == {"import_id": gone["import_id"], "label": "ratings/verdicts.csv", "runs": 2, "runs_back": 1}
    assert scores(run) == {"S-1": 4, "S-2": 6}


def test_without_yes_it_says_what_would_change_and_changes_nothing(process, run, two):
    """Where nobody can be asked it is an error that names the way on."""
    done = process("withdraw", "ratings/verdicts.csv", "--reason", "x")
    assert done.code == 2
    assert done.err.splitlines()[1:] == [
        "  1 run would be in no list and no number: nothing else says anything of it",
        "  1 run would stay, without what this file says of it",
        "  2 verdicts would not count",
        "  what it says of 1 story would not be known",
        "  1 rating by people would wait until its run comes back",
        "error: ratings/verdicts.csv: was not withdrawn: give --yes where nobody can be asked",
    ]
    assert scores(run) == {"S-1": 4, "S-2": 6}


def test_one_import_shows_its_turns_and_what_would_be_without_it(run, two):
    run("withdraw", "build.csv", "--reason", "of a fork", "--yes")
    run("reinstate", "build.csv", QUALITY_REVIEWER="lee")
    out = run("imports", "build.csv").out
    assert "by dana, counts, id " in out
    assert "withdrawn" in out
    assert "by dana: of a fork" in out
    assert "UTC by lee" in out
    assert "1 run would stay, without what this file says of it" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("withdraw", "nothing.csv", "--reason", "x", "--yes"), "nothing.csv: no such import: give a file or an id"),
        (("withdraw", "build.csv", "--reason", " ", "--yes"), "reason"),
        (("withdraw", "build.csv", "--yes"), "reason"),
        (("reinstate", "build.csv"), "build.csv: is not withdrawn: what it brought counts"),
        (("imports", "0198c0de-0000-7000-8000-000000000001"), "no such import: choose one under Ingest"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, two, arguments, reason):
    done = run(*arguments)
    assert done.code == 2
    assert reason in done.err.splitlines()[-1]


def test_a_file_that_was_brought_twice_is_named_by_its_id(run, two, tmp_path):
    """The refusal names both ids."""
    (tmp_path / "build.csv").write_text(FIRST + "S-3,m1,false\n")
    run("ingest", "build.csv")
    done = run("withdraw", "build.csv", "--reason", "x", "--yes")
    assert done.code == 2
    assert "build.csv: 2 imports are of such a file: give the id of one: " in done.err
    for one in run("imports", "--file", "build", "--json").json["imports"]:
        assert one["import_id"] in done.err


def test_twice_withdrawn_says_so_at_once(run, two):
    run("withdraw", "build.csv", "--reason", "x", "--yes")
    done = run("withdraw", "build.csv", "--reason", "x")
    assert done.err == "error: build.csv: is withdrawn already\n"


def test_it_works_while_a_dashboard_holds_the_ledger(run, two, ledger_path):
    """The same words by way of the process that holds it."""
    with (
        Ledger(ledger_path, Settings(), purpose="dashboard", served=True) as ledger,
        serving(Starlette(routes=routes(lambda: ledger))) as address,
    ):
        ledger.store.owner.serve_at(address)
        assert run("withdraw", "build.csv", "--reason", "x", "--yes").code == 0
        assert run("imports", "--withdrawn", "--json").json["withdrawn"] == 1
        assert run("reinstate", "build.csv").code == 0
