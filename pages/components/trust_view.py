"""Can a verifier be trusted? Its card, its pairs with people, and who else agrees with whom."""

from datetime import datetime
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, charts_trust, show, states, trust_data, viewer
from quality.definitions import define

VERIFIER = "verifier"
"""Key of the choice, and its name in the URL."""
CARD = ("bias", "mae", "weighted_kappa")
"""Figures of a card; each has its interval or n below it."""
FAMILIES = ("family", "n_pairs", "bias", "bias_low", "bias_high", "mae")
FAMILY_KINDS = {"family": pa.string(), "n_pairs": pa.int64()}
NONE = "No run is verified yet: a verifier's card appears with its first verdict."
LENIENT = "A point a pair, of {shown} pairs{drawn}. On the dotted line they agree; above it the verifier is lenient."
LIMITS = (
    "The bias (solid), and the limits that 95 % of the differences lie within (dotted). Points that fall to the right: lenient "
    "with bad work, harsh on good."
)
SELF = "Mean of verifier − human. Down: the family that built; across: the family that verified. Under 5 pairs n alone is shown."
ALPHA_MEANS = "1 = the same always, 0 = as by chance. From 0.8 on ratings are usually taken as reliable (Krippendorff)."


def chosen(found: dict[str, Any]) -> dict[str, Any] | None:
    """The card of the verifier that is chosen, the one with most pairs at first; None where there is none."""
    cards = sorted(found["verifiers"], key=lambda card: (-card["n_pairs"], card["verifier_model"]))
    if not cards:
        return None
    names = [card["verifier_model"] for card in cards]
    named = st.selectbox(
        "Verifier", names, key=VERIFIER, bind="query-params", width=320, accept_new_options=False,
        help="The model that verified; the one with most pairs first.",
    )  # fmt: skip
    return next((card for card in cards if card["verifier_model"] == named), cards[0])


def without_card(found: dict[str, Any]) -> None:
    """What stands on no card, and where there is none at all, why."""
    if not found["verifiers"]:
        states.missing(NONE)
    if found["n_without_verifier_model"]:
        n = show.count(found["n_without_verifier_model"])
        states.missing(f"Verified runs that do not say which model verified, and so are on no card: {n}.")


def card(found: dict[str, Any]) -> None:
    """Bias, error and kappa with their intervals, and whether the verifier beats the automatic score."""
    said = f"{show.count(found['n_pairs'])} of {show.count(found['n_verified'])} runs it verified are human-reviewed."
    st.caption(f":material/groups: {said}", help=define("n_pairs").tooltip)
    if found["bias"] is None:
        states.missing(f"Too few pairs for a number: {found['reason']}.")
        return
    below = {
        "bias": interval(found["bias_low"], found["bias_high"], signed=True),
        "mae": f"n {show.count(found['n_pairs'])}",
        "weighted_kappa": interval(found["kappa_low"], found["kappa_high"]),
    }
    with st.grid(len(CARD), min_column_width=160, gap="small"):
        for name in CARD:
            look = show.difference if name == "bias" else show.ratio
            st.metric(
                define(name).label, look(found[name]), help=define(name).tooltip, border=True, delta=below[name],
                delta_color="off", delta_arrow="off",
            )  # fmt: skip
    if found["weighted_kappa"] is None:
        states.missing(f"No kappa: {found['reason']}.")
    st.caption(f":material/balance: {beats_auto(found['against_auto'])}", help=define("gain_over_auto").tooltip)


def interval(low: float | None, high: float | None, signed: bool = False) -> str:
    """A 95 % interval in words.

    >>> interval(-0.25, 1.0, signed=True), interval(0.4, 0.61), interval(None, None)
    ('95 %: −0.25 to +1.00', '95 %: 0.40 to 0.61', 'no interval')
    """
    if low is None or high is None:
        return "no interval"
    ends = (show.difference(end, 2) if signed else show.ratio(end) for end in (low, high))
    return "95 %: " + " to ".join(ends)


def beats_auto(row: dict[str, Any]) -> str:
    """Whether asking the verifier is better than the automatic score alone.

    >>> beats_auto({"reason": "3 of 10 reviewed runs have both a verifier's and an automatic score"})
    "Against auto alone: 3 of 10 reviewed runs have both a verifier's and an automatic score."
    >>> beats_auto({"reason": None, "n_pairs": 40, "verifier_mae": 0.8, "auto_mae": 1.5, "gain_over_auto": 0.7,
    ...             "gain_low": 0.4, "gain_high": 1.0})
    'Against auto alone: nearer to people. Mean error 0.80, auto 1.50 on the same 40 runs (gain 95 %: +0.40 to +1.00).'
    """
    if row["reason"]:
        return f"Against auto alone: {row['reason']}."
    verdict = "not told apart"
    if row["gain_low"] > 0:
        verdict = "nearer to people"
    elif row["gain_high"] < 0:
        verdict = "further from people: the automatic score alone does better"
    return (
        f"Against auto alone: {verdict}. Mean error {show.ratio(row['verifier_mae'])}, auto {show.ratio(row['auto_mae'])} on "
        f"the same {show.count(row['n_pairs'])} runs (gain {interval(row['gain_low'], row['gain_high'], signed=True)})."
    )


def pairs(found: dict[str, Any], as_of: datetime | None) -> None:
    """Verifier against human, and their difference against their mean."""
    if not found["n_pairs"]:
        return
    drawn = trust_data.pairs(found["verifier_model"], as_of)
    scattered, differences = st.columns(2, gap="medium")
    part = (
        "" if len(drawn["pairs"]) == drawn["n_pairs"] else f", {show.count(len(drawn['pairs']))} of them drawn by lot"
    )
    with scattered:
        st.subheader("Verifier against human", anchor=False)
        alt = "Each run's verifier score against its human score, beside the line of agreement"
        st.plotly_chart(charts_trust.scatter(drawn["pairs"]), config=charts.STILL, alt=alt, key="pairs")
        st.caption(LENIENT.format(shown=show.count(drawn["n_pairs"]), drawn=part))
    with differences:
        st.subheader("Where they differ", anchor=False, help=define("limit_low").tooltip)
        alt = "Difference of verifier and human against their mean, with bias and limits of agreement"
        st.plotly_chart(
            charts_trust.bland_altman(drawn["pairs"], found), config=charts.STILL, alt=alt, key="bland_altman"
        )
        st.caption(LIMITS if found["bias"] is not None else "Bias and limits take ten pairs.")


def parts(found: dict[str, Any]) -> None:
    """Its bias by builder family, and week by week."""
    by_family, by_week = st.columns(2, gap="medium")
    with by_family:
        st.subheader("By builder family", anchor=False)
        if not found["families"]:
            states.missing("No pair's builder is of a known family.")
        else:
            st.dataframe(
                show.shown(show.as_table(found["families"], FAMILIES, FAMILY_KINDS), FAMILIES),
                column_config=show.columns(FAMILIES, viewer.zone(), pinned=("family",)), hide_index=True,
                placeholder=show.UNKNOWN, height=show.table_height(len(found["families"])), key="bias_by_family",
                alt="Bias and error of this verifier by the builder's model family",
            )  # fmt: skip
            st.caption("Under 5 pairs a family shows n alone.")
    with by_week:
        st.subheader("Over time", anchor=False)
        if not any(week["bias"] is not None for week in found["weeks"]):
            states.missing("No week has the 5 pairs that a weekly bias takes.")
            return
        alt = "The verifier's bias by week with its interval; gaps are weeks with fewer than five pairs"
        st.plotly_chart(charts_trust.bias_by_week(found["weeks"]), config=charts.STILL, alt=alt, key="bias_by_week")
        st.caption("By ISO week (UTC) of the human rating. A gap is a week with fewer than 5 pairs.")


def self_preference(found: dict[str, Any]) -> None:
    """Is a verifier kinder to its own family?"""
    st.subheader("Self-preference", anchor=False, help=define("self_preference").tooltip)
    if not found["cells"]:
        states.missing("No reviewed pair has a builder and a verifier of known families.")
        return
    drawn, said = st.columns((3, 2), gap="medium")
    with drawn:
        alt = "Mean of verifier minus human by builder family and verifier family, with n in each cell"
        st.plotly_chart(
            charts_trust.bias_by_family(found["cells"]), config=charts.STILL, alt=alt, key="self_preference"
        )
        st.caption(SELF)
    with said:
        for row in found["verifier_families"]:
            st.text(f"{row['verifier_family']}: {prefers(row)}")


def prefers(row: dict[str, Any]) -> str:
    """Whether a verifier family favours its own, in words.

    >>> prefers({"self_preference": 0.8, "low": 0.3, "high": 1.3})
    'kinder to its own family by 0.8 points (95 %: +0.30 to +1.30)'
    >>> prefers({"self_preference": None, "low": None, "high": None})
    'cannot be told: it takes 5 pairs with its own family and 5 with others'
    """
    value, low, high = row["self_preference"], row["low"], row["high"]
    if value is None:
        return "cannot be told: it takes 5 pairs with its own family and 5 with others"
    ends = interval(low, high, signed=True)
    if low <= 0 <= high:
        return f"no preference can be told ({ends})"
    return f"{'kinder to' if value > 0 else 'harsher on'} its own family by {show.score(abs(value))} points ({ends})"


def low_confidence(row: dict[str, Any]) -> None:
    """What "low confidence" has cost where it was measured."""
    st.subheader("What low confidence means", anchor=False, help=define("usually_within").tooltip)
    if row["usually_within"] is None:
        states.missing(f"Too few reviewed runs with an automatic score: {row['reason']}.")
        return
    measured = (
        "runs without a verifier, as those with low confidence are"
        if row["only_auto"]
        else "all reviewed runs with an automatic score: too few of them have no verifier"
    )
    st.write(
        f"Nine in ten automatic scores lie within {show.score(row['usually_within'])} points of the human one. On average "
        f"they are {show.difference(row['bias'])} points off ({interval(row['bias_low'], row['bias_high'], signed=True)}), "
        f"n {show.count(row['n_pairs'])}."
    )
    st.caption(f"Measured on {measured}.")


def reviewers(row: dict[str, Any]) -> None:
    """Do people agree among themselves?"""
    st.subheader("Reviewers among themselves", anchor=False, help=define("alpha").tooltip)
    if row["alpha"] is None:
        states.missing(f"Too little to tell: {row['reason']}.")
        return
    ends = interval(row["alpha_low"], row["alpha_high"])
    n = f"{show.count(row['n_ratings'])} ratings of {show.count(row['n_rated_twice'])} runs"
    st.write(f"Krippendorff's alpha is {show.ratio(row['alpha'])} ({ends}), over {n}.")
    st.caption(ALPHA_MEANS)


def draws(row: dict[str, Any]) -> None:
    """How many draws of the queue nobody answered."""
    st.subheader("Reviews by lot", anchor=False, help=define("skipped_share").tooltip)
    if row["skipped_share"] is None:
        states.missing(
            "No draw of the review queue is over yet: reviewed runs were picked, or their reason is not known."
        )
        return
    unanswered = f"{show.count(row['skipped'])} skipped, {show.count(row['expired'])} left until they expired"
    st.write(
        f"{show.share(row['skipped_share'])} of the draws that are over were not answered ({unanswered}; "
        f"{show.count(row['rated'])} rated)."
    )
    st.caption("What is skipped is not missing by chance, and no weight makes it good: the fewer, the better.")
