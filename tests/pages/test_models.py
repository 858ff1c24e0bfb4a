"""Does a model's page tell what its runs say, and is a comparison one of shared stories?"""

import pytest
import streamlit as st

from tests.models_by_hand import fill


@pytest.fixture
def by_hand(empty, tmp_path):
    """The eight runs of `tests/ledger/test_models.py`."""
    fill(empty, tmp_path)
    return empty


def captions(page):
    return " ".join(caption.value for caption in page.caption)


def test_a_model_shows_its_tiers_with_their_n(by_hand, open_page):
    """m1: verifier (8 + 7) / 2 of 2, human 6 of 1, effective (6 + 7 + 4) / 3 = 5.7 of 3."""
    page = open_page("models", model="m1")
    shown = {metric.label: (metric.value, metric.delta) for metric in page.metric}
    assert shown["■ Verifier"] == ("7.5", "n 2")
    assert shown["● Human"] == ("6.0", "n 1")
    assert shown["Effective"] == ("5.7", "n 3")
    assert shown["Duration a run"] == ("1.0 min", "n 1")
    assert "Not recorded for its runs: Duration ÷ estimate." in captions(page)


def test_another_model_is_compared_on_shared_stories(by_hand, open_page):
    """Verifier: A 8 − 5 and B 7 − 9, so +0.5 over two stories; auto one pair; human none."""
    said = captions(open_page("models", model="m1", **{"with": "m2"}))
    assert "Shared stories: 2." in said
    assert "■ Verifier: +0.5 points" in said
    assert "First better on 1, equal on 0, worse on 1 of n 2." in said
    assert "● Human: no shared story has a score of both." in said


def test_no_shared_story_is_said(by_hand, open_page):
    page = open_page("models", model="m1", **{"with": "nobody"})
    assert "share no story" in page.info[0].value


def test_a_clicked_model_opens_its_page(by_hand, open_page, monkeypatch):
    """The click sets the filter and leaves for the page of models."""
    went = []
    monkeypatch.setattr(st, "switch_page", lambda target, query_params: went.append(target))
    page = open_page("overview", go_to="models.py")
    assert went == ["models.py"]
    assert not page.exception


def test_without_a_model_there_are_all_to_choose_from(by_hand, open_page):
    assert set(open_page("models").dataframe[0].value["model"]) == {"m1", "m2"}
