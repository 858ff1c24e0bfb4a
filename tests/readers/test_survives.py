"""Every reader survives anything: batches of the declared columns and rejects with a line of the file, never an error."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quality.observations import SCHEMAS
from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact
from quality.readers.review import ReviewReader
from quality.readers.synlynk import SynlynkReader
from quality.readers.tables import CsvReader, JsonlReader, ParquetReader

ASSETS = Path(__file__).parents[1] / "assets" / "readers"
STATE = Path(__file__).parents[2] / "data" / "sample" / "synlynk-state.db"
READERS = (CsvReader(), JsonlReader(), ParquetReader(), ReviewReader(), SynlynkReader())
SEEDS = [path.read_bytes() for path in sorted(ASSETS.glob("b*"))]
SEEDS.append(
    b"story_id,test_pass_rate,attempt,quality_human,n_human,human_at,note,caveats,x\r\n"
    b'S-1,0.5,1,8,2,2026-08-01T10:00:00Z,"a ""b""\r\nc",raters_disagree,y\r\nS-2,,2,,,,,,\r\n'
)
PIECES = st.sampled_from([
    b'"', b"\n", b"\r", b"\r\n", b",", b";", b"\t", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe9", b"'=", b"NaN", b"1e999",
    b"-1", b'""',
    b"{", b"}", b"[", b"\\ud800", b"9" * 40, b"story_id", b"> ", b"# synlynk-meta\nquality=3\n", b'{"quality": 3}', b"2026-13-01",
])  # fmt: skip
QUIET = settings(max_examples=120)


def survive(path, content, readers=READERS):
    path.write_bytes(content)
    artifact = Artifact(path)
    for target in (Target(), Target("S-1", "codex", "m1", 1)):
        for reader in readers:
            reader.recognises(artifact)
            check(reader.read(artifact, target), content, reader.format)
        check(read_artifact(artifact, target).batches, content, "")


def check(batches, content, form):
    lines = 1 + content.count(b"\n") + content.count(b"\r")
    for batch in batches:
        for name, table in batch.tables.items():
            assert table.schema.equals(SCHEMAS[name])
            table.validate(full=True)
            runs = batch.count("runs")
            assert all(run < runs for run in table["run"].to_pylist()) if "run" in table.column_names else True
            if form not in ("parquet", "synlynk state.db"):
                assert all(1 <= line <= lines for line in table["line"].to_pylist() if line is not None)
        assert all(reject["reason"] for reject in batch.records("rejects"))


@QUIET
@given(content=st.binary(max_size=300))
def test_arbitrary_bytes(tmp_path, content):
    survive(tmp_path / "file", content)


@QUIET
@given(
    content=st.sampled_from(SEEDS), edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 6), PIECES), max_size=6),
    utf16=st.booleans(),
)  # fmt: skip
def test_real_files_with_faults(tmp_path, content, edits, utf16):
    for place, length, piece in edits:
        place %= len(content) + 1
        content = content[:place] + piece + content[place + length :]
    survive(tmp_path / "file", content.decode("utf-8", "replace").encode("utf-16") if utf16 else content)


@settings(QUIET, max_examples=60)
@given(
    edits=st.lists(st.tuples(st.integers(0, 100_000), st.binary(min_size=1, max_size=8)), min_size=1, max_size=6),
    cut=st.integers(0, 3000),
)
def test_a_damaged_parquet_file(tmp_path, edits, cut):
    whole = tmp_path / "whole"
    pq.write_table(pa.table({"story_id": ["S-1", "S-2"], "quality_human": [7.0, 8.0], "note": ["a", None]}), whole)
    content = bytearray(whole.read_bytes())
    for place, piece in edits:  # the page data; damage to the footer's sizes is Arrow's to bear
        place = 4 + place % 40
        content[place : place + len(piece)] = piece
    survive(tmp_path / "file", bytes(content)[: len(content) - cut % 40], readers=(ParquetReader(),))


@settings(QUIET, max_examples=25)
@given(edits=st.lists(st.tuples(st.integers(0, 400_000), st.binary(min_size=1, max_size=60)), min_size=1, max_size=10))
@example(edits=[(54864, b"\x80")])  # in the schema, whose text SQLite puts into its message
def test_a_damaged_database(tmp_path, edits):
    content = bytearray(STATE.read_bytes())
    for place, piece in edits:
        place %= len(content)
        content[place : place + len(piece)] = piece
    survive(tmp_path / "file", bytes(content), readers=(SynlynkReader(),))


@pytest.mark.parametrize(
    "content",
    [
        b"story_id,quality_human\n" + b'"' * 100_001 + b"\n",
        b"story_id,quality_human\n" + b'S,"x\n' * 3_000,
        b"story_id,quality_human\n" + b"\n" * 200_000 + b"S-1,7\n",
        b'{"story_id": "S", "quality_human": 7, "x": ' + b"[" * 200_000,
        b"# synlynk-meta\n" * 3_000,
        b'{"quality": ' * 3_000,
        b"{" * 50_000 + b'"quality": 7' + b"}" * 50_000,
    ],
    ids=["quotes", "unclosed quotes", "blank lines", "nested list", "markers", "open objects", "nested objects"],
)
def test_hostile_files_end_in_bounded_time(tmp_path, content):
    survive(tmp_path / "file", content)
