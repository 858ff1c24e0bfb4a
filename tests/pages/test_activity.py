"""What do the screens Activity and Backup show and do? On the ledger of three runs: an import by ci, a rating by dana."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components import activity, activity_choice, backups
from quality.activity_commands import ListActivity
from quality.backup_commands import BackUp
from quality.commands import AddRating, Rebuild
from quality.definitions import DEFINITIONS
from quality.ledger.backups import mark_as_sample
from quality.settings import Settings
from tests.pages.conftest import HOSTILE, PAGES


@pytest.fixture
def opened(open_page):
    """A page on its own, with a name for what is written and a URL; of a link to another page it shows the label."""
    return lambda page, **query: open_page(page, query=query, seconds=30, reviewer_name="ops")


def shown(app):
    """Who and what of the listed writes."""
    frame = app.dataframe[0].value
    return list(zip(frame["written_by"], frame["write_words"]))


def texts(app):
    return [element.value for element in app.text]


def code(app):
    return [element.value for element in app.code]


RATED = ("dana", "rated S-1 · m1: 6")
IMPORTED = ("ci", "imported ci/tests.log: 3 stories, 3 runs, 2 signal readings, 2 verdicts")


def test_every_write_is_a_row_latest_first(ledger, opened):
    """Who, what in words, and what it concerns."""
    app = opened("activity")
    assert shown(app) == [RATED, IMPORTED]
    assert list(app.dataframe[0].value["write_about"]) == ["S-1 · m1", "S-1 · m1"]
    assert "2 of 2 writes. Tick one to see it whole." in [one.value for one in app.caption]
    assert [button.disabled for button in app.button] == [True, True, True]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ({"by": "dana"}, [RATED]),
        ({"did": "import_artifact,rebuild"}, [IMPORTED]),
        ({"about": "S-2"}, [IMPORTED]),
        ({"wrote_from": "2020-01-01", "wrote_until": "2099-12-31"}, [RATED, IMPORTED]),
        ({"wrote_from": "soon", "before": "nonsense"}, [RATED, IMPORTED]),
    ],
)
def test_a_link_carries_the_filters(ledger, opened, query, rows):
    """What the URL says is in the widgets too; nonsense is no filter."""
    assert shown(opened("activity", **query)) == rows


def test_filters_that_nothing_fits_can_be_cleared(ledger, opened):
    app = opened("activity", by="nobody")
    assert [heading.value for heading in app.subheader] == ["Nothing fits these filters"]
    app.button(key="clear_activity").click().run()
    assert shown(app) == [RATED, IMPORTED]
    assert "by" not in app.query_params


def test_an_empty_ledger_says_so(empty, opened):
    assert [heading.value for heading in opened("activity").subheader] == ["No writes yet"]


def test_pages_turn_older_and_back(ledger, opened, monkeypatch):
    """By the write they end at, which stands in the URL."""
    ledger.settings = Settings.model_validate({"limits": {"page_rows": 2}})
    ledger.execute(Rebuild(actor="ops"))
    app = opened("activity")
    assert [who for who, _ in shown(app)] == ["ops", "dana"]
    app.button(key="activity_older").click().run()
    assert shown(app) == [IMPORTED]
    assert app.button(key="activity_older").disabled
    app.button(key="activity_newer").click().run()
    assert [who for who, _ in shown(app)] == ["ops", "dana"]


def test_a_write_is_opened_with_request_and_answer_as_text(ledger, opened):
    """A note full of HTML and markdown is text in it; a link leads to the run."""
    (write,) = ledger.ask(ListActivity(by="dana"))["writes"]
    app = opened("activity", write=write["command_id"])
    assert [title.value for title in app.title] == ["Rating"]
    assert texts(app)[:2] == ["dana rated S-1 · m1: 6", f"Id {write['command_id']}"]
    request, answer = code(app)
    assert HOSTILE.splitlines()[0] in request
    assert '"quality": 6.0' in answer
    assert not app.markdown or all("<script>" not in block.value for block in app.markdown)
    app.button(key="all_writes").click().run()
    assert shown(app) == [RATED, IMPORTED]


def test_a_write_that_brought_a_file_leads_to_its_import(ledger, opened):
    (brought,) = ledger.ask(ListActivity(kinds=["import_artifact"]))["writes"]
    assert "Open the import" in [one.value for one in opened("activity", write=brought["command_id"]).caption]


def test_a_write_that_is_not_here_is_said(ledger, opened):
    app = opened("activity", write="01a2387c-0000-7000-8000-000000000000")
    assert [error.value for error in app.error] == ["This write is not in the open ledger."]


def test_a_link_to_the_writes_about_a_thing_states_nothing_else():
    assert activity_choice.about("S-1") | {"about": None} == dict.fromkeys(
        ("about", "by", "did", "wrote_from", "wrote_until", "before", "after", "write"), ""
    ) | {"about": None}


def test_a_backup_is_made_and_listed(ledger, opened):
    """Never backed up: said, with how many writes are in no backup. Afterwards the file, its size and its SHA-256."""
    app = opened("backup")
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics == {"Last backup": "Never", "Writes since": "2"}
    app.button(key="back_up").click().run()
    assert not app.exception
    assert app.success[0].value.startswith("Backed up: 3 runs, 2 writes, ")
    path = Path(code(app)[0].splitlines()[0])
    assert path.exists()
    assert {metric.label: metric.value for metric in app.metric}["Writes since"] == "0"
    assert list(app.dataframe[0].value["backup_name"]) == [path.name]
    assert list(app.dataframe[0].value["backup_kind"]) == ["backup"]


def test_nobody_without_a_name_makes_a_backup(ledger):
    app = AppTest.from_file(str(PAGES / "backup.py"), default_timeout=30).run()
    assert app.button(key="back_up").disabled


def test_a_restore_shows_what_would_be_lost_and_asks(ledger, opened):
    """Lost writes in words; the button works once the loss is agreed to; the ledger is the one of before then."""
    done = ledger.execute(BackUp(actor="ops"))
    ledger.execute(AddRating(actor="lee", reviewer="lee", story_id="S-2", rating=3))
    app = opened("backup", backup=done.name)
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics == {"Runs in it": "3", "Writes in it": "2", "Would be lost": "1", "Come back": "0"}
    assert any("lee rated S-2 · m1: 3" in block for block in code(app))
    assert app.button(key="restore").disabled
    assert app.checkbox[0].label == "Replace the ledger and lose 1 write"
    app.checkbox[0].check().run()
    app.button(key="restore").click().run()
    assert not app.exception
    assert app.success[0].value == "Restored: 3 runs, 3 writes."
    assert ledger.store.rows("SELECT count(*) AS n FROM overrides") == [{"n": 1}]
    assert list(app.dataframe[0].value["backup_kind"]) == ["replaced by a restore", "backup"]


def test_a_write_after_the_look_stops_the_restore(ledger, opened):
    """The screen shows the new loss instead of taking it for agreed."""
    done = ledger.execute(BackUp(actor="ops"))
    app = opened("backup", backup=done.name)
    app.checkbox[0].check().run()
    ledger.execute(AddRating(actor="lee", reviewer="lee", story_id="S-2", rating=3))
    app.button(key="restore").click().run()
    assert [error.value for error in app.error] == ["The ledger is as it was."]
    assert {metric.label: metric.value for metric in app.metric}["Would be lost"] == "1"
    assert not app.checkbox[0].value


def test_a_damaged_backup_is_refused_with_the_reason(ledger, opened):
    done = ledger.execute(BackUp(actor="ops"))
    with Path(done.path).open("ab") as file:
        file.write(b"x")
    app = opened("backup", backup=done.name)
    assert [error.value for error in app.error] == ["This backup cannot be restored."]
    assert "not as it was written" in code(app)[-1]
    assert [button.key for button in app.button] == ["all_backups"]


def test_nothing_is_restored_into_the_sample(ledger, opened):
    mark_as_sample(ledger.store)
    done = ledger.execute(BackUp(actor="ops"))
    app = opened("backup", backup=done.name)
    assert app.info[0].value.startswith("This is the sample ledger, and it never mixes with your own")
    assert "restore" not in [button.key for button in app.button]


def test_a_file_that_is_gone_is_said(ledger, opened):
    app = opened("backup", backup="../../etc/passwd")
    assert [error.value for error in app.error] == ["This backup is not beside the ledger any more."]


def test_columns_are_in_the_catalogue():
    assert {*activity.COLUMNS, *backups.COLUMNS} <= set(DEFINITIONS)
