"""The dictionary explains the columns of a file, and data/README.md has all that there are, in their order."""

import csv
import io

import pytest

from quality.definitions import define
from quality.export_columns import BESIDES, PRESETS, ROW_COLUMNS, SUBSCRIBER, columns_of, comes_back
from quality.export_dictionary import HEADER, dictionary, dictionary_csv
from quality.export_forms import FORMATS
from quality.ledger.exporting import LISTS, TEXTS, TIMES, kind_of
from quality.profiles import CAVEAT_COLUMNS, LEFT_OUT, PROFILE_COLUMNS
from quality.readers.columns import KNOWN
from quality.tiers import CAVEATS
from tests.test_sample import table_under


@pytest.mark.parametrize("file_format", FORMATS)
def test_every_column_of_every_format_is_explained(file_format):
    """With how it is written."""
    rows = dictionary((*ROW_COLUMNS, *PROFILE_COLUMNS), file_format)
    assert all(row["meaning"] and row["written_as"] and row["source"] for row in rows)


def test_the_dictionary_as_a_csv_opens_in_excel():
    content = dictionary_csv(["quality", "ts"], "excel").decode()
    assert content.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(content.removeprefix("\ufeff"), newline="")))
    assert tuple(rows[0]) == HEADER
    assert [(row["column"], row["written_as"]) for row in rows] == [
        ("quality", "number, with a point"),
        ("ts", "UTC, as Excel reads it: 2026-03-01 09:30:00"),
    ]


def test_data_readme_has_the_further_columns_and_the_profiles_in_order():
    """Meaning and unit are the catalogue's."""
    further = table_under("Further columns")
    assert [row[0].strip("`") for row in further] == list(BESIDES)
    assert [row[3] for row in further] == [define(name).sentence for name in BESIDES]
    profiles = table_under("The profiles")
    assert [row[0].strip("`") for row in profiles] == list(PROFILE_COLUMNS)
    for name, _, unit, _, meaning, empty in profiles:
        definition = define(name.strip("`"))
        assert (unit, meaning) == (definition.unit, definition.sentence)
        assert empty


def test_the_kinds_of_columns_are_the_catalogues():
    """A text is written inert, a time in ISO 8601: neither may be taken for the other."""
    for name in (*ROW_COLUMNS, *PROFILE_COLUMNS):
        kind = define(name).kind
        assert (name in TIMES) == (kind == "time"), name
        assert (name in LISTS) == (kind == "list"), name
        assert kind_of(name) != "text" or kind == "text", name
    assert {name for name in ROW_COLUMNS if define(name).kind == "text"} - set(TEXTS) == {
        "run_id", "signal_source", "settings_hash",
    }, "only what we write ourselves needs no care"  # fmt: skip


def test_every_caveat_but_those_left_out_has_its_share():
    assert set(CAVEAT_COLUMNS.values()) == CAVEATS.keys() - set(LEFT_OUT)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (PRESETS["All"], "Imported into an empty ledger it gives the same rows back."),
        (("story_id", "quality"), "It cannot be imported as the same runs: that needs agent, model_version, attempt."),
        (
            ("story_id", "agent", "model_version", "attempt", "quality", "signal_source"),
            "It cannot be imported as the same runs: effective scores without those of a tier are read as ratings.",
        ),
        (
            tuple(name for name in SUBSCRIBER if name not in ("note", "address", "coverage")),
            "Imported into an empty ledger it gives the runs back without note.",
        ),
    ],
)
def test_what_an_import_of_chosen_columns_gives_is_said(columns, said):
    assert comes_back(columns) == said


def test_columns_are_known_to_the_import_or_kept_as_attributes():
    """Those of a subscriber are all known."""
    assert set(SUBSCRIBER) <= set(KNOWN)
    assert columns_of(None) == SUBSCRIBER
