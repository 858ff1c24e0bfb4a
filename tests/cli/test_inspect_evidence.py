"""`inspect` says what a report amounts to, in the words that scripts rely on."""

REPORT = (
    '<testsuites tests="9">\n<testsuite name="S">\n<testcase name="a"/><testcase name="b"/><testcase name="c"/>\n'
    '<testcase name="d"><failure/></testcase>\n<testcase name="e"><skipped/></testcase>\n</testsuite>\n</testsuites>\n'
)
TABLE = "story_id,test_pass_rate\nS-1,0.5\nS-2,1\n"


def test_a_report_of_one_run_shows_its_tests_and_signals(run, tmp_path):
    """Counts, known signals only, and each line that they rest on."""
    (tmp_path / "r.xml").write_text(REPORT)
    found = run("inspect", "r.xml", "--json").json
    assert found["format"] == "JUnit XML"
    assert found["tests"] == {"passed": 3, "failed": 1, "errors": 0, "skipped": 1, "flaky": 0}
    assert found["signals"] == {"test_pass_rate": 0.75}
    assert (found["diagnostics"], found["rejects"], found["verdicts"]) == (None, [], [])
    assert [(e["signal"], e["line"]) for e in found["evidence"]] == [("test_pass_rate", 1), ("test_pass_rate", 4)]
    assert '<testcase name="d"><failure/>' in found["evidence"][1]["text"]
    assert "line 1: the report declares tests=9, its elements are 5: the elements count" in found["warnings"]


def test_no_tests_are_null_and_no_signal(run, tmp_path):
    """Unknown is neither 0 nor 1."""
    (tmp_path / "r.xml").write_text("<testsuites/>")
    found = run("inspect", "r.xml", "--json").json
    assert (found["tests"], found["signals"]) == (None, {})


def test_a_table_of_many_runs_lists_its_readings(run, tmp_path):
    """Signals of one run would be a choice among them."""
    (tmp_path / "t.csv").write_text(TABLE)
    found = run("inspect", "t.csv", "--json").json
    assert (found["tests"], found["signals"]) == (None, {})
    assert [(r["story_id"], r["test_pass_rate"]) for r in found["readings"]] == [("S-1", 0.5), ("S-2", 1.0)]


def test_a_table_of_one_run_shows_its_signals(run, tmp_path):
    """It says no counts."""
    (tmp_path / "t.csv").write_text("story_id,test_pass_rate,build_success\nS-1,0.5,true\n")
    found = run("inspect", "t.csv", "--json").json
    assert (found["tests"], found["signals"]) == (None, {"test_pass_rate": 0.5, "build_success": True})


def test_people_read_the_same(run, tmp_path):
    """Without --json."""
    (tmp_path / "r.xml").write_text(REPORT)
    done = run("inspect", "r.xml")
    assert "r.xml: tests: 3 passed, 1 failed, 0 errors, 1 skipped, 0 flaky" in done.out
    assert "r.xml: test_pass_rate = 0.75" in done.out


def test_ingest_stores_the_report_once(run, tmp_path):
    """With the story named; the same file again changes nothing."""
    (tmp_path / "r.xml").write_text(REPORT)
    told = ("ingest", "r.xml", "--story", "S-1", "--agent", "codex", "--model", "m", "--json")
    assert [run(*told).json["files"][0]["status"] for _ in range(2)] == ["imported", "unchanged"]
    [found] = run("show", "S-1", "--json").json["runs"]
    assert (found["test_pass_rate"], found["tests_total"]) == (0.75, 4)
