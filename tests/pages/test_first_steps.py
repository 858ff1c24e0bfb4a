"""Does an empty ledger say what to do, do its commands work as they are copied, and does all that go with the first run?"""

import json
import os
import subprocess
import sys
from pathlib import Path

from pages.components import first_steps, states
from quality.api.tokens import hash_of
from quality.client import open_door
from quality.commands import AddRating, Filters, ListScores
from quality.connecting import SYNLYNK, TOKEN, upload_command
from quality.ledger.owner import OwnerFile
from quality.settings import load_settings
from tests.serving import ROOT, serving, wait_until

REPORT = '<testsuite name="s"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>'


def shell(command, folder, **environment):
    """As somebody runs it who has copied it, in a shell where Quality Tiers is installed."""
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": scripts, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=env, capture_output=True, encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_three_ways_are_shown_until_a_run_is_there(empty, open_page, monkeypatch):
    """Ingest, CI and a synlynk workspace, each with its command; on every page of runs."""
    links = []
    monkeypatch.setattr(states.st, "page_link", lambda target, **look: links.append(target))
    for name in ("overview", "stories", "models", "export"):
        shown = open_page(name)
        assert [heading.value for heading in shown.subheader] == ["No runs yet"]
        assert all(
            way in " ".join(text.value for text in shown.markdown) for way in ("Ingest a file", "Connect CI", "synlynk")
        )
        assert {TOKEN, SYNLYNK} <= {code.value for code in shown.code}
    assert set(links) == {"ingest.py"}
    empty.execute(AddRating(actor="ana", reviewer="ana", story_id="S-1", rating=7, create=True))
    assert not {TOKEN, SYNLYNK} & {code.value for code in open_page("overview").code}


def test_the_address_in_the_command_is_the_one_the_page_was_reached_by(empty, open_page):
    """Whoever copies it has a command that reaches this dashboard; where the browser tells none it is the process's own."""
    empty.store.owner.serve_at("http://127.0.0.1:8614")
    shown = open_page("overview")
    (command,) = [code.value for code in shown.code if code.value.startswith("curl")]
    assert command.endswith(" http://127.0.0.1:8614/api/v1/commands/import_artifact")


def test_the_ci_command_stores_a_report_and_fails_where_it_is_refused(tmp_path):
    """The token by its command, its lines in quality.toml, then the upload as a job runs it: one story, 1 of 2 passed."""
    made = shell(TOKEN, tmp_path)
    assert made.returncode == 0, made.stderr
    token = made.stdout.strip()
    lines = made.stderr[made.stderr.index("[server.tokens.ci]") :]
    assert hash_of(token) in lines
    (tmp_path / "quality.toml").write_text(lines, encoding="utf-8")
    (tmp_path / "junit.xml").write_text(REPORT, encoding="utf-8")
    ledger = tmp_path / "ledger.duckdb"
    with serving(ledger, tmp_path / "server.log") as dashboard:
        wait_until(lambda: (holder := OwnerFile(ledger).read()) and holder.address, "the address of the dashboard")
        command = upload_command(dashboard.address)
        refused = shell(command, tmp_path, QUALITY_TOKEN="wrong", STORY_ID="STORY-7")
        assert refused.returncode == 22, refused.stderr
        sent = shell(command, tmp_path, QUALITY_TOKEN=token, STORY_ID="STORY-7")
        assert sent.returncode == 0, sent.stderr
        with open_door(ledger, load_settings(ledger).values, purpose="a test") as door:
            (row,) = door.ask(ListScores(actor="ana", filters=Filters(story_id="STORY-7")))["rows"]
    assert (row["story_id"], row["test_pass_rate"]) == ("STORY-7", 0.5)


def test_the_synlynk_command_imports_a_workspace(tmp_path):
    """The sample's workspace: 10 stories, a run each, two rejects."""
    (tmp_path / ".synlynk").mkdir()
    (tmp_path / ".synlynk" / "state.db").write_bytes((ROOT / "data" / "sample" / "synlynk-state.db").read_bytes())
    done = shell(f"{SYNLYNK} --json", tmp_path, QUALITY_LEDGER=str(tmp_path / "ledger.duckdb"))
    assert done.returncode == 1, done.stderr
    (file,) = json.loads(done.stdout)["files"]
    assert (file["format"], file["counts"]["runs"], file["counts"]["rejects"]) == ("synlynk state.db", 10, 2)


def test_what_comes_in_from_elsewhere_shows_by_itself(empty, monkeypatch):
    """The empty page looks in again, and is drawn anew only when something came."""
    turned = []
    monkeypatch.setattr(first_steps.st, "rerun", lambda: turned.append(1))
    before = empty.runs_version
    first_steps._look_in.__wrapped__(before)
    assert not turned
    empty.execute(AddRating(actor="ana", reviewer="ana", story_id="S-1", rating=7, create=True))
    first_steps._look_in.__wrapped__(before)
    assert turned
