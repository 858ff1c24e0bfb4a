"""Who wrote what, read from the audit: pages by key, filters, and one write whole."""

from datetime import timedelta

import pytest

from quality.activity_commands import ListActivity, ShowWrite
from quality.commands import AddRating, AttestModel, Rebuild, UndoRating
from quality.errors import NotFound
from quality.ledger.activity import activity_facets
from quality.observations import RunFact, SignalReading, StoryFact


@pytest.fixture
def written(ledger, tell):
    """Five writes: an import by ci, ratings by dana and lee, one taken back, a model stated by dana."""
    tell(
        StoryFact(story_id="S-1"),
        RunFact(story_id="S-1", agent="a", model_version="unknown", attempt=1),
        RunFact(story_id="S-2", agent="a", model_version="m", attempt=1),
        SignalReading(run=0, build_success=True),
        label="ci/told.log",
    )
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=7, note='say "hi"'))
    ledger.execute(AddRating(actor="lee", reviewer="lee", story_id="S-2", rating=8))
    ledger.execute(UndoRating(actor="lee", reviewer="lee", story_id="S-2"))
    ledger.execute(AttestModel(actor="dana", story_id="S-1", model="m-9"))
    return ledger


KINDS = ["attest_model", "undo_rating", "add_rating", "add_rating", "import_artifact"]


def listed(ledger, **stated):
    return ledger.ask(ListActivity(**stated))


def kinds(ledger, **stated):
    return [write["kind"] for write in listed(ledger, **stated)["writes"]]


def test_every_write_is_listed_latest_first_in_words(written):
    found = listed(written)
    assert [(one["actor"], one["words"]) for one in found["writes"]] == [
        ("dana", "stated that m-9 did S-1 · m-9"),
        ("lee", "took back their own rating 8 of S-2 · m"),
        ("lee", "rated S-2 · m: 8"),
        ("dana", "rated S-1: 7"),
        ("ci", "imported ci/told.log: 1 story, 2 runs, 1 signal reading"),
    ]
    assert (found["total"], found["older"], found["newer"]) == (5, None, None)
    assert found["writes"][3]["subjects"][0] | {"id": ""} == {"kind": "run", "id": "", "label": "S-1"}


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"by": "lee"}, ["undo_rating", "add_rating"]),
        ({"kinds": ["add_rating", "attest_model"]}, ["attest_model", "add_rating", "add_rating"]),
        ({"by": "dana", "kinds": ["add_rating"]}, ["add_rating"]),
        ({"about": "S-2"}, ["undo_rating", "add_rating", "import_artifact"]),
        ({"about": "S-1"}, ["attest_model", "add_rating", "import_artifact"]),
        ({"about": 'S-1" OR'}, []),
        ({"by": "nobody"}, []),
    ],
)
def test_filters_choose_writes(written, stated, expected):
    """Every stated condition holds; a story's writes are those that name it and those that brought its rows."""
    assert kinds(written, **stated) == expected
    assert listed(written, **stated)["total"] == len(expected)


def test_the_writes_about_a_run_are_found_by_its_id(written):
    run_id = written.store.rows("SELECT run_id::VARCHAR AS id FROM runs WHERE story_id = 'S-2'")[0]["id"]
    assert kinds(written, about=run_id) == ["undo_rating", "add_rating", "import_artifact"]


def test_times_are_from_and_before(written):
    times = [one["recorded_at"] for one in listed(written)["writes"]]
    assert kinds(written, since=times[1]) == KINDS[:2]
    assert kinds(written, until=times[1]) == KINDS[2:]
    assert kinds(written, since=times[0] + timedelta(microseconds=1)) == []


def test_pages_follow_each_other_by_key_both_ways(written):
    """No write is on two pages, also when others are stored meanwhile; going back ends at a full newest page."""
    first = listed(written, limit=2)
    written.execute(Rebuild(actor="ops"))
    second = listed(written, limit=2, before=first["older"])
    third = listed(written, limit=2, before=second["older"])
    pages = [[one["kind"] for one in page["writes"]] for page in (first, second, third)]
    assert pages == [KINDS[:2], KINDS[2:4], KINDS[4:]]
    assert third["older"] is None
    back = listed(written, limit=2, after=third["newer"])
    assert back["writes"] == second["writes"]
    newest = listed(written, limit=2, after=second["newer"])
    assert [one["kind"] for one in newest["writes"]] == KINDS[:2]
    assert [one["kind"] for one in listed(written, limit=4, after=second["newer"])["writes"]] == ["rebuild", *KINDS[:3]]
    assert listed(written, limit=2, before="no such id")["writes"][0]["kind"] == "rebuild"


def test_one_write_is_shown_with_request_and_answer(written):
    """As indented JSON, whatever is in a note; an import names its id."""
    one = next(w for w in listed(written)["writes"] if w["kind"] == "add_rating" and w["actor"] == "dana")
    whole = written.ask(ShowWrite(command_id=one["command_id"]))
    assert '\n  "note": "say \\"hi\\"",\n' in whole["request"]
    assert '"quality_human": 7.0' in whole["answer"]
    assert whole["import_id"] is None
    imported = written.ask(ShowWrite(command_id=listed(written)["writes"][-1]["command_id"]))
    assert imported["import_id"] == written.store.rows("SELECT import_id::VARCHAR AS id FROM imports")[0]["id"]
    for name in ("no", "01a2387c-0000-7000-8000-000000000000"):
        with pytest.raises(NotFound, match=f"{name}: no such write"):
            written.ask(ShowWrite(command_id=name))


def test_new_settings_are_told_with_the_write_that_they_came_with(written):
    """The first settings of a ledger are no change."""
    assert not any("new settings" in one["words"] for one in listed(written)["writes"])
    written.store.cursor().execute("INSERT INTO settings_sets SELECT 'other', '{}', max(recorded_at), 'x' FROM audit")
    latest = listed(written)["writes"][0]
    assert latest["words"] == "stated that m-9 did S-1 · m-9; with new settings"
    assert latest["settings_hash"] == "other"


def test_who_and_what_can_be_chosen_from_what_is_there(written):
    assert activity_facets(written.store) == {
        "actors": ["dana", "lee", "ci"],
        "kinds": ["add_rating", "attest_model", "import_artifact", "undo_rating"],
    }


def test_every_row_of_every_table_came_with_a_write_that_is_listed(written):
    """Each row carries the instant of its write; what commands say is quiet is the one exception."""
    columns = (
        "SELECT table_name FROM duckdb_columns() WHERE column_name = 'recorded_at' AND NOT internal ORDER BY table_name"
    )
    tables = [row["table_name"] for row in written.store.rows(columns)]
    assert {"overrides", "signal_readings", "story_facts", "imports"} <= set(tables)
    unlisted = "SELECT count(*) AS n FROM query_table($name) WHERE recorded_at NOT IN (SELECT recorded_at FROM audit)"
    assert {name: written.store.rows(unlisted, {"name": name})[0]["n"] for name in tables} == dict.fromkeys(tables, 0)
