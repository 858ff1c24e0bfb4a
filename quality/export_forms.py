"""How do rows become the bytes of a file? Arrow batches in, bytes out, the same for a file, HTTP and a download."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BATCH_ROWS = 65_536
"""Rows a chunk of bytes is made of, at most."""
BOM = b"\xef\xbb\xbf"
FORMATS: dict[str, tuple[str, str]] = {
    "csv": ("csv", "text/csv; charset=utf-8"),
    "excel": ("csv", "text/csv; charset=utf-8"),
    "parquet": ("parquet", "application/vnd.apache.parquet"),
    "jsonl": ("jsonl", "application/x-ndjson"),
}
"""Format → the ending of a file's name, media type."""


def csv(header: Sequence[str], batches: Iterator[pa.RecordBatch], bom: bool) -> Iterator[bytes]:
    yield (BOM if bom else b"") + ",".join(header).encode() + b"\r\n"
    yield from lines(batches)


def lines(batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """The strings of an Arrow array are already one block of bytes: no row is touched in Python."""
    for batch in batches:
        column = batch.column("line")
        _, offsets, content = column.buffers()
        if content is not None:
            places = np.frombuffer(offsets, dtype=np.int32)
            yield memoryview(content)[places[column.offset] : places[column.offset + len(column)]].tobytes()


class _Sink:
    """A file to pyarrow, whose bytes are taken out as they come."""

    closed = False

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._held.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken, self._held = b"".join(self._held), []
        return taken


def parquet(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    sink = _Sink()
    writer = pq.ParquetWriter(sink, schema, compression="zstd")
    for batch in batches:
        writer.write_batch(batch, row_group_size=BATCH_ROWS)
        yield sink.take()
    writer.close()
    yield sink.take()
