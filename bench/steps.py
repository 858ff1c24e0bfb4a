"""Our side of each comparison, a step a process."""

from pathlib import Path

from quality.commands import ExportRows, ImportArtifact, Rebuild
from quality.export import export_rows
from quality.ledger.ledger import Ledger


def ingest(ledger: str, path: str) -> None:
    with Ledger(ledger, purpose="bench") as opened:
        answer = opened.execute(ImportArtifact(actor="bench", path=path))
    assert not answer.counts["rejects"], answer.rejects[:3]


def rebuild(ledger: str) -> None:
    with Ledger(ledger, purpose="bench") as opened:
        opened.execute(Rebuild(actor="bench"))


def export(ledger: str, path: str) -> None:
    with Ledger(ledger, purpose="bench") as opened:
        export_rows(opened.store, ExportRows(), Path(path))
