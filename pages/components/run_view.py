"""What is behind a run's score? Its tiers, how the automatic score adds up, verdicts, ratings, evidence, attributes."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import (
    attesting,
    charts,
    confirming,
    data,
    evidence,
    neighbours,
    process,
    rating,
    runs_table,
    show,
    states,
    viewer,
)
from quality.commands import Filters
from quality.definitions import define
from quality.observations import COORDINATE
from quality.tiers import TIERS

PARTS = ("signal", "raw", "points", "weight", "used_weight", "contribution")
HISTORY = ("tier", "rater", "rating", "given_at", "standing", "rework", "note", "actor")
IDENTITY = ("story_id", "model", "agent", "attempt", *COORDINATE)


def heading(run: dict[str, Any]) -> None:
    """Title and key of the run, as the source wrote them."""
    title = run["title"] or run["story_id"]
    known = {define(name).label: show.isolated(str(run[name])) for name in IDENTITY if run[name] is not None}
    key = _line(*(f"{label}: {value}" for label, value in known.items()))
    st.title("Run", anchor=False)
    with st.container(border=True, gap="xsmall", height=show.room(title + key)):
        st.text(title)
        st.text(key)
        with st.container(horizontal=True, gap="xsmall"):
            states.confidence(run["low_confidence"])
            if run["rework"]:
                st.badge("Rework asked for", icon=":material/replay:", color="red", help=define("rework").tooltip)
            if run["accepted"]:
                st.badge("Accepted", icon=":material/check:", color="green", help=define("accepted").tooltip)


def tiers(run: dict[str, Any]) -> None:
    """The effective score and the three tiers side by side."""
    source = run["signal_source"]
    with st.grid(4, min_column_width=130, gap="small"):
        effective = define("quality")
        shown = f"from {show.tier_label(source)}" if source else states.NOT_SCORED
        st.metric(
            effective.label,
            show.score(run["quality"]),
            help=effective.tooltip,
            border=True,
            height="stretch",
            delta=shown,
            delta_color="off",
            delta_arrow="off",
        )
        for tier in TIERS:
            definition = define(f"quality_{tier}")
            st.metric(
                show.label(definition.name),
                show.score(run[definition.name]),
                help=definition.tooltip,
                border=True,
                height="stretch",
                delta=_behind(run, tier),
                delta_color="off",
                delta_arrow="off",
            )


def automatic(run: dict[str, Any]) -> None:
    """Signals → points → weights → contributions that sum to the score."""
    auto = run["auto"]
    st.subheader("How the automatic score adds up", anchor=False)
    if auto["quality_auto"] is None:
        st.caption(f":material/help: No automatic score: {auto['reason']}.")
    config = show.columns(PARTS, viewer.zone())
    st.dataframe(
        show.shown(parts_table(auto), PARTS),
        column_config=config,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content",
        alt="Signals with their points, weights and contributions",
        key="parts",
    )
    if auto["quality_auto"] is not None:
        alt = "What each signal adds to the automatic score"
        figure = charts.contributions(auto["parts"], auto["cap"], auto["quality_auto"])
        st.plotly_chart(figure, config=charts.STILL, alt=alt, key="contributions")
        st.caption(
            f"Coverage {show.share(auto['coverage'])} of the automatic weight was measured.",
            help=define("coverage").tooltip,
        )
    evidence.of_signals(run)


def parts_table(auto: dict[str, Any]) -> pa.Table:
    """A row a signal, then the cap if there is one, then the sum."""
    rows = [
        part | {"signal": define(part["signal"]).label, "raw": evidence.measured(part["signal"], part["raw"])}
        for part in auto["parts"]
    ]
    if auto["cap"]:
        rows.append({"signal": "Cap: few tests", "contribution": auto["cap"]})
    rows.append({"signal": "Auto score", "contribution": auto["quality_auto"]})
    kinds = {"signal": pa.string(), "raw": pa.string()}
    return show.as_table(rows, PARTS, kinds)


def caveats(run: dict[str, Any]) -> None:
    """What to know before leaning on the scores."""
    if run["caveats"]:
        with st.container(border=True, gap="xsmall"):
            states.caveats(run["caveats"])
            confirming.ask(run)


def write(run: dict[str, Any]) -> None:
    """The rating form, and the attestation where the model is open."""
    with st.container(border=True):
        st.subheader("Your rating", anchor=False)
        rating.form(run, skip=neighbours.way_on(run), also_keys=neighbours.keys(run))
    attesting.ask(run)


def history(run: dict[str, Any]) -> None:
    """Every verdict and rating, withdrawn ones included; notes in full below."""
    rows = [*map(_of_human, run["overrides"]), *map(_of_verifier, run["verdicts"])]
    st.subheader("Ratings", anchor=False)
    if not rows:
        st.caption("Nobody has rated this run, human or verifier.")
        return
    config = show.columns(HISTORY, viewer.zone())
    st.dataframe(
        show.shown(_table(rows, HISTORY), HISTORY),
        column_config=config,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content" if len(rows) < 12 else 420,
        alt="Every rating of the run with its rater, time and state",
        key="history",
    )
    for row in rows:
        if row["note"]:
            with st.container(border=True, gap="xsmall", height=show.room(row["note"])):
                given_at = show.instant(row["given_at"], viewer.zone())
                st.text(f"{show.tier_label(row['tier'])} · {show.isolated(row['rater'])} · {given_at}")
                st.text(row["note"])
    evidence.of_verdicts(run)


def details(run: dict[str, Any]) -> None:
    """What else the source said, and what is known of the model."""
    facts = {name: str(value) for name, value in run["attributes"].items()}
    facts |= {
        show.words(name): run[name]
        for name in ("model_at_dispatch", "model_at_completion", "run_id", "settings_hash")
        if run[name]
    }
    for stated in run["attestations"]:
        at = show.instant(stated["recorded_at"], viewer.zone())
        facts[f"model attested {at}"] = f"{stated['model_version']} (was {stated['original']}) by {stated['actor']}"
    with st.expander("Attributes and ids", icon=":material/data_object:"):
        table = pa.table({"name": list(facts), "value": list(facts.values())})
        st.dataframe(table, hide_index=True, height="content", alt="Attributes of the run", key="attributes")


def siblings(run: dict[str, Any]) -> None:
    """The other runs of the same story."""
    chosen = Filters(story_id=run["story_id"])
    total = data.totals(chosen)["runs"]
    if total > 1:
        st.subheader("Runs of this story", anchor=False)
        most = process.ledger().settings.limits.page_rows
        runs_table.table(data.runs_page(chosen, "quality", True, most, 0), "siblings")
        if total > most:
            st.caption(f"The best {show.count(most)} of {show.count(total)}.")


def _line(*parts: str | None) -> str:
    return "  ·  ".join(part for part in parts if part)


def _behind(run: dict[str, Any], tier: str) -> str:
    if tier == "auto":
        return f"coverage {show.share(run['coverage'])}" if run["quality_auto"] is not None else "not measured"
    n = run[f"n_{tier}"]
    return f"n {show.count(n)}" if n else states.NONE_YET


def _of_human(given: dict[str, Any]) -> dict[str, Any]:
    taken_back = given["withdrawn_at"] is not None
    standing = f"withdrawn {show.instant(given['withdrawn_at'], viewer.zone())}" if taken_back else "stands"
    return given | {
        "tier": "human",
        "rater": given["reviewer"] or show.UNKNOWN,
        "rating": given["quality"],
        "standing": standing,
    }


def _of_verifier(given: dict[str, Any]) -> dict[str, Any]:
    who = " / ".join(part for part in (given["verifier_agent"], given["verifier_model"]) if part)
    standing = "simulated, shown only" if given["simulated"] else "stands"
    return given | {"tier": "verifier", "rater": who or show.UNKNOWN, "rating": given["quality"], "standing": standing}


def _table(rows: list[dict[str, Any]], names: tuple[str, ...]) -> pa.Table:
    kinds = {"score": pa.float64(), "time": pa.timestamp("us", "UTC"), "flag": pa.bool_()}
    return pa.table(
        {name: pa.array([row[name] for row in rows], kinds.get(define(name).kind, pa.string())) for name in names}
    )
