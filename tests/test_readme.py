"""Is what README.md says true? Its commands are run in order, and its table of numbers is the catalogue's."""

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from quality.definitions import DEFINITIONS
from quality.ledger.owner import OwnerFile
from tests.serving import serving, wait_until

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(?:<!-- (?P<remark>[^>]+) -->\n)?```sh\n(?P<commands>.*?)```\n(?:\n```text\n(?P<output>.*?)```)?", re.DOTALL
)
NUMERIC = ("score", "difference", "share", "count", "weight", "ratio")
SECTIONS = (
    "Words", "The weighted composite", "Tier 1", "Tier 2", "Tier 3", "Resolution", "Model scores", "CSV for Tokq subscribers",
    "Responses", "Prompts", "Improvement candidates",
)  # fmt: skip
"""Of the model that the numbers follow."""


def blocks(with_dashboard: bool) -> list[re.Match[str]]:
    return [b for b in BLOCK.finditer(README) if (b["remark"] == "with the dashboard open") == with_dashboard]


def run(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The commands as a shell runs them; the first that fails ends them."""
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": scripts, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = ["bash", "-euo", "pipefail", "-c", commands]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)


def shape(output: str) -> re.Pattern[str]:
    """`…` stands for anything within a line, and blanks for any blanks."""
    lines = [re.escape(line).replace("…", ".*?").replace(r"\ ", r"\s*") for line in output.splitlines()]
    return re.compile(r"\s*\n".join(lines) + r"\s*")


def numbers_of_the_table() -> list[list[str]]:
    lines = README.split("## Where does this number come from?")[1].split("\n## ")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]


def test_every_command_does_what_the_readme_says(tmp_path):
    """In order, in one folder: each block ends with the exit code and the output that stand beside it. Then HTTP."""
    (tmp_path / "data").mkdir()
    for block in blocks(with_dashboard=False):
        expected = int(re.search(r"\d", block["remark"])[0]) if block["remark"] else 0
        done = run(block["commands"], tmp_path)
        assert done.returncode == expected, f"{block['commands']}\n{done.stdout}\n{done.stderr}"
        if block["output"]:
            assert shape(block["output"]).fullmatch(done.stdout), f"{block['output']}\n{done.stdout}"
    with serving(tmp_path / "data" / "ledger.duckdb", tmp_path / "server.log") as dashboard:
        wait_until(lambda: serves_commands(dashboard.ledger), "the address of the dashboard")
        for block in blocks(with_dashboard=True):
            done = run(block["commands"], tmp_path)
            assert done.returncode == 0, f"{block['commands']}\n{done.stdout}\n{done.stderr}"
            assert '"rating":7.5' in done.stdout or '"quality":7.5' in done.stdout


def serves_commands(ledger: Path) -> bool:
    holder = OwnerFile(ledger).read()
    return holder is not None and holder.address is not None


def test_every_command_of_the_command_line_is_shown():
    """ingest to doctor: nobody has to find one in --help."""
    shown = set(re.findall(r"-m quality (?:--ledger \S+ )?((?:score|story) \w+|\w+)", README))
    wanted = {"ingest", "inspect", "show", "models", "prompt", "verify", "discriminate", "export", "rebuild", "doctor"}
    wanted |= {"activity", "backup", "restore"}
    wanted |= {"imports", "withdraw", "reinstate", "redact"}
    wanted |= {f"score {verb}" for verb in ("add", "list", "undo", "attest")}
    wanted |= {f"story {verb}" for verb in ("edit", "undo", "merge", "split", "history")}
    assert wanted <= shown


def test_every_number_is_in_the_table_once_and_says_what_the_screen_says():
    """Label, sentence and source are the catalogue's, in its order."""
    numeric = [d for d in DEFINITIONS.values() if d.kind in NUMERIC]
    rows = numbers_of_the_table()
    assert [row[0] for row in rows] == [f"{d.label} (`{d.name}`)" for d in numeric]
    for definition, (_, sentence, function, section) in zip(numeric, rows):
        assert sentence == definition.sentence
        assert definition.source in (function.strip("`"), f"MODEL.md, {section}")
        assert section in SECTIONS


def test_every_function_in_the_table_exists():
    """A reader who follows the name finds it, and its docstring says what it computes."""
    for _, _, function, _ in numbers_of_the_table():
        module, name = function.strip("`").rsplit(".", 1)
        assert getattr(import_module(module), name).__doc__, function


@pytest.mark.parametrize("command", re.findall(r"^    make (\w+)$", README, re.MULTILINE))
def test_the_two_commands_are_targets_of_the_makefile(command):
    """`make -n` knows both."""
    if not shutil.which("make"):
        pytest.fail("make is not installed: apt-get install make", pytrace=False)
    done = subprocess.run(
        ["make", "-n", command], cwd=ROOT, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
