"""Which tier counts (MODEL.md, Resolution)."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.settings import TierSettings
from quality.tiers import CAVEATS, TIERS, caveat_mask, caveats_of, resolve

NAN = float("nan")
SCORE = st.just(NAN) | st.floats(0, 10)


@pytest.mark.parametrize(
    ("auto", "verifier", "human", "value", "source", "weight", "low_confidence"),
    [
        (9, 8, 3, 3, "human", 1.0, 0),
        (9, 8, NAN, 8, "verifier", 0.85, 0),
        (9, NAN, NAN, 9, "auto", 0.60, 1),
        (NAN, NAN, 0, 0, "human", 1.0, 0),
    ],
)
def test_the_highest_tier_present_wins(auto, verifier, human, value, source, weight, low_confidence):
    found = resolve([auto], [verifier], [human], TierSettings())
    assert (found.value[0], TIERS[found.source[0]], found.weight[0], found.low_confidence[0]) == (
        value, source, weight, low_confidence,
    )  # fmt: skip


def test_a_run_without_any_score_is_not_scored_and_its_confidence_unknown():
    found = resolve([NAN], [NAN], [NAN], TierSettings())
    assert found.source[0] == -1
    assert np.isnan([found.value[0], found.weight[0], found.low_confidence[0]]).all()


@given(SCORE, SCORE, SCORE)
def test_the_value_is_always_that_of_the_source(auto, verifier, human):
    found = resolve([auto], [verifier], [human], TierSettings())
    tiers = (auto, verifier, human)
    if found.source[0] >= 0:
        assert found.value[0] == tiers[found.source[0]]
        assert np.isnan(tiers[found.source[0] + 1 :]).all()
    else:
        assert np.isnan(tiers).all()


@pytest.mark.parametrize(("verifier", "human", "apart"), [(7.3, 4.3, True), (7.2, 4.3, False), (7, NAN, False)])
def test_tiers_three_points_apart_disagree(verifier, human, apart):
    """7.3 − 4.3 is 2.9999999999999996 in binary and 3 on paper."""
    assert resolve([NAN], [verifier], [human], TierSettings()).tiers_disagree[0] == apart


@given(st.sets(st.sampled_from(list(CAVEATS))))
def test_a_mask_names_exactly_the_caveats_that_made_it(names):
    mask = caveat_mask({name: [name in names] for name in CAVEATS})
    assert set(caveats_of(int(mask[0]))) == names


def test_the_data_dictionary_lists_every_caveat():
    """In the words that the screens use."""
    text = (Path(__file__).parents[2] / "data" / "README.md").read_text()
    assert [line for name, words in CAVEATS.items() if (line := f"| `{name}` | {words} |") not in text] == []
