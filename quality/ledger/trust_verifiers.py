"""How far can a verifier, the automatic tier, a reviewer be trusted? Answers made of the lifted runs of `trust.py`.

A number that there are too few pairs for is null, and `reason` says how many are missing.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from quality.errors import NotFound, did_you_mean
from quality.ledger.trust import Lifted, monday, stated
from quality.trust.agreement import Agreement
from quality.trust.alpha import krippendorff_alpha
from quality.trust.runs import NOT_KNOWN
from quality.trust.verifiers import (
    Cells,
    LowConfidence,
    SelfPreference,
    TrustCard,
    chart_points,
    low_confidence,
    self_preference,
    trust_cards,
)
from quality.trust_commands import ListPairs, ShowTrust


def show_trust(lifted: Lifted, question: ShowTrust) -> dict[str, Any]:
    """A card a verifier model, self-preference by family, what low confidence costs, and the reviewers among themselves."""
    return lifted.once("trust", lambda: _computed(lifted))


def list_pairs(lifted: Lifted, question: ListPairs) -> dict[str, Any]:
    """`pairs` of (verifier, human) scores of the runs that both have rated, and how many there are in all.

    Raises:
        NotFound: no run is verified by this model; names the nearest.
    """
    if question.verifier_model not in lifted.verifiers:
        raise NotFound(
            f"{question.verifier_model}: has verified no run.{did_you_mean(question.verifier_model, list(lifted.verifiers))}"
        )
    runs = lifted.everything
    rows = runs.reviewed_rows
    rows = rows[runs.verifier_model[rows] == lifted.verifiers.index(question.verifier_model)]
    rows = rows[~np.isnan(runs.verifier[rows])]
    rated, human = chart_points(runs.verifier[rows], runs.human[rows])
    pairs = [{"verifier": one, "human": other} for one, other in zip(rated.tolist(), human.tolist())]
    return {"verifier_model": question.verifier_model, "n_pairs": int(rows.size), "pairs": pairs}


def _computed(lifted: Lifted) -> dict[str, Any]:
    runs = lifted.everything
    verified = ~np.isnan(runs.verifier)
    alpha = krippendorff_alpha(*lifted.ratings)
    return {
        "n_reviewed": int(runs.reviewed_rows.size),
        "n_without_verifier_model": int((verified & (runs.verifier_model == NOT_KNOWN)).sum()),
        "verifiers": [_card(lifted, card) for card in trust_cards(runs)] if runs.model.size else [],
        "self_preference": _preference(lifted.families, self_preference(runs)),
        "low_confidence": _low(low_confidence(runs)),
        "reviewers": {
            "n_rated_twice": alpha.n_runs, "n_ratings": alpha.n_ratings, "alpha": alpha.alpha, "alpha_low": alpha.low,
            "alpha_high": alpha.high, "reason": alpha.reason,
        },
    }  # fmt: skip


def _card(lifted: Lifted, card: TrustCard) -> dict[str, Any]:
    auto = card.against_auto
    return {
        "verifier_model": lifted.verifiers[card.verifier],
        "n_verified": card.n_verified,
        **_agreement(card.overall),
        "families": [
            {"family": lifted.families[code], **row} for code, row in zip(card.by_family.code, _cells(card.by_family))
        ],
        "weeks": [{"week": monday(code), **row} for code, row in zip(card.by_week.code, _cells(card.by_week))],
        "against_auto": {
            "n_pairs": auto.n, "verifier_mae": auto.verifier_mae, "auto_mae": auto.auto_mae, "gain_over_auto": auto.gain,
            "gain_low": auto.gain_low, "gain_high": auto.gain_high, "reason": auto.reason,
        },
    }  # fmt: skip


def _agreement(found: Agreement) -> dict[str, Any]:
    return {
        "n_pairs": found.n, "reason": found.reason, "bias": found.bias, "bias_low": found.bias_low,
        "bias_high": found.bias_high, "mae": found.mae, "weighted_kappa": found.kappa, "kappa_low": found.kappa_low,
        "kappa_high": found.kappa_high, "limit_low": found.limit_low, "limit_high": found.limit_high,
    }  # fmt: skip


def _cells(found: Cells) -> list[dict[str, Any]]:
    return [
        {
            "n_pairs": int(found.n[at]), "bias": stated(found.bias[at]), "bias_low": stated(found.low[at]),
            "bias_high": stated(found.high[at]), "mae": stated(found.mae[at]),
        }
        for at in range(found.n.size)
    ]  # fmt: skip


def _preference(families: Sequence[str], found: SelfPreference) -> dict[str, Any]:
    """The cells that have pairs, and for each verifier family how much kinder it is to its own."""
    return {
        "cells": [
            {
                "builder_family": families[builder], "verifier_family": families[verifier],
                "n_pairs": int(found.n[builder, verifier]), "bias": stated(found.bias[builder, verifier]),
                "bias_low": stated(found.low[builder, verifier]), "bias_high": stated(found.high[builder, verifier]),
            }
            for builder, verifier in np.argwhere(found.n > 0)
        ],
        "verifier_families": [
            {
                "verifier_family": families[code], "self_preference": stated(found.preference[code]),
                "low": stated(found.preference_low[code]), "high": stated(found.preference_high[code]),
            }
            for code in np.flatnonzero(found.n.sum(axis=0))
        ],
    }  # fmt: skip


def _low(found: LowConfidence) -> dict[str, Any]:
    return {**_agreement(found.overall), "usually_within": found.usually_within, "only_auto": found.only_auto}
