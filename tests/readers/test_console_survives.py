"""Any lines at all give a reading with sane counts, in time that grows with the text alone."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.readers.base import Artifact, Target
from quality.readers.console.scan import MOST_LINES, scan
from quality.readers.formats import READERS, read_artifact
from quality.readers.log_lines import log_lines

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "console"
LINES = sorted({
    line for path in ASSETS.iterdir() if path.suffix in (".log", ".txt", ".out", ".tap")
    for line in path.read_bytes().splitlines()
})  # fmt: skip
JSONS = [
    json.loads((ASSETS / "m33_mocha.json").read_text()),
    {"exit_code": 1, "stdout_tail": "x"},
    {"Action": "run", "Package": "a"},
]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


def sane(path: Path) -> None:
    """Every reader that takes it reads it, and what it counts adds up."""
    artifact = Artifact(path)
    for reader in READERS:
        reader.recognises(artifact)
    for batch in read_artifact(artifact, Target(story_id="S-1")).batches:
        for signal in batch.records("signals"):
            if signal["tests_total"] is not None:
                assert signal["tests_total"] == signal["tests_passed"] + signal["tests_failed"] + signal["tests_errors"]
                assert signal["tests_flaky"] <= signal["tests_passed"]
        assert batch.count("evidence") <= MOST_LINES


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(LINES) | st.binary(max_size=30), max_size=40),
    st.sampled_from([b"\n", b"\r\n", b"\r", b"\x1b[0m\n"]),
)
def test_lines_of_every_runner_in_any_order(tmp_path, lines, end):
    """Half a session, two at once, other lines between."""
    path = tmp_path / "any.log"
    path.write_bytes(end.join(lines))
    sane(path)


@settings(max_examples=60)
@given(st.sampled_from(JSONS), st.data())
def test_json_with_anything_in_the_place_of_anything(tmp_path, value, data):
    """Another type than the producer's is passed over or told."""
    keys = data.draw(st.lists(st.sampled_from(sorted(value)), max_size=3))
    path = tmp_path / "any.json"
    path.write_text(json.dumps(value | {key: data.draw(ANYTHING) for key in keys}) + "\n")
    sane(path)


@settings(max_examples=60)
@given(st.data())
def test_an_archive_with_any_damage(tmp_path, data):
    """Bytes changed or cut off anywhere."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/1_x.txt", "..   [100%]\n2 passed in 0.1s\n")
        archive.writestr("b/1_y.txt", "F   [100%]\n1 failed in 0.1s\n")
    raw = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(0, 4))):
        raw[data.draw(st.integers(4, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "any.zip"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    sane(path)


@pytest.mark.parametrize(
    "piece",
    [b" ", b"=", b"-", b"_ ", b"1", b"[", b".", b"1 a, ", b"\r", b"\x1b[", b"\x1b]", b"a.py::b ", b"ok ", b"--- PASS: ",
     b"x > ", b"a\t", b"[gw0] ", b"= 1 passed in ", b"Tests:  1 a, ", b"2026-01-01T00:00:00Z ", b"FAIL: (", b'{"Action":',
     b"\xe2\x9c\x93 ", b"(1 ", b"##[group]Run \n"],
)  # fmt: skip
def test_a_long_line_ends(piece):
    """A megabyte of what a pattern looks for: one that goes back and forth would not come to an end."""
    assert scan(log_lines(io.BytesIO(piece * (1_000_000 // len(piece))))).summaries == []
