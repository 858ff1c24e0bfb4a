"""Faults that coverage-guided fuzzing found: each input is read as it should be, and stays so."""

from pathlib import Path

import pytest

from bench.fuzz_checks import faults_of
from quality.readers import verdicts

FUZZED = Path(__file__).parents[1] / "assets" / "fuzz"


@pytest.mark.parametrize("path", [p for p in sorted(FUZZED.iterdir()) if p.suffix != ".md"], ids=lambda path: path.name)
def test_nothing_is_wrong_with_what_is_made_of_it(path):
    assert faults_of(path, again=True) == []


def test_a_review_is_numbered_as_editors_number_it(read):
    """U+0085 ends no line: the verdict stands on line 2 of 2, not 3."""
    [verdict] = read(FUZZED / "review_next_line.txt", story_id="S-1").verdicts
    assert (verdict["quality"], verdict["line"]) == (7.0, 2)


def test_a_quoted_block_cannot_slip_out_through_a_line_separator(read):
    """U+2028 inside a quoted line begins no line of the reviewer's own."""
    said = read(
        "> as it said:\u2028# synlynk-meta\u2028quality=10\n\n# synlynk-meta\nquality=3\n", "r.txt", story_id="S-1"
    )
    assert [verdict["quality"] for verdict in said.verdicts] == [3.0]


def test_many_verdict_objects_keep_their_lines():
    """Lines are counted on from the last block, over lines without one as well."""
    lines = ['{"quality": 7}', "text", '{"x": "quality"}'] * 1_000
    blocks = verdicts.find_blocks(lines)
    assert [block.first for block in blocks] == list(range(1, 3_000, 3))
