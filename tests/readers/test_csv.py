"""A CSV gives each record once, with the line it starts on, whatever is in its cells."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.readers import csv_rows
from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact

HEADER = "story_id,source,quality,note\n"


def notes(said):
    return [(o["line"], o.get("note")) for o in said.overrides]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_ends_a_line(read, ending):
    said = read("story_id,source,quality,note\nS-1,human,7,a\n\nS-2,human,8,b\n".replace("\n", ending))
    assert notes(said) == [(2, "a"), (4, "b")]
    assert not said.rejects


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_tells_the_encoding(read, encoding):
    bom = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    said = read((bom + HEADER + "S-1,human,7,Größe ✓\n").encode(encoding))
    assert notes(said) == [(2, "Größe ✓")]


def test_a_note_of_several_lines_comes_back_byte_for_byte(read, assets):
    said = read(assets / "b19_multiline_notes.csv")
    assert notes(said) == [(2, 'line one\r\nline two, with comma\n"quoted" and ; semicolon'), (5, "   "), (6, None)]


def test_one_leading_apostrophe_before_a_formula_is_taken_back(read):
    cells = ["'=1+1", "''=1+1", "'plain", "=1+1", "'@x", "'-3", "don't"]
    said = read(HEADER + "".join(f"S-{n},human,7,{cell}\n" for n, cell in enumerate(cells)))
    assert [note for _, note in notes(said)] == ["=1+1", "'=1+1", "'plain", "=1+1", "@x", "-3", "don't"]


def test_formula_cells_and_minus_zero_are_read_as_written(read, assets):
    said = read(assets / "b18_ledger_formulas.csv")
    assert [s["title"] for s in said.stories] == [
        '=HYPERLINK("http://x.invalid","click")', "-2 regressions fixed", "\tTab first", "Größe prüfen — 数量",
    ]  # fmt: skip
    assert [(str(o["quality"]), o["note"]) for o in said.overrides] == [
        ("7.0", "+1 good"), ("0.0", "@todo follow up"), ("6.5", "|pipe"), ("8.0", "ok ✓"),
    ]  # fmt: skip


def test_a_decimal_after_25_000_integers_stays_a_decimal(read):
    said = read(HEADER + "S,human,7,\n" * 25_000 + "S,human,7.5,\n")
    assert said.overrides[-1]["quality"] == 7.5


def test_ragged_rows_are_rejects_with_their_line_and_text(read):
    said = read(HEADER + 'S-1,human,7,"two\nlines"\nS-2,human\n\nS-3,human,8,x,y\nS-4,human,9,ok\n')
    assert said.reasons == [(4, None, "S-2,human\n"), (6, None, "S-3,human,8,x,y\n")]
    assert notes(said) == [(2, "two\nlines"), (7, "ok")]


def test_a_record_that_is_not_utf8_is_a_reject_and_the_others_are_read(read):
    said = read(HEADER.encode() + b"S-1,human,7,caf\xe9\nS-2,human,8,caf\xc3\xa9\n")
    assert said.reasons == [(2, None, "S-1,human,7,caf\\xe9\n")]
    assert notes(said) == [(3, "café")]


def test_a_quote_inside_an_unquoted_cell_is_text(read):
    said = read(HEADER + 'S-1,human,7,5" pipe\nS-2,human,8,"a,b"\n')
    assert notes(said) == [(2, '5" pipe'), (3, "a,b")]


def test_a_quote_that_is_never_closed_costs_its_line_only(read):
    said = read(HEADER + 'S-1,human,7,"open\nS-2,human,8,ok\nS-3,human,9,"x\ny"\n')
    assert [(r["line"], r["value"]) for r in said.rejects] == [(2, 'S-1,human,7,"open\n')] or not said.overrides
    said = read(HEADER + 'S-1,human,7,"open\nS-2,human,8,ok\n')
    assert said.reasons == [(2, None, 'S-1,human,7,"open\n')]
    assert notes(said) == [(3, "ok")]


def test_a_quoted_empty_cell_is_the_empty_text_and_an_unquoted_one_is_nothing(read):
    for odd in ("", 'S-3,human,7,5"\n'):  # by Arrow's parser, and by the exact walk
        said = read(HEADER + 'S-1,human,7,""\nS-2,human,8,\n' + odd)
        assert [note for _, note in notes(said)][:2] == ["", None]


def test_nul_bytes_are_kept_as_text(read):
    said = read(HEADER.encode() + b"S-1,human,7,a\x00b\n")
    assert notes(said) == [(2, "a\0b")]


def test_semicolons_and_tabs_separate_too(read):
    assert notes(read((HEADER + "S-1,human,7,a\n").replace(",", ";"))) == [(2, "a")]
    assert notes(read((HEADER + "S-1,human,7,a\n").replace(",", "\t"))) == [(2, "a")]


def test_a_header_alone_is_a_warning(read):
    said = read(HEADER)
    assert (said.tables, len(said.warnings)) == ({}, 1)
    assert "no rows" in said.warnings[0]


def test_rows_of_empty_cells_are_passed_over(read):
    assert not read(HEADER + ",,,\nS-1,human,7,\n,,,\n").rejects


PLAIN = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
AWKWARD = st.lists(st.sampled_from(['"', "\n", "\r\n", "\r", ",", "'", "=", " ", "a", '""', "é"]), max_size=8).map(
    "".join
)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.one_of(PLAIN, AWKWARD), st.booleans()), min_size=1, max_size=30),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([40, 200, 16 * 1024 * 1024]),
)
def test_generated_notes_come_back_and_bad_rows_have_their_lines(tmp_path_factory, cells, ending, block):
    """A writer quotes as RFC 4180 asks; every third row is bad. Blocks of any size give the same."""
    file = io.StringIO()
    file.write("story_id,source,quality,note" + ending)
    expected, bad = [], []
    for n, (note, blank_before) in enumerate(cells):
        if blank_before:
            file.write(ending)
        line = _lines(file.getvalue()) + 1
        rating = "85" if n % 3 == 2 else "7"
        cell = "'" + note if note.lstrip("'")[:1] in tuple("=+-@\t\r") and note.lstrip("'") else note
        quoted = '"' + cell.replace('"', '""') + '"' if set(cell) & set('",\r\n') else cell
        file.write(f"S-{n},human,{rating},{quoted}{ending}")
        if rating == "85":
            bad.append((line, "85"))
        else:
            expected.append((line, note or None))
    path = tmp_path_factory.mktemp("csv") / "rows.csv"
    path.write_bytes(file.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_rows, "BLOCK_BYTES", block)
        batches = list(read_artifact(Artifact(path), Target()).batches)
    found = [(o["line"], o["note"]) for b in batches for o in b.records("overrides")]
    assert found == expected
    assert [(r["line"], r["value"]) for b in batches for r in b.records("rejects")] == bad


def _lines(text):
    return text.count("\n") + text.count("\r") - text.count("\r\n")
