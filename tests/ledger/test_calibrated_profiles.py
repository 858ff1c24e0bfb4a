"""Does a profile carry the calibrated score of its kind of work, with an interval? Numbers as in tests/trust_by_hand.py."""

import pytest

from quality.commands import ExportRows, Filters
from quality.export import preview
from quality.trust_commands import RankKinds
from tests.trust_by_hand import ESTIMATE, HALF, ONE_MODEL, REVIEWED, fill, run

COLUMNS = ("model", "discipline", "calibrated_score", "ci_low", "ci_high")


def profiles(ledger, **filters):
    question = ExportRows(profiles=True, columns=COLUMNS, filters=Filters(**filters))
    return preview(ledger.store, question, 100, ledger.settings.scoring).table.to_pylist()


def test_the_verifiers_lenience_is_taken_off(ledger, tmp_path):
    """6.51 ± 0.05 of eight runs of one kind of work, five of them rated by people."""
    fill(ledger, tmp_path, ONE_MODEL)
    (row,) = profiles(ledger)
    assert row["calibrated_score"] == pytest.approx(ESTIMATE, abs=1e-4)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((ESTIMATE - HALF, ESTIMATE + HALF), abs=1e-4)


def test_it_is_that_of_the_kind_of_work_and_null_below_five_reviews(ledger, tmp_path):
    """Backend all reviewed; docs with two reviews has no score; the question `rank_kinds` says the same."""
    docs = [run(f"D{place}", "gpt-5", human=7) | {"discipline": "docs"} for place in range(2)]
    fill(ledger, tmp_path, [*REVIEWED, *docs])
    told = {(row["model"], row["discipline"]): row["calibrated_score"] for row in profiles(ledger)}
    assert told["gpt-5", "backend"] == pytest.approx(9)
    assert told["gpt-5", "docs"] is None
    kinds = ledger.ask(RankKinds())["kinds"]
    assert told == pytest.approx({(row["model"], row["discipline"]): row["calibrated_score"] for row in kinds})


def test_filters_by_rating_do_not_bend_it_and_others_choose_its_runs(ledger, tmp_path):
    """Of human-rated runs alone it is the same; of docs there is only the row of docs."""
    fill(ledger, tmp_path, ONE_MODEL)
    assert profiles(ledger, tier="human") == profiles(ledger)
    assert profiles(ledger, discipline="no-such") == []


def test_an_unknown_builder_has_none(ledger, tmp_path):
    """Nothing can be routed to it; its profile stands."""
    fill(ledger, tmp_path, [run(f"S{place}", "", verifier=8, human=7) for place in range(10)])
    (row,) = profiles(ledger)
    assert (row["model"], row["calibrated_score"], row["ci_low"], row["ci_high"]) == ("unknown", None, None, None)
