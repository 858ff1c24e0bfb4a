"""The real process, `streamlit run app.py`: the command line works beside it, other sites do not get in."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from quality.client import open_door
from quality.commands import AddRating, ListScores
from quality.ledger.ledger import Ledger
from quality.ledger.owner import OwnerFile
from quality.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


@pytest.fixture
def dashboard(tmp_path: Path):
    """Ledger and address of a running dashboard, with one rated story."""
    path = tmp_path / "ledger.duckdb"
    with Ledger(path) as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, create=True))
    own = {k: v for k, v in os.environ.items() if not k.startswith("QUALITY_")} | {"QUALITY_LEDGER": str(path)}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.port", str(_free_port())]
    log = (tmp_path / "log").open("w")
    process = subprocess.Popen(command, cwd=ROOT, env=own, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield path, _address(path, process)
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def _address(path: Path, process: subprocess.Popen) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        holder = OwnerFile(path.resolve()).read()
        if holder and holder.address:
            return holder.address
        time.sleep(0.1)
    raise AssertionError((path.parent / "log").read_text())


def test_commands_reach_the_dashboards_ledger(dashboard):
    """A rating through the door is in the ledger that the pages show; strangers are refused."""
    path, address = dashboard
    with open_door(path, Settings()) as door:
        command = AddRating(actor="eli", reviewer="eli", story_id="S-1", rating=3)
        assert door.execute(command).row["quality"] == 3.0
        assert door.ask(ListScores())["total"] == 1
    url = f"{address}/api/v1/commands/examine"
    assert httpx.post(url, json={}, trust_env=False).status_code == 401
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        assert httpx.get(address, headers=headers, trust_env=False).status_code == 403
    assert httpx.get(address, trust_env=False).status_code == 200


@pytest.mark.parametrize(
    ("settings", "options", "named"),
    [
        ("", ["--server.address", "0.0.0.0"], "server.address 0.0.0.0"),
        ('[server]\nallowed_hosts = ["quality.example"]\n', [], "server.allowed_hosts quality.example"),
    ],
)
def test_it_does_not_start_where_others_reach_it_and_nobody_logs_in(tmp_path, settings, options, named):
    """By its address or through a proxy: it ends with the reason and the remedy, and no ledger is opened."""
    (tmp_path / "quality.toml").write_text(settings)
    own = {k: v for k, v in os.environ.items() if not k.startswith("QUALITY_")}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port"]
    ended = subprocess.run(
        [*command, str(_free_port()), *options], cwd=ROOT, env=own | {"QUALITY_LEDGER": str(tmp_path / "ledger.duckdb")},
        capture_output=True, text=True, timeout=START_SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert ended.returncode == 1
    assert f"{named}: others than this machine reach the dashboard, but nobody has to log in" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "ledger.duckdb").exists()
