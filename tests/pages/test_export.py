"""Does the Export page offer what fits the filters, and is the file the one that was asked for?"""

import csv
import io
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from pages.components import exporting
from quality.api.downloads import TICKETS
from quality.commands import AddRating, ExportRows
from quality.definitions import define
from quality.export import open_export
from quality.export_columns import PRESETS, ROW_COLUMNS, SUBSCRIBER
from quality.export_names import file_name
from quality.profiles import PROFILE_COLUMNS

BERLIN = ZoneInfo("Europe/Berlin")
"""Where the pages are looked at (`open_page`)."""


def linked(page, ledger):
    """The file behind the link of the page, and its name."""
    (link,) = [element for element in page.get("link_button")]
    ticket = TICKETS.find(link.proto.url.rsplit("/", 1)[1])
    with open_export(ledger.store, ticket.question, ledger.settings.scoring) as export:
        return b"".join(export.chunks), ticket.file_name


def shown(page):
    preview, dictionary = (frame.value for frame in page.dataframe)
    return preview, dictionary


def test_preview_dictionary_and_file_have_the_same_columns(ledger, open_page):
    """By default those of a subscriber's CSV, each explained, in its order."""
    page = open_page("export")
    preview, dictionary = shown(page)
    assert len(preview) == 3
    assert tuple(preview.columns) == tuple(dictionary["Column"]) == SUBSCRIBER
    assert dictionary.set_index("Column").loc["coverage", "Meaning"] == define("coverage").sentence
    content, name = linked(page, ledger)
    assert tuple(content.split(b"\r\n")[0].decode().split(",")) == SUBSCRIBER
    assert content.count(b"\r\n") == 4
    assert name.startswith("quality-tiers-runs-20")
    assert any(text.value.startswith("3 rows · quality-tiers-runs-") for text in page.text)


def test_the_filters_hold_for_preview_and_file(ledger, open_page):
    page = open_page("export", tier="human")
    assert shown(page)[0]["story_id"].tolist() == ["S-1"]
    content, name = linked(page, ledger)
    (row,) = csv.DictReader(io.StringIO(content.decode(), newline=""))
    assert (row["story_id"], float(row["quality_human"]), row["reviewer"]) == ("S-1", 6.0, "dana")
    assert "-human-" in name


@pytest.mark.parametrize("name", exporting.FORMATS)
def test_every_format_is_explained_and_can_be_followed(ledger, open_page, name):
    page = open_page("export", format=name)
    assert exporting.MEANING[name] in [caption.value for caption in page.caption]
    content, _ = linked(page, ledger)
    assert len(content) > 100
    assert content.startswith(b"\xef\xbb\xbf") == (name == "CSV for Excel")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_its_columns_in_order(ledger, open_page, preset):
    page = open_page("export", columns_of_runs=preset)
    assert tuple(shown(page)[0].columns) == PRESETS[preset]
    assert linked(page, ledger)[0].split(b"\r\n")[0].decode() == ",".join(PRESETS[preset])


def test_own_columns_stand_in_the_order_in_which_they_were_picked(ledger, open_page):
    """And what an import would give of them is said."""
    page = open_page("export", columns_of_runs=exporting.OWN, own_of_runs=["quality", "story_id"])
    assert list(shown(page)[0].columns) == ["quality", "story_id"]
    captions = [caption.value for caption in page.caption]
    assert "It cannot be imported as the same runs: that needs agent, model_version, attempt." in captions


def test_no_column_at_all_is_said(ledger, open_page):
    page = open_page("export", columns_of_runs=exporting.OWN, own_of_runs=[])
    assert [error.value for error in page.error] == ["This cannot be exported."]
    assert page.get("link_button") == []


def test_profiles_have_a_row_a_kind_of_work_and_model(ledger, open_page):
    """m1 did backend (6.0 by a human) and docs (7.0); the unknown model backend (5.0)."""
    page = open_page("export", rows="Profiles")
    preview, dictionary = shown(page)
    assert tuple(preview.columns) == tuple(dictionary["Column"]) == PROFILE_COLUMNS
    found = preview[["discipline", "model", "n", "effective_mean", "override_share"]].values.tolist()
    assert found == [["backend", "m1", 1, 6.0, 1.0], ["backend", "unknown", 1, 5.0, 0.0], ["docs", "m1", 1, 7.0, 0.0]]
    assert linked(page, ledger)[0].count(b"\r\n") == 4


def test_a_day_goes_back_to_what_was_known_at_its_end(ledger, open_page):
    """Before the ledger was begun nothing was; the zone is said."""
    page = open_page("export", as_of=date(2020, 1, 31))
    assert len(shown(page)[0]) == 0
    assert "As it was known at the end of that day in Europe/Berlin: 2020-01-31 22:59 UTC." in [
        c.value for c in page.caption
    ]
    assert linked(page, ledger)[1] == "quality-tiers-runs-as-of-2020-01-31.csv"


def test_today_is_the_present(ledger, open_page):
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=1))
    page = open_page("export", as_of=datetime.now(BERLIN).date())
    assert sorted(shown(page)[0]["quality"]) == [1.0, 5.0, 6.0]


def test_the_file_begins_as_it_is_quoted(ledger, open_page):
    """Other people's text as text."""
    page = open_page("export")
    content, _ = linked(page, ledger)
    quoted = page.code[0].value
    assert "<script>alert(1)</script> **bold**" in quoted
    assert content.decode().replace("\r", "").startswith(quoted.replace("\r", ""))


def test_everything_counts_its_records_a_table(ledger, open_page):
    preview = open_page("export", format="Everything").dataframe[0].value
    assert preview.set_index("table").loc["runs", "records"] == 3


def test_an_empty_ledger_says_what_to_do(empty, open_page):
    page = open_page("export")
    assert [heading.value for heading in page.subheader] == ["No runs yet"]


def test_a_file_name_is_one_everywhere():
    """Letters, digits and hyphens, whatever the filters say; not too long."""
    name = file_name(ExportRows(filters={"text": "../../é\n=x " * 40, "low_confidence": False}), date(2026, 3, 1))
    assert name == "quality-tiers-runs-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-x-2026-03-01.csv"
    assert len(ROW_COLUMNS) == len(set(ROW_COLUMNS))
