"""Artifacts in, rows out: `ingest`, `inspect`, `export`, and the ledger that is not there."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quality.ledger.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def backup(run, tmp_path, ledger_path):
    """A full export of two rated stories; the ledger it came from is gone."""
    run("score", "add", "S-1", "9", "--create", "--note", "=1+1")
    run("score", "add", "S-2", "0", "--create")
    path = tmp_path / "backup.jsonl"
    assert run("export", "--output", str(path), "--format", "jsonl", "--full").code == 0
    ledger_path.unlink()
    return path


def test_ingest_answers_a_document_with_every_file(run, backup):
    """Path, format, hash, status and counts; the same file again changes nothing."""
    first = run("ingest", str(backup), "--json")
    (file,) = first.json["files"]
    assert first.code == 0
    assert list(file) == ["path", "format", "sha256", "status", "counts", "rejects", "warnings", "runs"]
    assert file["sha256"] == hashlib.sha256(backup.read_bytes()).hexdigest()
    assert (file["path"], file["status"]) == (str(backup), "imported")
    assert file["counts"].items() >= {"stories": 2, "runs": 2, "overrides": 2}.items()
    (again,) = run("ingest", str(backup), "--json").json["files"]
    assert again["status"] == "unchanged"


def test_what_cannot_be_used_is_a_reject_with_line_and_reason(process, backup):
    """Exit 1: the rest is stored."""
    lines = backup.read_text().splitlines()
    bad = next(place for place, line in enumerate(lines) if '"overrides"' in line and place > 0)
    lines[bad] = lines[bad].replace('"quality":9.0', '"quality":85')
    backup.write_text("\n".join(lines) + "\n")
    done = process("ingest", str(backup), "--json")
    (file,) = done.json["files"]
    assert done.code == 1
    assert file["rejects"][0]["line"] == bad + 1
    assert "less than or equal to 10" in file["rejects"][0]["reason"]
    assert file["counts"].items() >= {"overrides": 1, "rejects": 1}.items()


def test_a_file_that_cannot_be_opened_is_reported_and_the_others_go_on(run, backup, tmp_path):
    """Exit 2, but the readable file is in the ledger."""
    done = run("ingest", str(tmp_path / "missing.csv"), str(backup), "--json")
    assert done.code == 2
    assert [file["status"] for file in done.json["files"]] == ["rejected", "imported"]
    assert "missing.csv: cannot be read (No such file or directory)" in done.json["files"][0]["rejects"][0]["reason"]
    assert done.err.startswith("error: ")
    assert run("score", "list", "--json").json["total"] == 2


def test_a_folder_is_walked_in_order_without_hidden_files(run, tmp_path):
    """Sorted by name; a file of no known format is a reject."""
    folder = tmp_path / "results"
    (folder / "b").mkdir(parents=True)
    for name in ("b/two.bin", "a.bin", ".hidden", "b/one.bin"):
        (folder / name).write_bytes(b"\x00\x01" + name.encode())
    done = run("ingest", str(folder), "--json")
    assert done.code == 1
    assert [os.path.relpath(file["path"], folder) for file in done.json["files"]] == ["a.bin", "b/one.bin", "b/two.bin"]


def test_inspect_needs_no_ledger_and_makes_none(run, backup, ledger_path):
    """Parse only: the parts are there, those not read yet are null."""
    done = run("inspect", str(backup), "--json")
    assert done.code == 0
    assert done.json["format"] == "quality-tiers-ledger"
    assert done.json["counts"]["overrides"] == 2
    assert done.json.keys() >= {"signals", "verdicts", "rejects", "warnings", "evidence"}
    assert done.json["tests"] is None
    assert not ledger_path.exists()


def test_inspect_counts_all_that_a_backup_holds(run, tmp_path, ledger_path):
    """Evaluations of prompts too, beside a file that knows none."""
    (tmp_path / "p.md").write_text("Sum it up.")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("story_id,quality,signal_source\nS-1,9,human\n")
    run("prompt", "p.md", "--judge", "scripted", "--store")
    run("export", "--output", "in/b.jsonl", "--format", "jsonl", "--full")
    files = run("inspect", "in", "--json").json["files"]
    assert [(f["counts"]["overrides"], f["counts"].get("evaluations")) for f in files] == [(1, None), (0, 1)]
    assert run("inspect", "in").out.splitlines()[0].split()[-1] == "evaluations"


@pytest.mark.parametrize("command", [("show", "S-1"), ("models",), ("score", "list"), ("export", "--output", "x.csv"),
                                     ("rebuild",), ("score", "undo", "S-1"), ("score", "add", "S-1", "9")])  # fmt: skip
def test_reading_a_ledger_that_is_not_there_names_it_and_makes_no_file(run, tmp_path, ledger_path, command):
    """Exit 2 with the path and the remedy."""
    done = run(*command)
    assert done.code == 2
    assert done.err.startswith(f"error: {ledger_path}: no such ledger: ingest something into it")
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_in_a_folder_that_is_not_there_is_refused(run, tmp_path):
    """The folder is not made by accident."""
    done = run("--ledger", str(tmp_path / "no" / "l.duckdb"), "score", "add", "S-1", "9", "--create")
    assert done.code == 2
    assert "its folder does not exist: create it" in done.err


@pytest.mark.parametrize("content", [b"this is not a database, whatever its name says" * 400, b""])
def test_a_file_that_is_not_a_ledger_is_refused(run, ledger_path, content):
    """One line, no traceback; an empty file becomes a ledger, as with any new one."""
    ledger_path.write_bytes(content)
    done = run("models")
    if content:
        assert done.code == 2
        assert "not a ledger that this version can open: name another file" in done.err
    else:
        assert done.code in (0, 2)


def test_a_newer_ledger_is_refused(run, ledger_path):
    """It is not touched."""
    with Ledger(ledger_path) as ledger, ledger.store.transaction() as tx:
        tx.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    done = run("models")
    assert done.code == 2
    assert "written by a newer version (schema 99" in done.err


def test_export_names_rows_and_file(run, backup, tmp_path):
    """CSV by default; the formula is inert in it."""
    run("ingest", str(backup))
    done = run("export", "--output", str(tmp_path / "rows.csv"), "--json")
    assert done.json["rows"] == 2
    assert b',"\'=1+1",' in (tmp_path / "rows.csv").read_bytes()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--full",), "--full is written as jsonl, not csv"),
        (("--bom", "--format", "parquet"), "--bom is for csv"),
        (("--full", "--format", "jsonl", "--tier", "human"), "leave the filters out"),
        (("--format", "xlsx"), "format = 'xlsx': Input should be 'csv', 'excel', 'parquet' or 'jsonl'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, backup, options, reason):
    """Nothing is written."""
    run("ingest", str(backup))
    done = run("export", "--output", "out", *options)
    assert (done.code, reason in done.err) == (2, True)


def test_export_to_a_folder_that_is_not_there_is_one_line(run, backup):
    """It names the file and the remedy."""
    run("ingest", str(backup))
    done = run("export", "--output", "no/such/rows.csv")
    assert done.code == 2
    assert done.err == (
        "error: no/such/rows.csv: cannot be written (No such file or directory): choose another folder\n"
    )


def test_doctor_says_where_each_value_comes_from(run, tmp_path, ledger_path):
    """Before there is a ledger, too; after a change of weights it asks for a rebuild."""
    before = run("doctor", "--json")
    assert (before.code, before.json["exists"], ledger_path.exists()) == (0, False, False)
    run("score", "add", "S-1", "9", "--create")
    (tmp_path / "quality.toml").write_text("[scoring.tiers]\nverifier = 0.5\n")
    state = run("doctor", "--json", QUALITY_LIMITS__LOCK_SECONDS="3").json
    origins = {setting["name"]: (setting["value"], setting["origin"]) for setting in state["settings"]}
    assert origins["limits.lock_seconds"] == (3.0, "environment QUALITY_LIMITS__LOCK_SECONDS")
    assert origins["scoring.tiers.verifier"] == (0.5, str(tmp_path / "quality.toml"))
    assert origins["scoring.tiers.human"] == (1.0, "default")
    assert state["state"]["rows_with_other_settings"] == 1
    assert state["advice"] == ["1 rows are scored with other settings: run rebuild"]
    rebuilt = run("rebuild", "--json").json
    assert rebuilt == {"runs": 1, "responses": 0, "settings_hash": state["settings_hash"]}
    assert run("doctor", "--json").json["advice"] == []


def test_models_are_listed_with_what_was_widened(run):
    """No row at the coordinate: parts are dropped, and said."""
    run("score", "add", "S-1", "9", "--create", "--model", "gpt-5")
    found = run("models", "--discipline", "backend", "--json").json
    assert found["widened"] == ["discipline"]
    assert [(row["model"], row["effective_mean"], row["n"]) for row in found["models"]] == [("gpt-5", 9.0, 1)]


def test_show_answers_the_story_and_its_runs(run):
    """{story, runs}: every tier, its parts and its history."""
    run("score", "add", "S-1", "9", "--create")
    found = run("show", "S-1", "--json").json
    assert list(found) == ["story", "runs"]
    assert found["story"]["story_id"] == "S-1"
    assert found["runs"][0]["overrides"][0]["quality"] == 9.0


def test_a_reader_that_has_enough_is_no_fault(ledger_path):
    """`… | head` ends without a word on stderr."""
    env = os.environ | {"QUALITY_LEDGER": str(ledger_path), "PYTHONPATH": str(ROOT)}
    command = ["sh", "-c", f"{sys.executable} -m quality doctor | true"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("output", "code", "complaint"),
    [
        (">/dev/full", 2, "error: output: No space left on device: check permissions and space\n"),
        (">&-", 0, ""),
    ],
    ids=["full", "closed"],
)
@pytest.mark.parametrize("command", ["doctor", "doctor --json"])
def test_an_output_that_takes_nothing_is_one_line_at_most(ledger_path, command, output, code, complaint):
    """A full disk is named; who closed the output wants none."""
    env = os.environ | {"QUALITY_LEDGER": str(ledger_path), "PYTHONPATH": str(ROOT)}
    command = ["sh", "-c", f"{sys.executable} -m quality {command} {output}"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    stderr = done.stderr.replace("! there is no ledger yet: ingest something, or rate a story with --create\n", "")
    assert (done.returncode, stderr) == (code, complaint)


@pytest.mark.parametrize("command", ["ingest", "inspect"])
def test_a_pipe_is_no_artifact(run, tmp_path, command):
    """It would wait for a writer for ever, also where it lies in a folder."""
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "in" / "pipe")
    done = run(command, "in")
    assert done.code == 2
    assert "in/pipe: a pipe or device, no file: save what it gives to a file first" in done.err


def test_an_export_goes_into_a_pipe(ledger_path, backup, run):
    """`export --output /dev/stdout | …`: the rows alone; the remark goes to stderr."""
    run("ingest", str(backup))
    env = os.environ | {"QUALITY_LEDGER": str(ledger_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "quality", "export", "--output", "/dev/stdout"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("run_id,address,story_id")
    assert "Wrote" not in done.stdout
    assert done.stderr == "Wrote 2 rows to /dev/stdout\n"


@pytest.mark.parametrize(
    "command", [(), ("score",), ("ingest", "--help"), ("export", "--help"), ("score", "add", "-h")]
)
def test_help_has_examples_and_is_no_error(run, command):
    """Every help shows how it is typed."""
    done = run(*command)
    assert done.code == 0
    assert "Usage: python -m quality" in done.out
    assert "Examples:" in done.out or command == ("score",)


def test_json_is_one_document_even_for_the_settings(run, tmp_path):
    """A broken settings file is an error that names it."""
    (tmp_path / "quality.toml").write_text("[scoring.auto.weights]\nbuild_sucess = 3\n")
    done = run("models", "--json")
    assert done.code == 2
    assert "no such setting" in json.loads(done.out)["error"]
