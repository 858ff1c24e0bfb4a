"""Archives of logs: each member a log of its own, bounded, and never unpacked."""

import io
import zipfile

import pytest

from quality.readers import zip_log

NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
ONE, OTHER = "..   [100%]\n2 passed in 0.1s\n", "F.   [100%]\n1 failed, 1 passed in 0.1s\n"


def packed(*members, compression=zipfile.ZIP_DEFLATED):
    """Names and contents → the archive's bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


@pytest.fixture
def counted(read):
    """`counted(*members)` → what the archive's reader says."""
    return lambda *members: read(packed(*members), "logs.zip", story_id="S-1")


def test_logs_of_an_archive_add_up(counted):
    """Two jobs; what is no log is told."""
    said = counted(("a/1_test.txt", ONE), ("b/1_test.txt", OTHER), ("report.html", "<html>"))
    assert [said.signals[0][name] for name in NAMES] == [3, 1, 0, 0, 0]
    assert any("1 member of the archive are no logs" in warning for warning in said.warnings)


def test_a_job_that_is_there_whole_and_by_step_counts_once(counted):
    """GitHub's archive holds both."""
    steps = ("test (3.11)/1_Set up job.txt", "setup\n"), ("test (3.11)/2_Run pytest.txt", ONE)
    said = counted(("0_test (3.11).txt", "setup\n" + ONE), *steps)
    assert said.signals[0]["tests_passed"] == 2


def test_a_job_without_its_steps_counts(counted):
    """The newer form of the archive: whole jobs, and a system log a folder."""
    said = counted(("0_test.txt", ONE), ("test/system.txt", "setup\n"))
    assert said.signals[0]["tests_passed"] == 2


def test_the_same_files_in_two_jobs_are_no_re_run(counted):
    """A matrix: both results count."""
    session = "=== test session starts ===\ncollected 1 item\n\ntest_a.py {}   [100%]\n\n=== 1 {} in 0.1s ===\n"
    said = counted(("py310/2_t.txt", session.format("F", "failed")), ("py311/2_t.txt", session.format(".", "passed")))
    assert [said.signals[0][name] for name in NAMES[:2]] == [1, 1]


def test_evidence_names_the_member_and_its_line(counted):
    """Lines are those of the member."""
    said = counted(
        ("a/1_x.txt", "first\n"), ("b/2_y.txt", "hello\n" + OTHER + "##[error]Process completed with exit code 1.\n")
    )
    by_signal = {e["signal"]: e for e in said.evidence}
    assert by_signal["test_pass_rate"]["line"] == 3
    assert by_signal["test_pass_rate"]["member"] == "b/2_y.txt"
    assert by_signal["test_pass_rate"]["first_line"] == 1
    assert said.signals[0]["build_success"] is False
    assert any("b/2_y.txt line 4: exit code 1" in warning for warning in said.warnings)


def test_names_that_lead_out_of_the_archive_are_only_shown(counted, tmp_path):
    """Nothing is written anywhere."""
    before = {path.name for path in tmp_path.parent.iterdir()}
    said = counted(("../../evil/1_x.txt", ONE), ("/etc/1_y.txt", ONE), ("C:\\x.log", ONE))
    assert said.signals[0]["tests_passed"] == 6
    assert {path.name for path in tmp_path.parent.iterdir()} == before


def test_what_a_mac_adds_is_no_log(counted):
    """Resource forks and folders' settings."""
    said = counted(("a/1_x.txt", ONE), ("__MACOSX/a/._1_x.txt", ONE), ("a/._2.txt", ONE), ("a/.DS_Store", "x"))
    assert said.signals[0]["tests_passed"] == 2
    assert not any("no logs" in warning for warning in said.warnings)


def test_a_member_that_unpacks_to_more_than_the_limit_is_cut(counted, monkeypatch):
    """And the cut is told."""
    monkeypatch.setattr(zip_log, "MOST_BYTES", 1_000)
    said = counted(
        ("a/1_x.txt", ONE + "x\n" * 10_000 + OTHER),
    )
    assert said.signals[0]["tests_passed"] == 2
    assert any("the rest is not read" in warning for warning in said.warnings)


def test_a_damaged_member_is_a_reject_and_the_others_are_read(read):
    """With the member's name."""
    raw = bytearray(packed(("a/1_x.txt", ONE * 50), ("b/1_y.txt", OTHER), compression=zipfile.ZIP_STORED))
    raw[60] ^= 0xFF
    said = read(bytes(raw), "logs.zip", story_id="S-1")
    assert said.signals[0]["tests_failed"] == 1
    assert [reject["field"] for reject in said.rejects] == ["a/1_x.txt"]


def test_an_archive_without_logs_is_not_taken(read):
    """An office document or another tool's archive is for others to read."""
    assert read(packed(("word/document.xml", "<x/>")), "a.docx", story_id="S-1").format == "unrecognised"
    assert read(packed(("header.json", "{}"), ("x.txt", ONE)), "a.eval", story_id="S-1").format != "log archive"


JUNIT = '<testsuite name="S"><testcase classname="C" name="a"/><testcase classname="C" name="b"><failure/></testcase></testsuite>'


def test_reports_in_an_archive_are_read_each_on_its_own(read):
    """Of the run that the archive is of; lines, warnings and rejects name the member, what nobody knows is counted."""
    sarif = '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": []}]}'
    cut = JUNIT.replace("</testsuite>", "")
    members = [("out/junit.xml", JUNIT), ("lint.sarif", sarif), ("cut.xml", cut), ("x.json", "{}"), ("a.png", "x")]
    said = read(packed(*members), "a.zip", story_id="S-1")
    counted = [(s.get("tests_passed"), s.get("tests_failed")) for s in said.signals]
    assert (counted, {r["story_id"] for r in said.runs}) == ([(1, 1), (None, None), (1, 1)], {"S-1"})
    assert len(said.signals[0]["test_ids"]) == 2
    assert {e.get("member") for e in said.evidence} == {"out/junit.xml", "cut.xml"}
    assert said.rejects[0]["reason"].startswith("cut.xml: no XML from here on")
    assert any(text.startswith("cut.xml: the report breaks off") for text in said.warnings)
    assert "2 members of the archive are no logs (.txt, .log) and no report: not read" in said.warnings


def test_logs_and_reports_of_one_archive_are_readings_of_their_own(read):
    """They are combined as artifacts of one run are."""
    said = read(packed(("ci.log", "1 passed in 0.10s\n"), ("junit.xml", JUNIT)), "a.zip", story_id="S-1")
    assert [(s["tests_passed"], s.get("runner")) for s in said.signals] == [(1, "pytest"), (1, None)]


def test_an_archive_within_an_archive_is_not_opened(read):
    """Whatever it is called."""
    inner = packed(("junit.xml", JUNIT))
    said = read(packed(("junit.xml", inner), ("more.zip", inner)), "a.zip", story_id="S-1")
    assert (said.signals, len(said.rejects)) == ([], 1)
    assert "nothing in the archive is a log or a report" in said.rejects[0]["reason"]


def test_a_report_that_names_its_run_does_so_in_an_archive_too(read):
    """Nobody has to say it again."""
    stated = '<properties><property name="story_id" value="S-7"/></properties><testcase'
    said = read(packed(("junit.xml", JUNIT.replace("<testcase", stated, 1))), "a.zip")
    assert (said.runs[0]["story_id"], said.rejects) == ("S-7", [])
