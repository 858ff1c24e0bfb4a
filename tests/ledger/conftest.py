"""A ledger, and a reader that says what a test wants it to say."""

import itertools

import pytest

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from quality.observations import Batch
from quality.readers import formats


class ToldReader:
    """Recognises every file and yields the batches it was told."""

    format = "told"

    def __init__(self):
        self.batches = []

    def recognises(self, artifact):
        return True

    def read(self, artifact, target):
        yield from self.batches


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as opened:
        yield opened


@pytest.fixture
def tell(ledger, tmp_path, monkeypatch):
    """Import observations: `tell(RunFact(...), Verdict(run=0, ...))`, each call an artifact of its own.

    What else is given by name is stated in the command, such as `accept_old=True`.
    """
    reader = ToldReader()
    monkeypatch.setattr(formats, "READERS", (reader,))
    number = itertools.count()

    def import_these(*records, batches=None, into=None, content=None, **stated):
        reader.batches = batches if batches is not None else [Batch.of(*records)]
        path = tmp_path / "artifact"
        path.write_text(content or f"artifact {next(number)}")
        return (into or ledger).execute(ImportArtifact(actor="ci", path=str(path), **stated))

    return import_these
