"""Does the Ingest page show what it would store, store no more than that, and say what became of it?"""

from datetime import datetime
from pathlib import Path

import pytest

from pages.components import ingesting_choice, ingesting_files, page, states
from pages.components.ingesting_files import Bag
from quality.commands import Filters
from quality.ledger import queries
from tests.pages.conftest import texts

TABLE = b"story_id,model,test_pass_rate,tests_total\nS-1,m,0.5,10\nS-2,m,1,4\n"
REPORT = b'<testsuite name="s">\n<testcase name="a"/>\n<testcase name="b"><failure/></testcase>\n</testsuite>\n'
OLD = (
    b'<testsuite name="s" timestamp="2026-03-02T09:00:00Z">\n<testcase name="a"/>\n<testcase name="b"/>\n</testsuite>\n'
)
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\0"


@pytest.fixture(autouse=True)
def links(monkeypatch):
    """A page that runs alone knows no other page to link to: its links are kept here."""
    found = []
    monkeypatch.setattr(page, "link", lambda name, label, icon, **query: found.append((name, label, query)))
    return found


def drop(shown, *files):
    """Drop (name, bytes) pairs."""
    shown.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files])
    return shown.run()


def table(shown, column):
    return next(frame.value for frame in shown.dataframe if column in frame.value.columns)


def ingest(open_page, *files, **state):
    return drop(open_page("ingest", reviewer_name="dana", **state), *files)


def store(shown):
    """Ask for it, and look again once it is done."""
    shown.button(key="ingest_store").click().run()
    assert shown.session_state["ingest_bag"].job.finished.wait(20)
    return shown.run()


def named(shown, story_id="S-9", **more):
    """Choose a new story."""
    shown.segmented_control(key="ingest_story_kind").set_value(ingesting_choice.NEW).run()
    for name, value in {"new_id": story_id, **more}.items():
        shown.text_input(key=f"ingest_{name}").set_value(value).run()
    return shown


def test_a_mixed_bag_shows_each_file_and_stores_nothing(empty, open_page):
    """The table has its runs, the report its counts, the image its reason; the ledger stays empty."""
    shown = ingest(open_page, ("b.csv", TABLE), ("a.xml", REPORT), ("c.png", PNG))
    rows = table(shown, "goes_to").set_index("file")
    assert rows["status"].to_dict() == {"a.xml": "needs a story", "b.csv": "ready", "c.png": "cannot be read"}
    assert rows.loc["a.xml", ["tests_passed", "tests_failed", "tests_errors", "tests_skipped"]].tolist() == [1, 1, 0, 0]
    assert rows.loc["b.csv", ["found", "goes_to"]].tolist() == ["2 readings", "2 runs"]
    assert rows.loc["c.png", "rejects"] == 1
    assert queries.totals(empty.store, Filters())["runs"] == 0


def test_one_file_is_open_at_once_with_its_signal_and_line(empty, open_page):
    """1 of 2 passed; the failure stands in line 3."""
    shown = ingest(open_page, ("a.xml", REPORT))
    assert "JUnit XML  ·  1 passed, 1 failed" in " ".join(texts(shown))
    assert [box.label for box in shown.expander] == ["Test pass rate 50 % · line 1"]
    assert any('▶ 3 │ <testcase name="b"><failure/></testcase>' in text for text in texts(shown))


def test_an_unrecognised_file_says_why_in_the_readers_words(empty, open_page):
    shown = ingest(open_page, ("c.png", PNG))
    assert any("the content is a PNG image, whatever the file's name says" in text for text in texts(shown))


def test_the_run_is_asked_for_only_where_a_file_needs_it(empty, open_page):
    """A table names its stories itself."""
    shown = ingest(open_page, ("b.csv", TABLE))
    assert "Which run are they of?" not in [heading.value for heading in shown.subheader]
    shown = drop(shown, ("a.xml", REPORT))
    assert "Which run are they of?" in [heading.value for heading in shown.subheader]


def test_storing_says_what_each_file_changed_and_links_its_runs(empty, open_page, links):
    """A new story with its title; the file's label is its name, and no path of ours is kept."""
    shown = store(named(ingest(open_page, ("a.xml", REPORT), ("b.csv", TABLE)), new_title="Nested"))
    rows = table(shown, "new_runs").set_index("file")
    assert rows["status"].tolist() == ["stored", "stored"]
    assert rows["new_runs"].tolist() == [1, 2]
    assert [(name, label) for name, label, _ in links[-3:]] == [("stories", f"Open run {n}") for n in (1, 2, 3)]
    stored = empty.store.rows("SELECT label, actor FROM imports ORDER BY label")
    assert stored == [{"label": "a.xml", "actor": "dana"}, {"label": "b.csv", "actor": "dana"}]
    (run,) = queries.story(empty.store, "S-9")["runs"]
    assert (run["title"], run["test_pass_rate"], run["run_id"]) == ("Nested", 0.5, links[-3][2]["run"])


def test_the_same_file_again_is_unchanged_before_and_after(empty, open_page):
    """Named to another story it is ready again."""
    shown = store(named(ingest(open_page, ("a.xml", REPORT))))
    shown.button(key="ingest_clear").click().run()
    shown = drop(shown, ("again.xml", REPORT))
    assert table(shown, "goes_to")["status"].tolist() == ["unchanged"]
    shown.text_input(key="ingest_new_id").set_value("S-10").run()
    assert table(shown, "goes_to")["status"].tolist() == ["ready"]
    shown.text_input(key="ingest_new_id").set_value("S-9").run()
    assert table(store(shown), "new_runs")["status"].tolist() == ["unchanged"]


def test_nothing_is_stored_without_a_name(empty, open_page):
    """The button waits."""
    shown = drop(open_page("ingest"), ("b.csv", TABLE))
    assert shown.button(key="ingest_store").disabled


def test_a_file_that_cannot_be_stored_stops_no_other(empty, open_page):
    """Its dropped copy is gone: it says so, the other is stored."""
    shown = ingest(open_page, ("a.csv", TABLE), ("b.csv", TABLE.replace(b"S-", b"T-")))
    shown.session_state["ingest_bag"].files[0].path.unlink()
    shown = store(shown)
    assert table(shown, "goes_to")["status"].tolist() == ["not stored", "stored"]
    assert queries.totals(empty.store, Filters())["runs"] == 2


def test_an_older_report_is_named_before_and_counted_only_when_told(empty, open_page):
    """The report says 09:00, the run began at noon."""
    shown = named(ingest(open_page, ("old.xml", OLD)))
    shown.session_state["ingest_started"] = datetime(2026, 3, 2, 12)
    shown.run()
    assert "report a time more than an hour before the run began" in shown.warning[0].value
    shown.checkbox(key="ingest_accept_old").check().run()
    store(shown)
    (run,) = queries.story(empty.store, "S-9")["runs"]
    assert (run["test_pass_rate"], "older_report" in run["caveats"]) == (1.0, False)


def test_an_older_report_is_confirmed_on_the_runs_page(empty, open_page):
    """Stored unscored at first; one click, and it is scored."""
    shown = named(ingest(open_page, ("old.xml", OLD)))
    shown.session_state["ingest_started"] = datetime(2026, 3, 2, 12)
    shown.run()
    store(shown)
    (run,) = queries.story(empty.store, "S-9")["runs"]
    assert (run["test_pass_rate"], "older_report" in run["caveats"]) == (None, True)
    opened = open_page("stories", run=run["run_id"], reviewer_name="dana")
    (confirm,) = [button for button in opened.button if button.label == "Confirm: this report is of this run"]
    confirm.click().run()
    (run,) = queries.story(empty.store, "S-9")["runs"]
    assert (run["test_pass_rate"], "older_report" in run["caveats"]) == (1.0, False)


def test_stories_are_searched_not_all_listed(empty, open_page):
    """30 stories: at most 20 are offered; words find any of them."""
    rows = "".join(f"S-{n},m,1,4\n" for n in range(30))
    shown = store(ingest(open_page, ("t.csv", b"story_id,model,test_pass_rate,tests_total\n" + rows.encode())))
    shown = drop(shown, ("a.xml", REPORT))
    assert len(shown.selectbox(key="ingest_story").options) == ingesting_choice.MOST_STORIES
    shown.text_input(key="ingest_story_words").set_value("S-17").run()
    assert shown.selectbox(key="ingest_story").options == ["S-17"]
    shown.selectbox(key="ingest_story").select("S-17").run()
    assert table(shown, "goes_to").set_index("file").loc["a.xml", "goes_to"].startswith("S-17")


MANIFEST = b"""{"quality_manifest": 1, "runs": [{"story_id": "S-7", "agent": "builder", "model": "m", "title": "Told",
    "artifacts": ["reports/*.xml"]}]}"""


def test_a_dropped_manifest_names_the_run(empty, open_page):
    """Nobody is asked; the manifest itself is not stored."""
    shown = ingest(open_page, ("quality-manifest.json", MANIFEST), ("a.xml", REPORT))
    rows = table(shown, "goes_to").set_index("file")
    assert rows["status"].to_dict() == {"a.xml": "ready", "quality-manifest.json": "manifest"}
    assert rows.loc["a.xml", "goes_to"] == "S-7 · builder · m"
    assert "Which run are they of?" not in [heading.value for heading in shown.subheader]
    store(shown)
    (run,) = queries.story(empty.store, "S-7")["runs"]
    assert (run["title"], run["agent"], run["model_version"], run["test_pass_rate"]) == ("Told", "builder", "m", 0.5)


def test_a_manifest_at_fault_is_named_and_nothing_is_stored_until_it_is_left_out(empty, open_page):
    """It names a file that was not dropped."""
    shown = ingest(open_page, ("quality-manifest.json", MANIFEST))
    assert any("matches no file" in text for text in texts(shown))
    shown = drop(shown, ("b.csv", TABLE))
    assert not [button for button in shown.button if button.key == "ingest_store" and not button.disabled]
    bag = shown.session_state["ingest_bag"]
    bag.remove(bag.files[1])
    assert not shown.run().button(key="ingest_store").disabled


def test_a_folders_manifest_knows_its_files_by_their_path():
    """Only reports/a.xml fits, not other/a.xml."""
    bag = Bag()
    bag.add([Upload("r/quality-manifest.json", MANIFEST), Upload("r/reports/a.xml"), Upload("r/other/a.xml")])
    assert {file.name: file.claim and file.claim.story_id for file in bag.files if not file.is_manifest} == {
        "r/other/a.xml": None,
        "r/reports/a.xml": "S-7",
    }


class Upload:
    """A file as the uploader hands it over."""

    def __init__(self, name, content=b"x"):
        self.name, self.content = name, content

    def getbuffer(self):
        return memoryview(self.content)


def test_a_databases_log_lies_beside_it_and_is_no_file_of_its_own():
    """Whichever comes first."""
    bag = Bag()
    bag.add([Upload("x.db-wal", b"log"), Upload("other-wal")])
    bag.add([Upload("x.db", b"db"), Upload("x.db-shm")])
    assert [file.name for file in bag.files] == ["other-wal", "x.db"]
    database = bag.files[1]
    assert database.path.with_name("artifact-wal").read_bytes() == b"log"
    assert sorted(database.beside) == ["x.db-shm", "x.db-wal"]


def test_no_name_is_used_as_a_path_and_the_folder_goes_with_the_bag():
    bag = Bag()
    bag.add([Upload("../../evil"), Upload("/etc/passwd")])
    folder = bag.folder
    assert {file.path.parent.parent for file in bag.files} == {folder}
    assert {file.path.name for file in bag.files} == {"artifact"}
    del bag
    assert not folder.exists()


def test_folders_of_processes_that_are_gone_are_swept(tmp_path, monkeypatch):
    """No process has this number; our own folder stays."""
    monkeypatch.setattr(ingesting_files.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(ingesting_files.tempfile, "tempdir", str(tmp_path))
    stale = tmp_path / "quality-ingest-99999999-x"
    stale.mkdir()
    bag = Bag()
    assert [path for path in tmp_path.iterdir()] == [bag.folder]
    assert not Path(stale).exists()


def test_an_empty_ledger_leads_to_ingest(empty, open_page, monkeypatch):
    found = []
    monkeypatch.setattr(states.st, "page_link", lambda target, **look: found.append(target))
    open_page("overview")
    assert found == ["ingest.py"]
