"""Do screens, export and catalogue speak of the same numbers?"""

import re
from importlib import import_module

import pytest

from pages.components import (
    candidate_view,
    candidates,
    ingesting,
    ingesting_store,
    overview,
    run_timeline,
    run_view,
    runs_table,
    show,
)
from quality.definitions import DEFINITIONS, define
from quality.export_columns import ROW_COLUMNS
from quality.profiles import PROFILE_COLUMNS
from quality.signals import SIGNALS
from quality.tiers import CAVEATS, TIERS

SCREENS = {
    "headline": overview.HEADLINE,
    "leaderboard": overview.COLUMNS,
    "runs": runs_table.COLUMNS,
    "parts": run_view.PARTS,
    "history": run_view.HISTORY,
    "events": run_timeline.EVENTS,
    "identity": run_view.IDENTITY,
    "signals": tuple(SIGNALS),
    "files": ingesting.COLUMNS,
    "rejects": ingesting.REJECTS,
    "stored": tuple(ingesting_store.COUNTS),
    "rankings": tuple(candidates.RANKINGS),
    "candidates": tuple(candidates.CANDIDATES),
    "reviewers": (*candidates.REVIEWERS, *candidates.SHARES.values()),
    "judged candidates": tuple(candidate_view.JUDGED),
    "evidence of candidates": tuple(candidate_view.MEASURED),
}


@pytest.mark.parametrize("screen", SCREENS)
def test_every_column_of_a_screen_is_in_the_catalogue(screen):
    """A column header leads to its definition."""
    assert [name for name in SCREENS[screen] if name not in DEFINITIONS] == []


def test_every_column_of_the_export_is_in_the_catalogue():
    """The data dictionary is complete, of profiles too."""
    assert [name for name in (*ROW_COLUMNS, *PROFILE_COLUMNS) if name not in DEFINITIONS] == []


@pytest.mark.parametrize("definition", DEFINITIONS.values(), ids=DEFINITIONS)
def test_a_definition_names_a_place_that_exists(definition):
    """A source is a function that can be imported, or a section of MODEL.md; the sentence is one sentence."""
    if not definition.source.startswith("MODEL.md, "):
        module, function = definition.source.rsplit(".", 1)
        assert callable(getattr(import_module(module), function))
    assert definition.sentence.endswith(".")
    assert (definition.low is None) == (definition.unit == "")


def test_tooltips_name_their_definition(empty):
    """A header's help carries sentence, unit, range and source."""
    config = show.columns(overview.COLUMNS, "UTC")
    assert config["effective_mean"]["help"] == define("effective_mean").tooltip
    assert re.search(
        r"Unit: points, 0–10\. Source: quality\.ledger\.queries\.leaderboard\.$", config["mean_auto"]["help"]
    )


def test_an_unknown_name_is_an_error_that_names_the_nearest():
    with pytest.raises(KeyError, match=r"qualty has no definition\. Did you mean: quality"):
        define("qualty")


def test_tiers_have_a_shape_and_caveats_have_words():
    """Nothing on screen leans on a colour, and no caveat is a bare name."""
    assert len(set(show.SHAPES.values())) == len(TIERS)
    assert all(sentence.endswith(".") for sentence in CAVEATS.values())
