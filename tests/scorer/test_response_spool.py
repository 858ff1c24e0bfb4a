"""What waits for the ledger waits durably, and is imported once, whoever dies in between."""

import json

import pytest

from quality.commands import Command
from quality.ledger.ledger import Ledger
from quality.response_commands import FeedbackOn, ListResponses, ShowResponse
from quality.response_models import ResponseRecord
from quality.response_spool import FeedbackLine, ResponseLine, Spool, is_spool


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as opened:
        yield opened


@pytest.fixture
def spool(ledger):
    return Spool(ledger.path)


def line(name):
    return ResponseLine(record=ResponseRecord(metadata={"response_id": name}))


def event(name, event_id):
    return FeedbackLine(event=FeedbackOn(response_id=name, signal="accept", event_id=event_id))


def test_lines_of_many_appends_are_imported_together(ledger, spool):
    """And the file is gone; a file that is no spool is not taken for one."""
    spool.append([event("b", "e")])
    spool.append([line("a"), line("b")])
    assert is_spool(spool.path)
    assert not is_spool(ledger.path)
    done = spool.import_waiting(ledger, "eli")
    assert (done.responses, done.feedback, done.rejects, spool.waiting()) == (2, 1, [], [])
    assert ledger.ask(ShowResponse(response_id="b"))["accept"] == 1


def test_an_importer_that_dies_leaves_the_rest_to_the_next(ledger, spool):
    """Lines that are imported twice count once."""

    class Dying:
        def execute(self, command: Command) -> object:
            if command.name == "add_feedbacks":
                raise OSError("killed")
            return ledger.execute(command)

    spool.append([line("a"), event("a", "e")])
    with pytest.raises(OSError, match="killed"):
        spool.import_waiting(Dying(), "eli")
    spool.append([line("b")])
    assert len(spool.waiting()) == 2
    assert spool.import_waiting(ledger, "eli").responses == 2
    assert (ledger.ask(ListResponses())["total"], ledger.ask(ShowResponse(response_id="a"))["accept"]) == (2, 1)


def test_half_a_line_costs_no_other(ledger, spool):
    """Whoever wrote it was killed in the middle; it is kept, with the reason in the answer."""
    spool.append([line("a")])
    whole = spool.path.read_bytes()
    spool.path.write_bytes(whole + whole[: len(whole) // 2])
    spool.append([line("b")])
    with spool.path.open("ab") as file:
        file.write(b'{"spool": "feedback", "event": {"response_id": "a", "signal": "redo"}}\n')
    done = spool.import_waiting(ledger, "eli")
    assert [reject.line for reject in done.rejects] == [2, 4]
    assert done.rejects[0].reason.startswith("not JSON")
    assert done.rejects[1].reason.endswith("a feedback line needs one, so that it counts once")
    assert ledger.ask(ListResponses())["total"] == 2
    kept = spool.path.with_name(spool.path.name + ".rejected.jsonl").read_bytes().splitlines()
    assert kept[0] == whole[: len(whole) // 2]
    assert json.loads(kept[1])["event"]["signal"] == "redo"
