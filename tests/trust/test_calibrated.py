"""Is a calibrated score what TRUST.md says it is? Small ones by hand, laws for all, recorded answers of other libraries."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.trust import ppi
from quality.trust.calibrated import Evidence, lenience_in_words, scores_by_coordinate, scores_by_model
from quality.trust.calibration import predict_human
from quality.trust.runs import CHOICE, QUEUE, RANDOM, Runs
from quality.trust.ties import UNRANKED, covariance, tie_groups
from quality.trust.weights import review_weights

NAN = float("nan")
ORACLES = json.loads((Path(__file__).parents[1] / "assets" / "trust" / "oracles.json").read_text(encoding="utf-8"))


def one_group(human, predicted, rest, lam, weight=None):
    """Means of a single group: reviewed runs first, then those that only have a prediction."""
    human, prediction = np.asarray(human, float), np.concatenate([predicted, rest])
    rows = np.arange(human.size)
    weight = np.ones(human.size) if weight is None else np.asarray(weight, float)
    group = np.zeros(prediction.size, int)
    found = ppi.sums(group, 1, prediction, rows, human, weight)
    used = ppi.tuned(found) if lam is None else (np.array([lam]), np.array([np.inf]))
    return ppi.means(group, found, *used, prediction, rows, human, weight)


def test_a_mean_by_hand():
    """Reviewed 4, 6, 8 predicted 5, 6, 7; three more predicted 8. λ = 1: 6 + (7 − 6) = 7; residuals −1, 0, 1."""
    found = one_group([4, 6, 8], [5, 6, 7], [8, 8, 8], lam=1.0)
    assert found.estimate[0] == pytest.approx(7.0)
    # var(residual) = 1, over 3 reviewed, half of the runs are not reviewed: √(1/3 · 1/2)
    assert found.error[0] == pytest.approx((1 / 6) ** 0.5)
    assert found.degrees[0] == pytest.approx(2)


def test_lambda_by_hand():
    """cov(human, prediction) = 4/3, var of all predictions 5, 6, 7, 8, 8, 8 is 8/5: 4/3 ÷ 8/5 = 5/6."""
    assert one_group([4, 6, 8], [5, 6, 7], [8, 8, 8], lam=None).lam[0] == pytest.approx(5 / 6)


def test_everything_reviewed_is_known_without_error():
    """The target is the mean of these very runs."""
    found = one_group([4, 6, 8], [1, 9, 3], [], lam=0.4)
    assert (found.estimate[0], found.error[0]) == (pytest.approx(6.0), 0.0)


@pytest.mark.parametrize("case", ORACLES["ppi_python"], ids=lambda case: case["name"])
def test_point_and_lambda_are_those_of_ppi_python(case):
    """`ppi_mean_pointestimate` with its own λ, a given one and weights, to 1e-6."""
    rest = np.asarray(case["rest"])
    share = 1.0 if case["weight"] else rest.size / (rest.size + len(case["human"]))
    lam = None if case["lam"] is None else case["lam"] / share
    found = one_group(case["human"], np.asarray(case["predicted"]), rest, lam, case["weight"])
    assert found.estimate[0] == pytest.approx(case["estimate"], abs=1e-6)


@pytest.mark.parametrize("case", ORACLES["evalstats"], ids=lambda case: case["name"])
def test_point_and_interval_are_those_of_evalstats(case):
    """`ppi.correct(numpy.mean, backend="analytic", power_tune=False)`, which is λ = 1, to 1e-6."""
    rest, n = np.asarray(case["rest"]), len(case["human"])
    found = one_group(case["human"], np.asarray(case["predicted"]), rest, lam=(n + rest.size) / rest.size)
    half = found.half_width()[0]
    assert found.estimate[0] == pytest.approx(case["estimate"], abs=1e-6)
    assert [found.estimate[0] - half, found.estimate[0] + half] == pytest.approx([case["low"], case["high"]], abs=1e-6)


def test_a_prediction_never_saw_its_own_rating():
    """Changing one rating leaves its own prediction as it was, and moves the others."""
    rng = np.random.default_rng(3)
    verifier, auto, human = rng.uniform(0, 10, (3, 12))
    human[9:] = NAN
    before = predict_human(Runs.of([0] * 12, verifier=verifier, auto=auto, human=human))
    human[4] = 10 - human[4]
    after = predict_human(Runs.of([0] * 12, verifier=verifier, auto=auto, human=human))
    assert after[4] == pytest.approx(before[4])
    assert abs(after[[0, 9, 11]] - before[[0, 9, 11]]).min() > 1e-6


def test_a_run_is_predicted_from_what_it_has():
    """human = verifier − 1 and human = auto + 1 exactly; a run without either gets the mean of the five ratings, 5."""
    human = [3, 4, 5, 6, 7, NAN, NAN, NAN]
    verifier = [4, 5, 6, 7, 8, 9, NAN, NAN]
    auto = [2, 3, 4, 5, 6, NAN, 1, NAN]
    with pytest.raises(ValueError, match="run 7 has no score of any tier"):
        Runs.of([0] * 8, verifier=verifier, auto=auto, human=human)
    found = predict_human(Runs.of([0] * 7, verifier=verifier[:7], auto=auto[:7], human=human[:7]))
    assert found[5:] == pytest.approx([8, 2])


def test_weights_by_hand():
    """A draw as likely as any other weighs 1; 10 runs, 2 reviewed, drawn at 1/2 of 9: 1 + 8/8 · (1/4.5 − 1) = 2/9.

    In a sample with chances 1/10 and 1/5 the weights are as 2 to 1, with mean 1. A choice weighs 1.
    """
    human, chance, pool = (np.full(10, NAN) for _ in range(3))
    human[:2], chance[:2], pool[:2] = 5, [0.1, 0.5], [10, 9]
    assert review_weights(
        Runs.of([0] * 10, auto=[5] * 10, human=human, probability=chance, pool=pool)
    ) == pytest.approx([1, 2 / 9])
    sampled = Runs.of([0, 0, 0], human=[5, 5, 5], probability=[0.1, 0.2, NAN], reason=[RANDOM, RANDOM, CHOICE])
    assert review_weights(sampled) == pytest.approx([4 / 3, 2 / 3, 1])


def test_under_five_human_rows_there_is_no_score_but_what_is_missing():
    """Three reviewed: two more are needed; the effective mean is there all the same."""
    found = scores_by_model(Evidence(Runs.of([0] * 9, verifier=[7] * 9, human=[6, 5, 7] + [None] * 6)))
    assert np.isnan([found.estimate[0], found.low[0], found.high[0], found.lam[0], found.lenience[0]]).all()
    assert (found.needed.tolist(), found.n.tolist(), found.n_human.tolist()) == ([2], [9], [3])
    assert found.effective_mean[0] == pytest.approx((6 + 5 + 7 + 6 * 7) / 9)


def test_counts_by_tier_reason_and_family():
    """A run with three tiers counts in each."""
    runs = Runs.of(
        [0, 0, 0, 1],
        auto=[1, None, 3, 4],
        verifier=[5, 6, None, None],
        human=[5, 5, 5, None],
        reason=[RANDOM, QUEUE, QUEUE, -1],
        builder_family=[3, 3, -1, 2],
        verifier_family=[3, 1, -1, -1],
    )
    found = scores_by_model(Evidence(runs))
    assert (found.n_auto.tolist(), found.n_verifier.tolist(), found.n_human.tolist()) == ([2, 1], [2, 0], [3, 0])
    assert found.by_reason.tolist() == [[1, 2, 0], [0, 0, 0]]
    assert found.n_same_family.tolist() == [1, 0]


def test_equal_ratings_still_have_an_interval():
    """Five tens do not prove that a model never errs, where the others' ratings vary."""
    rng = np.random.default_rng(5)
    human = np.full(80, NAN)
    human[:5], human[40:50] = 10, rng.uniform(2, 9, 10)
    found = scores_by_model(Evidence(Runs.of([0] * 40 + [1] * 40, verifier=rng.uniform(4, 10, 80), human=human)))
    assert found.high[0] - found.low[0] > 0.5


def test_a_coordinate_that_is_all_of_a_model_has_the_models_score():
    """And runs without one are a group of their own."""
    rng = np.random.default_rng(6)
    human = np.where(np.arange(60) % 4 == 0, rng.uniform(0, 10, 60), NAN)
    model = np.repeat([0, 1], 30)
    runs = Runs.of(model, verifier=rng.uniform(0, 10, 60), human=human, coordinate=np.where(model, -1, 7))
    whole, parts = (grouped(Evidence(runs)) for grouped in (scores_by_model, scores_by_coordinate))
    assert (parts.model.tolist(), parts.coordinate.tolist()) == ([0, 1], [7, -1])
    assert parts.estimate == pytest.approx(whole.estimate)
    assert parts.error == pytest.approx(whole.error)


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("verifier", [11, 5], "verifier holds 11: allowed is 0 to 10"),
        ("probability", [0, 0.5], "probability holds 0: allowed is"),
        ("pool", [0.5, 4], "pool holds 0.5"),
        ("story", [1, 2, 3], "story has shape"),
    ],
)
def test_misuse_is_named(column, values, message):
    """The column, what was found and what is allowed."""
    with pytest.raises(ValueError, match=message):
        Runs.of([0, 0], **{"human": [5, 5], column: values})


def test_models_far_apart_are_not_tied_and_equal_ones_are():
    """9 and 9 against 3; the one nobody reviewed is in no group."""
    rng = np.random.default_rng(7)
    model = np.repeat(np.arange(4), 100)
    human = np.clip(np.array([9, 3, 9, 5])[model] + rng.normal(0, 0.5, 400), 0, 10)
    human[(np.arange(400) % 100 >= 20) | (model == 3)] = NAN
    evidence = Evidence(Runs.of(model, verifier=rng.uniform(5, 9, 400), human=human))
    scores = scores_by_model(evidence)
    assert tie_groups(scores, covariance(evidence, scores)).tolist() == [1, 2, 1, UNRANKED]


def test_reviews_of_the_same_stories_are_compared_in_pairs():
    """Hard stories are hard for both: the difference is surer than two scores apart say, and a tie can be broken."""
    rng = np.random.default_rng(8)
    story = np.tile(np.arange(200), 2)
    hardness = rng.normal(0, 2, 200)[story]
    human = np.clip(5 + hardness + rng.normal(0, 0.3, 400) + 0.5 * (story < 0) + 0.6 * (np.arange(400) < 200), 0, 10)
    human[story >= 30] = NAN
    evidence = Evidence(Runs.of(np.repeat([0, 1], 200), auto=[5] * 400, human=human, story=story))
    scores = scores_by_model(evidence)
    errors = covariance(evidence, scores)
    assert errors[0, 1] > 0.5 * np.sqrt(errors[0, 0] * errors[1, 1])
    assert tie_groups(scores, errors).tolist() == [1, 2]
    assert tie_groups(scores, np.diag(errors.diagonal())).tolist() == [1, 1]


def test_the_difference_in_words():
    """Only where the interval does not hold the effective mean."""
    assert lenience_in_words(NAN, NAN, NAN, 5) == ""
    assert lenience_in_words(0.9, 5, 6, 6.4) == "the verifier is 0.9 lenient here"


scores = st.one_of(st.none(), st.floats(0, 10))


@st.composite
def made_runs(draw):
    rows = draw(
        st.lists(st.tuples(st.integers(0, 3), scores, scores, scores, st.integers(-1, 2)), min_size=1, max_size=60)
    )
    rows = [row for row in rows if row[1:4] != (None, None, None)] or [(0, 5.0, None, None, -1)]
    model, auto, verifier, human, coordinate = zip(*rows)
    return Runs.of(model, auto=auto, verifier=verifier, human=human, coordinate=coordinate)


@settings(max_examples=150)
@given(made_runs())
def test_any_runs_give_scores_in_range_with_intervals_that_hold_them(runs):
    """0–10, low ≤ score ≤ high, from five human rows on and never below; parts of a model add up to it."""
    whole, parts = (grouped(Evidence(runs)) for grouped in (scores_by_model, scores_by_coordinate))
    for found in (whole, parts):
        known = ~np.isnan(found.estimate)
        assert (known == (found.n_human >= 5)).all()
        assert (found.low[known] <= found.estimate[known]).all()
        assert (found.estimate[known] <= found.high[known]).all()
        assert ((found.low[known] >= 0) & (found.high[known] <= 10)).all()
        assert ((found.lam[known] >= 0) & (found.lam[known] <= 1)).all()
    for name in ("n", "n_auto", "n_verifier", "n_human"):
        assert np.bincount(parts.model, getattr(parts, name), whole.n.size).tolist() == getattr(whole, name).tolist()


@settings(max_examples=50)
@given(made_runs(), st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing(runs, shuffler):
    """Up to rounding."""
    order = list(range(runs.model.size))
    shuffler.shuffle(order)
    names = ("model", "auto", "verifier", "human", "coordinate")
    columns = {name: getattr(runs, name)[order] for name in names}
    first, second = (scores_by_model(Evidence(one)) for one in (runs, Runs.of(columns.pop("model"), **columns)))
    assert first.estimate == pytest.approx(second.estimate, abs=1e-6, nan_ok=True)
    assert first.error == pytest.approx(second.error, abs=1e-6, nan_ok=True)
