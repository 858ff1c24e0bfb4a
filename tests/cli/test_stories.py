"""Correcting stories from a terminal: what is shown before, what is stored, and the way back."""

import re

import pytest
from starlette.applications import Starlette

from quality.api import routes
from quality.ledger.ledger import Ledger
from quality.settings import Settings
from tests.api.conftest import serving

ROWS = """story_id,title,agent,model,test_pass_rate,tests_total,build_success,discipline
S-1,Old,a,m,0.5,40,true,backend
S-2,,a,m,1.0,40,true,docs
"""


@pytest.fixture
def two(run, tmp_path):
    """S-1 and S-2, attempt 1 of the same agent and model each; S-2 is rated 8 by lee."""
    (tmp_path / "runs.csv").write_text(ROWS)
    assert run("ingest", "runs.csv").code == 0
    assert run("score", "add", "S-2", "8", QUALITY_REVIEWER="lee").code == 0


def runs_of(run, story):
    """Title, discipline, attempt and score of each run, by attempt."""
    found = run("show", story, "--json").json["runs"]
    return sorted(((r["attempt"], r["title"], r["discipline"], r["quality"]) for r in found), key=lambda r: r[0])


def test_an_edit_says_what_it_changed_and_how_it_is_taken_back(process, run, two):
    """Before and now in a table, the command that undoes it, and the history names who and why."""
    done = process("story", "edit", "S-1", "--title", "Right", "--discipline", "docs", "--reason", "a typo")
    assert done.code == 0
    assert "Corrected S-1. Runs: 1, scores changed: 0, kind changed: 1." in done.out
    assert re.search(r"title +Old +Right", done.out)
    assert re.search(r"discipline +backend +docs", done.out)
    back = re.search(r"back by: (story undo S-1 --edit [0-9a-f-]{36})", done.err)[1]
    assert runs_of(run, "S-1")[0][1:3] == ("Right", "docs")
    assert process(*back.split()).code == 0
    assert runs_of(run, "S-1")[0][1:3] == ("Old", "backend")
    corrections = run("story", "history", "S-1", "--json").json["corrections"]
    assert [(one["kind"], one["actor"], one["stands"]) for one in corrections] == [
        ("undo", "dana", False),
        ("edit", "dana", False),
    ]
    assert corrections[1]["reason"] == "a typo"


def test_a_merge_shows_its_numbers_and_wants_yes(process, run, two):
    """S-2's run becomes attempt 2 of S-1 with lee's 8; without --yes nothing is stored."""
    numbers = "Runs: 2, moved: 1, renumbered: 1, ratings: 1, scores changed: 0, kind changed: 1"
    refused = process("story", "merge", "S-2", "S-1", "--reason", "filed twice")
    assert (refused.code, refused.out) == (2, "")
    assert f"Merge S-2 into S-1: {numbers}" in refused.err
    assert "error: S-2: was not merged: give --yes where nobody can be asked" in refused.err
    assert len(runs_of(run, "S-1")) == 1
    done = process("story", "merge", "S-2", "S-1", "--reason", "filed twice", "--yes")
    assert (done.code, f"Merged S-2 into S-1. {numbers}." in done.out) == (0, True)
    merged = runs_of(run, "S-2")
    assert [row[:3] for row in merged] == [(1, "Old", "backend"), (2, "Old", "backend")]
    assert merged[1][3] == 8.0


def test_a_split_brings_the_story_back(process, run, two):
    before = [runs_of(run, story) for story in ("S-1", "S-2")]
    run("story", "merge", "S-2", "S-1", "--reason", "filed twice", "--yes")
    assert "S-2: was not split off: give --yes" in process("story", "split", "S-2").err
    done = process("story", "split", "S-2", "--yes", "--json")
    assert (done.code, done.json["from_id"], done.json["story_id"]) == (0, "S-2", "S-1")
    assert done.json["rows"]["moved"] == 1
    assert [runs_of(run, story) for story in ("S-1", "S-2")] == before


def test_the_history_is_a_table_of_what_happened(run, two):
    """The latest first, with what counts; a merged id is named, and either id finds it."""
    assert run("story", "history", "S-1").err == "nobody has corrected it\n"
    run("story", "edit", "S-1", "--estimate", "1200")
    run("story", "merge", "S-2", "S-1", "--reason", "filed twice", "--yes")
    for story in ("S-1", "S-2"):
        lines = run("story", "history", story).out.splitlines()
        assert lines[0] == "S-1, with S-2 merged into it"
        assert re.search(r"dana +merged S-2 into S-1 +– +filed twice +yes", lines[2])
        assert re.search(r"dana +corrected S-1 +estimate: – → 1,200 tokens +– +yes", lines[3])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("edit", "S-1"), "says nothing of the story: give one of title, discipline"),
        (("edit", "S-1", "--title", "Old"), "S-1: is known so already"),
        (("edit", "S-1", "--title", " "), "title"),
        (("edit", "S-1", "--estimate", "0"), "estimated_tokens"),
        (("edit", "S-9", "--title", "x"), "S-9: no such story. Did you mean: S-1"),
        (("undo", "S-1"), "S-1: has no correction that stands"),
        (("merge", "S-1", "S-1", "--reason", "x", "--yes"), "cannot be merged into itself"),
        (("merge", "S-1", "S-9", "--reason", "x", "--yes"), "S-9: no such story"),
        (("merge", "S-1", "S-2", "--yes"), "Missing option '--reason'"),
        (("split", "S-1", "--yes"), "S-1: was not merged into another story"),
        (("history", "S-9"), "S-9: no such story"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(run, two, arguments, reason):
    done = run("story", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert done.err.count("\n") == 1


def test_with_the_dashboard_open_its_process_does_the_work(run, two, ledger_path):
    """The numbers are asked for and the command sent over HTTP."""
    with (
        Ledger(ledger_path, Settings(), purpose="dashboard", served=True) as ledger,
        serving(Starlette(routes=routes(lambda: ledger))) as address,
    ):
        ledger.store.owner.serve_at(address)
        assert run("story", "edit", "S-1", "--phase", "build", "--json").json["rows"]["coordinates"] == 1
        done = run("story", "merge", "S-2", "S-1", "--reason", "filed twice", "--yes", "--json")
        assert (done.code, done.json["rows"]["ratings"]) == (0, 1)
        assert run("story", "history", "S-2", "--json").json["merged"] == ["S-2"]
        assert run("activity", "--kind", "merge_stories", "--json").json["total"] == 1
