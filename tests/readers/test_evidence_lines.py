"""Does every excerpt know the numbers of its lines?"""

from pathlib import Path

import pytest

from quality.readers.base import Artifact, Target
from quality.readers.evidence import around, excerpt
from quality.readers.formats import read_artifact
from quality.readers.log_lines import clean
from quality.readers.text import physical_lines

ASSETS = Path(__file__).parents[1] / "assets" / "evidence"
TEXTS = [path for path in sorted(ASSETS.glob("*/*")) if path.suffix not in (".zip", ".eval", ".md")]


def pieces(path):
    batches = read_artifact(Artifact(path), Target("S-1")).batches
    return [piece for batch in batches for piece in batch.records("evidence")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_each_kept_line_is_the_line_of_that_number(path):
    """Every row of every excerpt of the corpus stands in the file at the number it is shown with."""
    lines = [clean(line or "") for line in physical_lines(path)]
    for piece in pieces(path):
        if piece["first_line"] is None:
            continue
        rows = piece["text"].split("\n")
        assert 0 <= piece["line"] - piece["first_line"] < len(rows)
        for number, row in enumerate(rows[:-1], piece["first_line"]):
            assert clean(row).strip()[:60] in lines[number - 1], (number, row)


def test_the_corpus_is_not_passed_over():
    """Most of it is numbered."""
    numbered = [path for path in TEXTS if any(piece["first_line"] for piece in pieces(path))]
    assert len(numbered) > len(TEXTS) / 2


@pytest.mark.parametrize(("line", "first"), [(1, 1), (6, 1), (7, 2), (20, 15)])
def test_five_lines_stand_before_the_one_that_was_read(line, first):
    """Fewer at the beginning."""
    assert excerpt(["x"] * 30, line, line).first_line(line) == first


def test_a_line_that_is_missing_ends_the_excerpt():
    """Lines 2 and 3 were the echo of a command: what stands before them would be numbered wrongly."""
    kept = around({1: "a", 4: "d", 5: "e"}, 5)
    assert (kept, kept.first_line(5)) == ("d\ne", 4)


def test_a_masked_key_keeps_its_lines():
    """What stands behind it has its own number still."""
    key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIE", "-----END RSA PRIVATE KEY-----"]
    assert excerpt([*key, "1 failed"], 4, 4).split("\n") == ["[secret]", "", "", "1 failed"]


def test_text_that_is_no_part_of_the_file_has_no_numbers(tmp_path):
    """A job log is one line of JSON: the lines of its output are not lines of the file."""
    path = tmp_path / "jobs.jsonl"
    path.write_text('{"exit_code": 1, "stdout_tail": "a\\n== 1 failed in 1s ==", "git_diff_stat": "", "agent": "a"}\n')
    assert [(piece["line"], piece["first_line"]) for piece in pieces(path)] == [(1, None)] * len(pieces(path))
