"""Read a file's text or bytes with the readers, or bring it into a ledger."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact

ASSETS = Path(__file__).parents[1] / "assets" / "readers"


@dataclass
class Said:
    """What an artifact says: records without their unstated fields."""

    format: str
    tables: dict[str, list[dict]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def __getattr__(self, table: str) -> list[dict]:
        return self.tables.get(table, [])

    @property
    def reasons(self) -> list[tuple]:
        return [(r.get("line"), r.get("field"), r.get("value")) for r in self.rejects]


def _said(path: Path, target: Target) -> Said:
    reading = read_artifact(Artifact(path), target)
    said = Said(reading.format)
    for batch in reading.batches:
        runs = len(said.runs)
        said.warnings += batch.warnings
        for table in batch.tables:
            for record in batch.records(table):
                if "run" in record:
                    record["run"] += runs
                said.tables.setdefault(table, []).append({k: v for k, v in record.items() if v is not None})
    return said


@pytest.fixture
def read(tmp_path):
    """`read(content, name="rows.csv", **target)`: text, bytes or a path."""

    def reads(content, name="rows.csv", **target):
        path = content
        if not isinstance(content, Path):
            path = tmp_path / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return _said(path, Target(**target))

    return reads


@pytest.fixture
def assets():
    return ASSETS


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "ledger.duckdb") as opened:
        yield opened


@pytest.fixture
def ingest(ledger, tmp_path):
    """`ingest(content_or_path, **target)` → the answer of the ledger."""

    def ingests(content, name="rows.csv", **target):
        path = content
        if not isinstance(content, Path):
            path = tmp_path / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return ledger.execute(ImportArtifact(actor="test", path=str(path), **target))

    return ingests


@pytest.fixture
def rows(ledger):
    """`rows("quality, note")` → tuples in the order of stories, agents and attempts."""

    def selects(columns, where="true"):
        sql = f"SELECT {columns} FROM ledger WHERE {where} ORDER BY story_id, agent, model_version, attempt"
        return [tuple(row.values()) for row in ledger.store.rows(sql)]

    return selects
