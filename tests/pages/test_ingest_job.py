"""Are files stored in the background: truly told, left and found again, stopped, and never half?"""

import threading

import pytest

from pages.components import ingesting_job, page
from pages.components.process import HOME
from quality.commands import Filters, ImportArtifact
from quality.errors import LedgerBusy, QualityError
from quality.ledger import advancing, queries
from quality.ledger.ledger import Ledger
from quality.roles import OWNER, As
from tests.pages.test_ingest import TABLE, ingest, table

FILES = [(f"{name}.csv", TABLE.replace(b"S-", f"{name}-".encode())) for name in "abc"]


@pytest.fixture(autouse=True)
def links(monkeypatch):
    """A page that runs alone knows no other page to link to."""
    monkeypatch.setattr(page, "link", lambda name, label, icon, **query: None)


@pytest.fixture(autouse=True)
def no_job_of_another_test():
    ingesting_job._JOBS.clear()
    yield
    for job in ingesting_job._JOBS:
        job.stopping.set()
    ingesting_job._JOBS.clear()


@pytest.fixture
def held(monkeypatch):
    """Every import waits before its second file until it may go on."""
    begun, go_on, real, count = threading.Event(), threading.Event(), Ledger.execute, [0]

    def execute(self, command, who=None):
        if isinstance(command, ImportArtifact):
            count[0] += 1
            if count[0] == 2:
                begun.set()
                assert go_on.wait(20)
        return real(self, command, who)

    monkeypatch.setattr(Ledger, "execute", execute)
    yield begun, go_on
    go_on.set()


def begin(shown):
    return shown.button(key="ingest_store").click().run()


def bar(shown):
    (found,) = shown.get("progress")
    return found.proto.value, found.proto.text.rpartition(", ")[0]


def test_the_page_is_free_while_files_are_stored(empty, open_page, held):
    """One of three of the same size is through; nothing can be dropped, left out or cleared until the last is."""
    begun, go_on = held
    shown = begin(ingest(open_page, *FILES))
    assert begun.wait(20)
    shown.run()
    assert bar(shown) == (33, "File 2 of 3")
    assert not shown.file_uploader
    assert shown.button(key="ingest_clear").disabled
    assert not [button for button in shown.button if button.key == "ingest_store"]
    go_on.set()
    assert shown.session_state["ingest_bag"].job.finished.wait(20)
    shown.run()
    assert table(shown, "new_runs")["status"].tolist() == ["stored"] * 3
    assert not shown.get("progress")
    assert queries.totals(empty.store, Filters())["runs"] == 6


def test_a_later_session_of_the_same_person_finds_it_again(empty, open_page, held):
    """Under way with its bar, then with what came of it; once looked at, the next session begins anew."""
    begun, go_on = held
    first = begin(ingest(open_page, *FILES))
    assert begun.wait(20)
    job = first.session_state["ingest_bag"].job
    assert bar(open_page("ingest")) == (33, "File 2 of 3")
    del first
    go_on.set()
    assert job.finished.wait(20)
    again = open_page("ingest")
    assert table(again, "new_runs")["status"].tolist() == ["stored"] * 3
    assert not [frame for frame in open_page("ingest").dataframe if "new_runs" in frame.value.columns]


def test_it_stops_after_the_file_in_hand_and_the_rest_waits(empty, open_page, held):
    begun, go_on = held
    shown = begin(ingest(open_page, *FILES))
    assert begun.wait(20)
    shown.run().button(key="ingest_stop").click().run()
    go_on.set()
    assert shown.session_state["ingest_bag"].job.finished.wait(20)
    shown.run()
    assert table(shown, "goes_to")["status"].tolist() == ["stored", "stored", "ready"]
    assert shown.info[0].value == "Stopped. Not stored yet: 1."
    assert shown.button(key="ingest_store").label == "**Store 1 file**"


def failing(error, after=1):
    """A door that fails after so many files."""
    answers = []

    def write(command):
        if len(answers) == after:
            raise error
        answers.append(command)
        return command

    return write


def tasks(tmp_path, count):
    """Files of 10 bytes, and what became of each."""
    told = {}
    made = []
    for n in range(count):
        path = tmp_path / f"{n}"
        path.write_bytes(b"x" * 10)
        made.append(
            ingesting_job.Task(
                f"{n}", path, ImportArtifact(actor="ana", path=str(path)), lambda answer, n=n: told.update({n: "stored"}),
                lambda reason, n=n: told.update({n: reason}),
            )
        )  # fmt: skip
    return made, told


def test_a_file_that_is_refused_stops_no_other(tmp_path):
    made, told = tasks(tmp_path, 3)
    job = ingesting_job.Storing(made, "ana")
    refusals = iter([None, QualityError("too large"), None])

    def write(command):
        if error := next(refusals):
            raise error

    job.run(write, lambda: True)
    assert (told, job.fault, job.share) == ({0: "stored", 1: "too large", 2: "stored"}, "", 1.0)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LedgerBusy("x: the disk is full: make room"), "x: the disk is full"),
        (ValueError("?"), "unexpected fault (ValueError)"),
    ],
    ids=["the ledger", "a fault of ours"],
)
def test_a_ledger_that_does_not_answer_ends_it_and_says_why(tmp_path, error, said, caplog):
    """What came before stays stored."""
    made, told = tasks(tmp_path, 3)
    job = ingesting_job.Storing(made, "ana")
    job.run(failing(error), lambda: True)
    assert job.finished.is_set()
    assert job.fault.startswith(said)
    assert (told, job.left) == ({0: "stored"}, 2)


def test_another_ledger_gets_none_of_the_files(tmp_path):
    made, told = tasks(tmp_path, 2)
    job = ingesting_job.Storing(made, "ana")
    job.run(lambda command: None, iter([True, False]).__next__)
    assert (told, job.fault) == ({0: "stored"}, ingesting_job.ANOTHER)


def test_progress_is_the_share_of_the_bytes_that_are_through(tmp_path):
    """A file of 30 bytes after one of 10: 25 % in between, and the records of the file in hand are told."""
    made, _ = tasks(tmp_path, 2)
    made[1].path.write_bytes(b"x" * 30)
    job, seen = ingesting_job.Storing(made, "ana"), []

    def write(command):
        advancing.tell(7)
        seen.append((job.share, job.records))

    job.run(write, lambda: True)
    assert seen == [(0.0, 7), (0.25, 7)]
    assert (job.share, job.records) == (1.0, 0)


def test_closing_the_dashboard_ends_it_with_a_whole_file(empty, open_page, held, tmp_path):
    """The file in hand is whole, what follows is not begun, and nothing is reported as a fault of ours."""
    begun, go_on = held
    shown = begin(ingest(open_page, *FILES))
    assert begun.wait(20)
    job = shown.session_state["ingest_bag"].job
    for end in HOME.on_close:
        end()
    go_on.set()
    assert job.finished.wait(20)
    assert (job.done, job.fault) == (2, "")
    HOME.close()
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        assert queries.totals(ledger.store, Filters())["runs"] == 4


def test_an_import_tells_how_many_records_are_through(empty, tmp_path):
    """The two readings of the table, as they are read."""
    (tmp_path / "t.csv").write_bytes(TABLE)
    told = []
    with advancing.heard_by(told.append):
        As(empty, OWNER).execute(ImportArtifact(actor="ana", path=str(tmp_path / "t.csv")))
    assert told == [2]
    As(empty, OWNER).execute(ImportArtifact(actor="ana", path=str(tmp_path / "t.csv"), story_id="S-9"))
    assert told == [2]
