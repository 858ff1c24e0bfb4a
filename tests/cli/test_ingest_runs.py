"""`ingest` finds the run of each file: by the caller's word, by a manifest, or by what the file itself says."""

import json
from pathlib import Path
from shutil import copy

import pytest

ASSETS = Path(__file__).parents[1] / "assets"
AGGREGATE = ASSETS / "evidence" / "xml" / "j18_duplicated_suites.xml"
SINGLE = sorted((ASSETS / "readers").glob("TEST-com.sample.test.*.xml"))
REPORT = '<testsuite name="S">{}<testcase classname="C" name="a"/><testcase classname="C" name="{}"/></testsuite>'
STATED = '<properties><property name="story_id" value="S-7"/><property name="agent" value="a"/></properties>'


def manifest(*runs):
    return json.dumps({"quality_manifest": 1, "runs": list(runs)})


def row(run, story):
    [found] = run("show", story, "--json").json["runs"]
    return found


@pytest.mark.parametrize("order", [[AGGREGATE, *SINGLE], [*SINGLE, AGGREGATE], [SINGLE[0], AGGREGATE, SINGLE[1]]])
@pytest.mark.parametrize("at_once", [True, False], ids=["one call", "several calls"])
def test_an_aggregate_beside_its_single_reports_counts_each_test_once(run, order, at_once):
    """3 of 3, in every order."""
    paths = [str(path) for path in order]
    for call in [paths] if at_once else [[path] for path in paths]:
        assert run("ingest", *call, "--story", "S-1", "--agent", "a", "--model", "m").code == 0
    found = row(run, "S-1")
    assert (found["test_pass_rate"], found["tests_total"]) == (1.0, 3)


def test_a_report_that_names_its_story_needs_no_option(run, tmp_path):
    """And inspect shows the run that it found."""
    (tmp_path / "r.xml").write_text(REPORT.format(STATED, "b"))
    [reading] = run("inspect", "r.xml", "--json").json["readings"]
    assert (reading["story_id"], reading["agent"]) == ("S-7", "a")
    done = run("ingest", "r.xml", "--json")
    assert (done.code, [(r["story_id"], r["agent"]) for r in done.json["runs"]]) == (0, [("S-7", "a")])


def test_the_caller_says_more_of_the_story_and_its_run(run, tmp_path):
    """Title, kind of work and start."""
    (tmp_path / "r.xml").write_text(REPORT.format("", "b"))
    said = ("--story", "S-7", "--title", "Read it", "--discipline", "backend", "--org-domain", "platform")
    done = run("ingest", "r.xml", *said, "--started-at", "2026-03-01T09:30Z", "--accept-old", "--json")
    assert done.code == 0
    shown = run("show", "S-7", "--json").json
    assert "Read it" in json.dumps(shown)
    assert "backend" in json.dumps(shown)
    assert "2026-03-01T09:30:00" in json.dumps(shown["runs"])


def test_details_of_no_story_are_refused(run, tmp_path):
    """Nobody would know whose."""
    (tmp_path / "r.xml").write_text(REPORT.format("", "b"))
    done = run("ingest", "r.xml", "--title", "T")
    assert (done.code, "--story" in done.err) == (2, True)


@pytest.fixture
def results(tmp_path):
    """A folder with reports of two runs, one that names its run, and a manifest."""
    folder = tmp_path / "results"
    (folder / "reports").mkdir(parents=True)
    (folder / "reports" / "a.xml").write_text(REPORT.format("", "b"))
    (folder / "b.xml").write_text(REPORT.format("", "c"))
    (folder / "own.xml").write_text(REPORT.format(STATED, "d"))
    first = {"story_id": "S-1", "agent": "a", "model": "m", "title": "One", "artifacts": ["reports/**/*.xml"]}
    second = {"story_id": "S-2", "agent": "a", "model": "m", "artifacts": ["b.xml"]}
    (folder / "quality-manifest.json").write_text(manifest(first, second))
    return folder


def test_a_manifest_in_a_walked_folder_is_followed(run, results):
    """What it does not claim goes by its own ids; the manifest itself is no artifact."""
    done = run("ingest", str(results), "--json")
    assert (done.code, [Path(f["path"]).name for f in done.json["files"]]) == (0, ["b.xml", "own.xml", "a.xml"])
    assert sorted(r["story_id"] for r in done.json["runs"]) == ["S-1", "S-2", "S-7"]
    again = run("ingest", "--manifest", str(results / "quality-manifest.json"), "--json").json
    assert [f["status"] for f in again["files"]] == ["unchanged", "unchanged"]


def test_options_are_for_what_the_manifest_does_not_claim(run, results):
    """Its word is the more particular."""
    (results / "own.xml").unlink()
    (results / "x.xml").write_text(REPORT.format("", "x"))
    done = run("ingest", str(results), "--story", "S-9", "--json")
    assert sorted(r["story_id"] for r in done.json["runs"]) == ["S-1", "S-2", "S-9"]


def test_a_file_that_is_named_and_claimed_is_taken_once(run, results):
    """With the manifest's run."""
    done = run("ingest", str(results / "b.xml"), "--manifest", str(results / "quality-manifest.json"), "--json")
    assert sorted(Path(f["path"]).name for f in done.json["files"]) == ["a.xml", "b.xml"]
    assert [r["story_id"] for r in done.json["runs"]] == ["S-2", "S-1"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"artifacts": ["../*.xml"]}, "leads out of the manifest's folder"),
        ({"artifacts": ["gone.xml"]}, "'gone.xml' matches no file"),
        ({"artifacts": ["b.xml"], "storyid": "x"}, "Did you mean: story_id"),
    ],
)
def test_a_faulty_manifest_stores_nothing(run, results, ledger_path, change, fault):
    """One line each, exit 2."""
    (results / "quality-manifest.json").write_text(manifest({"story_id": "S-1"} | change))
    for call in (("ingest", str(results)), ("ingest", "--manifest", str(results / "quality-manifest.json"))):
        done = run(*call)
        assert (done.code, fault in done.err, ledger_path.exists()) == (2, True, False)


def test_two_manifests_that_claim_one_file_are_a_fault(run, results):
    """Both are named."""
    copy(results / "quality-manifest.json", results / "more.json")
    done = run("ingest", str(results))
    assert done.code == 2
    assert "more.json and" in done.err


def test_inspect_follows_a_manifest_too(run, results):
    """Each file with its run; nothing is stored."""
    files = run("inspect", str(results), "--json").json["files"]
    assert [file["readings"][0]["story_id"] for file in files] == ["S-2", "S-7", "S-1"]


def test_a_stored_older_report_counts_once_it_is_accepted(process, tmp_path):
    """As a user runs it: stored with the warning that names --accept-old, then the same command with that word."""
    suite = '<testsuite name="S" timestamp="2026-02-27T10:00:00Z">'
    (tmp_path / "old.xml").write_text(REPORT.format("", "b").replace('<testsuite name="S">', suite))
    said = ("ingest", "old.xml", "--story", "S-1", "--agent", "a", "--model", "m", "--started-at", "2026-03-01T09:30Z")
    first = process(*said)
    assert (first.code, "--accept-old" in first.err) == (0, True)
    waiting = row(process, "S-1")
    assert (waiting["test_pass_rate"], waiting["quality"], waiting["older_report"]) == (None, None, True)
    assert process(*said, "--json").json["files"][0]["status"] == "unchanged"
    accepted = process(*said[:-2], "--accept-old", "--json")
    [file] = accepted.json["files"]
    assert (accepted.code, file["status"], file["warnings"]) == (0, "imported", [])
    assert [run["story_id"] for run in accepted.json["runs"]] == ["S-1"]
    counted = row(process, "S-1")
    assert (counted["test_pass_rate"], counted["signal_source"], counted["older_report"]) == (1.0, "auto", False)
    assert counted["readings"][0]["accepted"] is True
    assert process(*said, "--accept-old", "--json").json["files"][0]["status"] == "unchanged"
