"""Do `models` and `route` say which model is best, how sure that is, and what to review? Numbers of tests/trust_by_hand.py."""

import pytest

from quality.ledger.ledger import Ledger
from tests.trust_by_hand import EFFECTIVE, ESTIMATE, HALF, ONE_MODEL, REVIEWED, csv_of
from tests.trust_by_hand import run as row_of

NAMED = ("model", "n", "n_auto", "n_verifier", "n_human", "effective_mean", "routing_score", "calibrated_score", "ci_low",
         "ci_high", "tie_group")  # fmt: skip


@pytest.fixture
def holds(tmp_path, run):
    """`holds(rows)`: the ledger holds these rows."""

    def ingest(rows):
        (tmp_path / "rows.csv").write_text(csv_of(rows), encoding="utf-8")
        assert run("ingest", "rows.csv").code == 0

    return ingest


def test_models_gives_each_model_its_calibrated_score(holds, process):
    """As a process of its own; five of eight are reviewed, three are the verifier's."""
    holds(ONE_MODEL)
    done = process("models", "--json")
    (model,) = done.json["models"]
    assert (done.code, done.err) == (0, "")
    assert set(NAMED) <= set(model)
    assert [model[name] for name in NAMED[:5]] == ["claude-opus-4", 8, 0, 3, 5]
    assert model["effective_mean"] == pytest.approx(EFFECTIVE)
    assert model["calibrated_score"] == pytest.approx(ESTIMATE, abs=1e-4)
    assert (model["ci_low"], model["ci_high"]) == pytest.approx((ESTIMATE - HALF, ESTIMATE + HALF), abs=1e-4)
    # Ratings of people weigh 1 and are a day younger than the verifier's, which weigh 0.85: the same week.
    assert model["routing_score"] == pytest.approx((8 + 7 + 6 + 5 + 8 + 0.85 * (8 + 7 + 6)) / (5 + 0.85 * 3))
    assert model["tie_group"] == 1


def test_models_ranks_by_calibrated_score_and_says_what_is_missing(holds, run):
    """Under five human rows there is no score: null, and two reviews more would give one."""
    holds([*REVIEWED, row_of("C1", "", verifier=10)])
    found = run("models", "--json").json["models"]
    shown = [(row["model"], row["calibrated_score"], row["tie_group"], row["n_needed"]) for row in found]
    assert shown == [("gpt-5", 9, 1, 0), ("claude-opus-4", 6, 2, 0), ("gemini-2.5-pro", None, None, 2),
                     ("unknown", None, None, None)]  # fmt: skip
    table = run("models").out
    assert "review 2 more" in table
    assert "cannot be told apart" in table


@pytest.fixture
def empty(ledger_path):
    """A ledger without a run."""
    Ledger(ledger_path).close()


def test_models_of_an_empty_ledger(empty, process, run):
    """None, and no fault."""
    done = process("models", "--json")
    assert (done.code, done.json, done.err) == (0, {"models": [], "widened": []}, "")
    assert run("models").code == 0


def test_models_at_a_kind_of_work_nobody_did_is_widened(holds, run):
    """As before; the calibrated scores are those of the wider kind."""
    holds(REVIEWED)
    found = run("models", "--discipline", "haskell", "--json").json
    assert found["widened"] == ["discipline"]
    assert [row["calibrated_score"] for row in found["models"]] == [9, 6, None]


def test_route_is_a_sentence_and_a_row_a_model(holds, process, run):
    """9 beats 6 for sure; an accepted story costs a dollar; the third wants two reviews."""
    holds(REVIEWED)
    found = process("route", "--discipline", "backend", "--json").json
    assert (found["best"], found["decided"], found["dropped"]) == (["gpt-5"], True, [])
    best = found["models"][0]
    assert (best["model"], best["p_best"], best["expected_loss"], best["cost_per_accepted"]) == ("gpt-5", 1, 0, 1)
    said = run("route", "--discipline", "backend").out
    assert said.splitlines()[0] == "gpt-5 is the best"
    assert "review 2 more of gemini-2.5-pro: it has no calibrated score yet" in said


def test_route_widens_what_nobody_has_done(holds, process):
    """The industry goes first, then the discipline; the answer says so."""
    holds(REVIEWED)
    found = process("route", "--discipline", "haskell", "--industry", "space", "--json").json
    assert (found["dropped"], found["best"]) == (["industry", "discipline"], ["gpt-5"])
    assert "no evidence for exactly this" in found["words"]


def test_route_without_evidence_says_what_to_review(empty, holds, process, run):
    """Nobody has rated anything: no number is made up. An empty ledger has no runs to review."""
    assert run("route", "--json").json["words"] == "not enough evidence: no scored run of a known model"
    holds([row_of(f"S{place}", "m", verifier=8) for place in range(6)])
    found = process("route", "--phase", "build", "--json").json
    assert (found["best"], found["review"]) == ([], [{"model": "m", "review_more": 5, "reason": "few"}])
    assert "not enough evidence: review 5 more of m" in run("route").out


def test_models_and_route_as_of_a_day_before_there_was_anything(holds, run):
    """Nothing was known then; a day to come, and what is no time, are refused in one line."""
    holds(REVIEWED)
    assert run("models", "--as-of", "2020-01-01", "--json").json["models"] == []
    assert run("route", "--as-of", "2020-01-01", "--json").json["models"] == []
    assert "is yet to come" in run("models", "--as-of", "2999-01-01").err
    assert "not a time" in run("route", "--as-of", "tomorrow").err


@pytest.mark.parametrize("command", ["models", "route"])
def test_help_has_examples(run, command):
    done = run(command, "--help")
    assert (done.code, "Examples:" in done.out) == (0, True)
