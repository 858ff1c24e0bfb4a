"""How does a test run the dashboard? As its users do: `streamlit run app.py`, a process of its own on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WAIT_SECONDS = 60
COMPLAINTS = ("warning", "traceback", "error", "exception")
"""Words that the server's log must not hold."""


@dataclass
class Dashboard:
    """A running dashboard and the ledger it owns."""

    address: str
    ledger: Path


@contextmanager
def serving(ledger: Path, log: Path, *options: str, port: int | None = None) -> Iterator[Dashboard]:
    """The dashboard on this ledger while the block runs. At the end its log must hold no complaint."""
    with serving_script("app.py", log, *options, port=port, QUALITY_LEDGER=str(ledger)) as address:
        yield Dashboard(address, ledger)
    said = log.read_text(encoding="utf-8")
    assert not any(word in said.lower() for word in COMPLAINTS), said


@contextmanager
def serving_script(
    script: str, log: Path, *options: str, port: int | None = None, folder: Path = ROOT, **environment: str
) -> Iterator[str]:
    """The address of a Streamlit script that runs, in a folder, while the block does."""
    port = port or free_port()
    address = f"http://127.0.0.1:{port}"
    options = ("--server.port", str(port), "--server.headless", "true", *options)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", script, *options], cwd=folder, env={**os.environ, **environment},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            wait_until(lambda: process.poll() is not None or _answers(address), "the dashboard to answer")
            assert process.poll() is None, log.read_text(encoding="utf-8")
            yield address
        finally:
            process.terminate()
            process.wait(WAIT_SECONDS)


def free_port() -> int:
    """One that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Until it holds, or fail naming what was waited for."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"waited {WAIT_SECONDS} s for {what}")
        time.sleep(0.05)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False
