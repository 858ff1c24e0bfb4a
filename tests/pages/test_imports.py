"""What do "What was imported" and an opened import show and do? On the ledger of three runs: one import, dana's rating of S-1."""

import pytest

from pages.components import correcting_imports, imports_list
from quality.commands import ImportArtifact, ListScores
from quality.correction_commands import ListImports, WithdrawImport
from quality.definitions import DEFINITIONS
from quality.roles import Who
from tests.pages.conftest import texts


@pytest.fixture
def opened(open_page):
    """The Ingest page on its own, with a name for what is written and a URL."""
    return lambda named="ops", **query: open_page("ingest", query=query, seconds=30, reviewer_name=named)


@pytest.fixture
def import_id(ledger):
    return ledger.ask(ListImports())["imports"][0]["import_id"]


def metrics(app):
    return {one.label: one.value for one in app.metric}


def captions(app):
    return [one.value for one in app.caption]


def test_imports_are_listed_under_what_is_dropped(ledger, opened):
    """File, who, what it brought and whether it counts."""
    app = opened()
    (frame,) = app.dataframe
    assert list(frame.value["import_file"]) == ["ci/tests.log"]
    assert list(frame.value["imported_by"]) == ["ci"]
    assert list(frame.value["import_brought"]) == ["3 stories, 3 runs, 2 signal readings, 2 verdicts"]
    assert list(frame.value["import_state"]) == ["counts"]
    assert "1 imports. Open one to see what it brought, or to take it back." not in captions(app)
    assert "1 import. Open one to see what it brought, or to take it back." in captions(app)


def test_an_empty_ledger_says_what_will_be_there(empty, opened):
    assert any("No imports yet. Each file that is stored" in text for text in captions(opened()))


def test_a_part_of_the_name_finds_a_file(ledger, opened):
    """What nothing fits says so, and the field is there to try again."""
    assert len(opened(imports_file="TESTS").dataframe) == 1
    app = opened(imports_file="nothing")
    assert "No import fits." in captions(app)
    assert app.text_input(key="imports_find").value == "nothing"


def test_an_import_opens_to_its_numbers_and_runs(ledger, opened, import_id):
    """All three runs are only its; dana's rating of S-1 would wait."""
    app = opened(**{"import": import_id})
    assert app.title[0].value == "Import"
    assert "ci/tests.log" in texts(app)
    assert metrics(app) == {
        "Runs gone": "3", "Runs kept": "0", "Ratings waiting": "1", "Stories told": "3", "Readings": "2", "Verdicts": "2",
        "Ratings": "0", "Rejects": "0",
    }  # fmt: skip
    assert list(app.dataframe[0].value["story_id"]) == ["S-1", "S-2", "S-3"]
    assert set(app.dataframe[0].value["import_run_state"]) == {"gone"}


def test_it_is_withdrawn_with_a_reason_and_a_tick_and_reinstated_from_the_same_place(ledger, opened, import_id):
    """The button waits for both; afterwards no run counts, then all of them again."""
    app = opened(**{"import": import_id})
    assert app.button(key="withdraw").disabled
    assert app.checkbox[0].label == "Withdraw it: 3 runs leave every list and number"
    app.text_input(key="withdraw_why").set_value("the wrong branch").run()
    assert app.button(key="withdraw").disabled
    app.checkbox[0].check().run()
    app.button(key="withdraw").click().run()
    assert app.success[0].value == "Withdrawn: 3 runs gone, 0 runs without what it said."
    assert ledger.ask(ListScores())["total"] == 0
    assert any("Withdrawn" in text and "by ops: the wrong branch" in text for text in texts(app))
    app.button(key="reinstate").click().run()
    assert app.success[0].value == "Reinstated: it speaks of 3 runs, of which 3 came back."
    assert ledger.ask(ListScores())["total"] == 3
    assert app.button(key="withdraw").disabled


def test_what_somebody_else_did_meanwhile_is_said(ledger, opened, import_id):
    """Withdrawn by lee after the page was drawn: nothing is changed and the page says why."""
    app = opened(**{"import": import_id})
    app.text_input(key="withdraw_why").set_value("x").run()
    app.checkbox[0].check().run()
    ledger.execute(WithdrawImport(actor="lee", import_id=import_id, reason="first"))
    app.button(key="withdraw").click().run()
    assert app.error[0].value == "Nothing was changed."
    assert "ci/tests.log: is withdrawn already" in app.code[0].value


def test_a_reviewer_sees_it_and_which_role_it_takes(ledger, opened, import_id, monkeypatch):
    monkeypatch.setattr("pages.components.viewer.who", lambda: Who("ops", "reviewer"))
    app = opened(**{"import": import_id})
    assert app.button(key="withdraw").disabled
    assert any("Withdrawing an import needs the role admin; yours is reviewer." in one for one in captions(app))


def test_whoever_gave_no_name_is_asked_once(empty, opened, tmp_path):
    """Of an import with rejects, whose values can be redacted from the same page."""
    file = tmp_path / "v.csv"
    file.write_text("story_id,model,source,quality\nS-1,m1,verifier,8\nS-1,m1,verifier,85\n")
    empty.execute(ImportArtifact(actor="ci", path=str(file)))
    app = opened(named="", **{"import": empty.ask(ListImports())["imports"][0]["import_id"]})
    assert [one.label for one in app.text_input].count("Your name") == 1
    assert [one.label for one in app.expander] == ["Redact the values that were rejected"]


def test_a_link_to_an_import_that_is_not_there_says_so(ledger, opened):
    app = opened(**{"import": "0198c0de-0000-7000-8000-000000000001"})
    assert app.error[0].value == "This import is not in the open ledger."


def test_every_column_and_number_has_a_definition():
    names = {*imports_list.COLUMNS, *correcting_imports.RUN_COLUMNS, *correcting_imports.NUMBERS}
    assert names <= set(DEFINITIONS)
