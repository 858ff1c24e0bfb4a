"""What do the reports in an archive say? Each is read as an artifact of its own, of the run that the archive is of.

A reader wants a file: a member lies for as long as it is read in a folder of ours, under a name of ours. Archives within
the archive are not opened.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import pyarrow as pa

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Reader, Target
from quality.readers.text import shown

REPORTS = (".xml", ".json", ".jsonl", ".ndjson", ".trx", ".sarif", ".tap", ".out")
"""How the names of members end that may be reports."""
DOCUMENTS = ("[content_types].xml", "word/", "xl/", "ppt/", "meta-inf/manifest.mf", "mimetype", "androidmanifest.xml")
"""How the names of members begin in archives that are documents or programs themselves."""
BLOCK = 1 << 20
LONGEST_NAME = 200


def is_report(name: str) -> bool:
    """Whether a member may be a report, by its name."""
    return name.lower().endswith(REPORTS)


def read_member(name: str, content: BinaryIO, readers: Sequence[Reader], target: Target) -> Iterator[Batch] | None:
    """The batches of one member, `None` where no reader knows it; lines, warnings and rejects name the member."""
    label = shown(name)[:LONGEST_NAME]
    with TemporaryDirectory(prefix="quality-member-") as folder:
        path = Path(folder, "member")
        with path.open("wb") as file:
            while block := content.read(BLOCK):
                file.write(block)
        artifact = Artifact(path, label)
        reader = next((reader for reader in readers if reader.recognises(artifact)), None)
        if reader is None:
            return None
        return iter([_of_member(batch, label) for batch in reader.read(artifact, target)])


def _of_member(batch: Batch, label: str) -> Batch:
    tables = dict(batch.tables)
    if "evidence" in tables:
        found = tables["evidence"]
        place = found.column_names.index("member")
        tables["evidence"] = found.set_column(place, "member", pa.array([label] * found.num_rows, pa.string()))
    if "rejects" in tables:
        rejects = (Reject(**reject) for reject in batch.records("rejects"))
        named = Batch.of(*(each.model_copy(update={"reason": f"{label}: {each.reason}"}) for each in rejects))
        tables["rejects"] = named.tables["rejects"]
    return Batch(tables, [f"{label}: {text}" for text in batch.warnings], batch.diagnostics)
