"""Does the Export page offer what fits the filters, and is the file the one that was asked for?"""

import csv
import io
import json

import pytest

from pages.components import exporting
from quality.commands import ExportRows, Filters
from quality.definitions import define


def test_preview_and_dictionary_have_the_same_columns(ledger, open_page):
    """Every column of the file is explained, in its order."""
    preview, dictionary = (frame.value for frame in open_page("export").dataframe)
    assert len(preview) == 3
    assert dictionary["Column"].tolist() == list(preview.columns)
    assert dictionary.set_index("Column").loc["coverage", "Meaning"] == define("coverage").sentence


def test_the_filters_hold_for_the_export(ledger, open_page):
    assert open_page("export", tier="human").dataframe[0].value["story_id"].tolist() == ["S-1"]


@pytest.mark.parametrize("name", exporting.FORMATS)
def test_every_format_gives_a_file(ledger, name):
    """The button's callable writes bytes; nothing is written before it is clicked."""
    _, fields, _ = exporting.FORMATS[name]
    assert len(exporting.written(ExportRows(**fields))) > 100


def test_every_format_is_explained():
    assert exporting.MEANING.keys() == exporting.FORMATS.keys()


def test_the_csv_reads_back(ledger):
    """One of three runs has a human score; the Excel form starts with a byte order mark."""
    content = exporting.written(ExportRows(filters=Filters(tier="human")))
    (row,) = csv.DictReader(io.StringIO(content.decode(), newline=""))
    assert (row["story_id"], float(row["quality_human"]), row["reviewer"]) == ("S-1", 6.0, "dana")
    assert exporting.written(ExportRows(bom=True)).startswith(b"\xef\xbb\xbf")


def test_json_lines_are_one_object_a_run(ledger):
    lines = exporting.written(ExportRows(format="jsonl")).decode().splitlines()
    assert sorted(json.loads(line)["story_id"] for line in lines) == ["S-1", "S-2", "S-3"]
