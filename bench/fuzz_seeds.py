"""What does a fuzzing run begin with? Small artifacts of every format that there is an example of."""

import ast
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from bench import artifacts

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "tests" / "assets", ROOT / "data" / "sample")
TESTS = ROOT / "tests" / "readers"
MOST = 32 * 1024
SHORTEST = 40
"""Characters of a text in a test from which it may be an artifact."""


def write_seeds(into: Path) -> None:
    """Assets, the texts in the readers' tests, 1 KB of each format of the benchmark, and a Parquet file."""
    for folder in FOLDERS:
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix != ".md" and path.stat().st_size <= MOST:
                shutil.copy(path, into / path.name)
    for n, text in enumerate(sorted(_texts())):
        (into / f"text-{n:04}").write_bytes(text)
    for n, name in enumerate(artifacts.NAMES):
        artifacts.make(into / f"made-{n:02}", name, 1_000)
    table = pa.table({"story_id": ["S-1", "S-2"], "quality_human": [7.0, None], "note": ["a", "b"]})
    pq.write_table(table, into / "rows.parquet")


def _texts() -> set[bytes]:
    found: set[bytes] = set()
    for path in TESTS.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and len(node.value) >= SHORTEST:
                found.add(node.value if isinstance(node.value, bytes) else node.value.encode("utf-8", "surrogatepass"))
    return {text for text in found if len(text) <= MOST}
