"""Words forgotten from a terminal, with and without a dashboard that holds the ledger."""

import re
import subprocess
import sys

import pytest
from starlette.applications import Starlette

from quality.api import routes
from quality.ledger.ledger import Ledger
from quality.settings import Settings
from tests.api.conftest import serving
from tests.cli.conftest import ROOT

SECRET = "sk-live-0815 of the customer"


@pytest.fixture
def rated(run):
    """S-1 by dana with the secret as note; its rating's id."""
    stored = run("score", "add", "S-1", "8", "--create", "--note", SECRET, "--json").json
    return stored["override_id"]


def note(run):
    return run("show", "S-1", "--json").json["runs"][0]["note"]


def test_a_note_is_redacted_by_a_real_process(process, run, rated, ledger_path):
    """The file that stays has no byte of it; the score is what it was."""
    assert SECRET.encode() in ledger_path.read_bytes()
    done = process("redact", "rating", rated, "--reason", "names a customer", "--yes")
    assert done.code == 0
    assert done.out == "Redacted the note of a rating: 28 characters in 3 places.\n"
    assert (note(run), run("show", "S-1", "--json").json["runs"][0]["quality"]) == ("[redacted]", 8.0)
    assert [
        path.name for path in ledger_path.parent.iterdir() if path.is_file() and SECRET.encode() in path.read_bytes()
    ] == []


def test_without_yes_it_shows_what_would_go_and_redacts_nothing(process, run, rated):
    """Older files are named before too."""
    kept = run("backup", "--json").json["path"]
    done = process("redact", "rating", rated, "--reason", "x")
    assert done.code == 2
    assert done.err.splitlines() == [
        "the note of a rating of S-1 (unknown / unknown), in 3 places:",
        f"  {SECRET}",
        "! 1 file from before may hold the words: delete what is not needed",
        f"  {kept}",
        "error: nothing was redacted, and it cannot be undone: give --yes where nobody can be asked",
    ]
    assert note(run) == SECRET


def test_a_text_comes_from_the_input_and_stands_in_no_argument(run, rated, ledger_path):
    """The list says what was done, not what it was."""
    command = [
        sys.executable,
        "-m",
        "quality",
        "--ledger",
        str(ledger_path),
        "redact",
        "text",
        "-",
        "--reason",
        "x",
        "--yes",
    ]
    done = subprocess.run(command, input="sk-live-0815\n", text=True, capture_output=True, cwd=ROOT, timeout=120)
    assert (done.returncode, done.stdout) == (0, "Redacted a text, wherever it stood: 12 characters in 3 places.\n")
    assert note(run) == "[redacted] of the customer"
    listed = run("redact", "--list")
    assert "a text, wherever it stood" in listed.out
    assert "sk-live-0815" not in listed.out + run("activity", "--json").out


def test_where_a_text_stays_as_part_of_a_name_is_said(run, rated):
    run("score", "add", "sk-live-0815", "8", "--create")
    done = run("redact", "text", "sk-live-0815", "--reason", "x", "--yes")
    assert "! it stands on as part of a name: main.ledger.story_id" in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("ratting", "x", "--reason", "x"), "ratting: give one of rating, verdict, .* Did you mean: rating"),
        (("rating",), "rating: give the id"),
        (("rating", "x"), "--reason is missing"),
        (("rating", "x", "--reason", "x", "--yes"), "x: no such thing: the note of a rating is named by its id"),
        (("text", "abc", "--reason", "x", "--yes"), "text"),
        ((), "nothing is named: give one of rating"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, rated, arguments, reason):
    done = run("redact", *arguments)
    assert done.code == 2
    assert re.search(reason, done.err.splitlines()[-1])


def test_it_works_while_a_dashboard_holds_the_ledger(run, rated, ledger_path):
    """The process that holds it exchanges the file under itself, and goes on with it."""
    with (
        Ledger(ledger_path, Settings(), purpose="dashboard", served=True) as ledger,
        serving(Starlette(routes=routes(lambda: ledger))) as address,
    ):
        ledger.store.owner.serve_at(address)
        assert run("redact", "rating", rated, "--reason", "x", "--yes").code == 0
        assert note(run) == "[redacted]"
        assert run("score", "add", "S-2", "5", "--create").code == 0
        assert SECRET.encode() not in ledger_path.read_bytes()
