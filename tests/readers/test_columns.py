"""A header says what each column is, under its own name, a seed name or in camelCase."""

import pytest

from quality.readers.columns import ALIASES, Layout, layout_of


def test_a_table_with_one_rating_a_row_is_rating_shaped():
    layout = layout_of(["id", "story_id", "model", "source", "quality", "rater", "mood"])
    assert layout.shape == "rating"
    assert layout.columns == {
        "source_id": 0,
        "story_id": 1,
        "model_version": 2,
        "signal_source": 3,
        "quality": 4,
        "rater": 5,
    }
    assert layout.attributes == {"mood": 6}


@pytest.mark.parametrize(
    "column", ["quality_human", "quality_verifier", "quality_auto", "test_pass_rate", "rework_count"]
)
def test_a_tier_or_signal_beside_quality_makes_it_export_shaped(column):
    assert layout_of(["story_id", "quality", "signal_source", column]).shape == "export"


def test_camel_case_blanks_and_capitals_are_accepted():
    assert layout_of(["storyId", "Model Version", "QUALITY_HUMAN"]).columns == {
        "story_id": 0, "model_version": 1, "quality_human": 2,
    }  # fmt: skip


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_every_alias_is_its_name(alias, name):
    assert layout_of(["story_id", "quality_human", alias]).columns[name] == 2


def test_beside_its_own_name_an_alias_is_an_attribute():
    layout = layout_of(["story_id", "model", "model_version"])
    assert (layout.columns["model_version"], layout.attributes) == (2, {"model": 1})


def test_unknown_columns_that_share_a_name_or_have_none_stay_apart():
    assert layout_of(["story_id", "agent", "x", "x", " "]).attributes == {"x": 2, "x_2": 3, "column_5": 4}


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (["stroy_id", "quality"], "no column story_id .*Did you mean: stroy_id"),
        (["7", "S-1"], "no column story_id"),
        (["story_id", "quality", "source", "Quality"], "2 columns say quality .quality, Quality."),
        (["story_id", "title"], "add a rating"),
    ],
)
def test_a_header_that_cannot_be_read_says_what_is_missing(header, reason):
    said = layout_of(header)
    assert not isinstance(said, Layout)
    with pytest.raises(ValueError, match=reason):
        raise ValueError(said)
