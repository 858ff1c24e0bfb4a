"""The command line, in this process where many words are tried, as a process of its own where that is the point."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from quality.cli import main

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which is one JSON document."""
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def ledger_path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.duckdb"


@pytest.fixture
def run(tmp_path: Path, ledger_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Run:
    """`run("score", "add", "S-1", "9")` → how it ended; in this process, with the working folder `tmp_path`."""

    def start(*arguments: str, **environment: str) -> Done:
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            for name, value in ({"QUALITY_LEDGER": str(ledger_path), "QUALITY_REVIEWER": "dana"} | environment).items():
                patch.setenv(name, value)
            code = main(arguments)
        shown = capsys.readouterr()
        return Done(code, shown.out, shown.err)

    return start


@pytest.fixture
def process(tmp_path: Path, ledger_path: Path) -> Run:
    """The same as a process of its own, `python -m quality …`."""

    def start(*arguments: str, **environment: str) -> Done:
        own = {k: v for k, v in os.environ.items() if not k.startswith("QUALITY_")}
        env = (
            own
            | {"PYTHONPATH": str(ROOT), "QUALITY_LEDGER": str(ledger_path), "QUALITY_REVIEWER": "dana"}
            | environment
        )
        command = [sys.executable, "-m", "quality", *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120
        )
        assert "Traceback" not in done.stderr + done.stdout
        return Done(done.returncode, done.stdout, done.stderr)

    return start
