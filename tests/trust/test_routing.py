"""Does a route name the right models, say how sure it is, and what to review?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.trust.calibrated import Evidence
from quality.trust.routing import Review, cost_per_accepted, route, route_in_words
from quality.trust.runs import Runs

NAN = float("nan")
NAMES = ["a", "b", "c", "d"]


def ledger(means, reviewed, runs_each=100, seed=1, spread=0.7):
    """Models with these means, so many of their runs reviewed, auto without a word to say."""
    rng = np.random.default_rng(seed)
    model = np.repeat(np.arange(len(means)), runs_each)
    human = np.clip(np.asarray(means)[model] + rng.normal(0, spread, model.size), 0, 10)
    keep = np.arange(model.size) % runs_each < np.asarray(reviewed)[model]
    return Runs.of(model, auto=rng.uniform(4, 6, model.size), human=np.where(keep, human, NAN))


def test_a_clear_winner_is_named():
    """9 against 5 and 4."""
    found = route(Evidence(ledger([9, 5, 4], [20, 20, 20])), {}, {})
    assert found.best.tolist() == [0]
    assert found.p_best == pytest.approx([1, 0, 0], abs=1e-3)
    assert found.expected_loss == pytest.approx([0, 4, 5], abs=0.6)
    assert found.review == ()
    assert route_in_words(found, NAMES) == "a is the best"


def test_models_that_are_level_are_tied_and_share_the_chance():
    """Each can be the best; what to review next is one of them."""
    found = route(Evidence(ledger([7, 7, 3], [15, 15, 15], spread=1.5)), {}, {})
    assert sorted(found.best) == [0, 1]
    assert found.p_best[:2].sum() == pytest.approx(1, abs=0.01)
    assert found.p_best[:2].min() > 0.02
    assert {one.model for one in found.review} <= {0, 1}
    assert "cannot be told apart" in route_in_words(found, NAMES)


def test_a_model_with_too_few_reviews_is_asked_for_first():
    """It has no chance, not a chance of 0."""
    found = route(Evidence(ledger([9, 5, 8], [20, 20, 3])), {}, {})
    assert np.isnan([found.p_best[2], found.expected_loss[2]]).all()
    assert found.review == (Review(2, 2, "few"),)


def test_without_any_score_it_says_what_to_review():
    """Nearest to a score first."""
    found = route(Evidence(ledger([9, 5], [3, 4])), {}, {})
    assert found.best.size == 0
    assert route_in_words(found, NAMES) == "not enough evidence: review 1 more of b, 2 more of a"


def test_it_widens_where_there_is_no_evidence_and_says_so():
    """Industry 1 has no reviewed run: dropped. Discipline 0 has: kept. Phase was not asked for."""
    runs = ledger([9, 5], [20, 20])
    parts = {
        "discipline": np.zeros(200, int),
        "industry": (np.arange(200) % 100 >= 50).astype(int),
        "phase": np.full(200, 3),
    }
    exact = route(Evidence(runs), parts, {"discipline": 0, "industry": 0})
    wider = route(Evidence(runs), parts, {"discipline": 0, "industry": 1})
    assert (exact.dropped, exact.scores.n.tolist()) == ((), [50, 50])
    assert (wider.dropped, wider.scores.n.tolist()) == (("industry",), [100, 100])
    assert route_in_words(wider, NAMES) == "a is the best (all kinds of industry: no evidence for exactly this)"
    assert route(Evidence(runs), parts, {"discipline": 9}).dropped == ("discipline",)


def test_cost_per_accepted_story_by_hand():
    """Failed attempts cost too, a story counts once, what was never accepted has no price."""
    model, story = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 2, 1, 2])
    cost, accepted = np.array([3, 4, 5, 2, NAN]), np.array([True, True, False, False, True])
    price, n = cost_per_accepted(model, story, 2, cost, accepted)
    assert price.tolist() == pytest.approx([12, NAN], nan_ok=True)
    assert n.tolist() == [3, 1]


def test_no_runs_at_all_is_no_evidence():
    """And no error."""
    found = route(Evidence(ledger([5], [9])), {"phase": np.zeros(100, int)}, {})
    assert found.best.tolist() == [0]
    empty = route(Evidence(Runs.of(np.zeros(0, int))), {}, {})
    assert route_in_words(empty, []) == "not enough evidence: no runs"


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0, 10), st.integers(0, 12)), min_size=1, max_size=4), st.integers(0, 99))
def test_chances_sum_to_one_and_the_best_loses_least(models, seed):
    """Over the scored models; a tied best exists exactly if one is scored."""
    means, reviewed = zip(*models)
    found = route(Evidence(ledger(means, reviewed, runs_each=12, seed=seed)), {}, {})
    scored = ~np.isnan(found.scores.estimate)
    assert (found.best.size > 0) == scored.any()
    if scored.any():
        assert found.p_best[scored].sum() == pytest.approx(1)
        assert (found.expected_loss[scored] >= 0).all()
        # The estimates decide on average; the samples are right to a hundredth or two.
        assert found.expected_loss[np.nanargmax(found.scores.estimate)] <= np.nanmin(found.expected_loss) + 0.05


def test_of_many_tied_models_a_sentence_names_a_few():
    """Eight of the same scores: five by name and three more."""
    human = [5.0, 6, 7, 8, 9]
    runs = Runs.of(
        np.repeat(np.arange(8), 20), human=np.tile([*human, *[np.nan] * 15], 8), auto=np.tile([*human * 4], 8)
    )
    found = route(Evidence(runs), {}, {})
    assert "and 3 more cannot be told apart" in route_in_words(found, list("abcdefgh"))
