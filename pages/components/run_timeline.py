"""What became of the open run, and what lies before and after it? Its score after each event, and the runs beside it."""

from functools import partial
from typing import Any

import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from pages.components import charts, selection, show, stories_data, viewer
from quality.definitions import define
from quality.ledger.run_history import MOST_EVENTS, Event
from quality.signals import TOP

EVENTS = ("known_at", "event", "quality", "signal_source", "score_change", "said_by")
WORDS = {
    "signals": "Signals read",
    "verdict": "Verdict",
    "simulated": "Simulated verdict, counts for nothing",
    "rating": "Rating",
    "withdrawal": "Rating withdrawn",
    "model": "Model stated",
    "acceptance": "Older report confirmed",
    "taken_out": "Import withdrawn",
    "brought_back": "Import reinstated",
    "correction": "Story corrected",
    "uncorrection": "Correction of the story taken back",
    "merge": "Story merged",
    "split": "Story split again",
}
"""Kind of event → what is said of it."""
LABELLED = ("signals", "model", "taken_out", "brought_back", "correction", "uncorrection", "merge", "split")
"""Kinds whose label says more."""
OF = {"story_id": "this story", "model": "this model"}
SIDES = {"before": (":material/arrow_back:", "Before it, of"), "after": (":material/arrow_forward:", "After it, of")}
CHART_HEIGHT = 210


def show_history(run: dict[str, Any]) -> None:
    """Every event with the score from then on, as a line and as rows, the latest first."""
    events = stories_data.events_of(run["run_id"])
    st.subheader("How the score came to be", anchor=False, help=define("quality").tooltip)
    if not events:
        st.caption("Nothing was recorded of this run.")
        return
    if len([event for event in events if event.quality is not None]) > 1:
        alt = "The effective score after each event, with the shape of the tier it comes from"
        st.plotly_chart(line(events), config=charts.STILL, alt=alt, key="run_timeline")
    st.dataframe(
        show.shown(rows_of(events), EVENTS),
        column_config=show.columns(EVENTS, viewer.zone()),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(len(events)),
        alt="What was recorded of the run, and its effective score from then on, the latest first",
        key="run_events",
    )
    if len(events) == MOST_EVENTS:
        st.caption(f"The latest {show.count(MOST_EVENTS)} events.")


def beside(run: dict[str, Any]) -> None:
    """The runs just before and after this one, of its story and of its model; a click opens one."""
    found = stories_data.around(run["run_id"])
    st.subheader("Before and after", anchor=False, help="By when runs began, else when they became known.")
    if not found:
        st.caption("It is the only run of its story and of its model.")
    for row in found:
        icon, words = SIDES[row["side"]]
        key = f"beside-{row['of']}-{row['side']}"
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            open_it = partial(selection.open_run, row["run_id"])
            st.button(f"{words} {OF[row['of']]}", icon=icon, key=key, on_click=open_it, type="tertiary")
            source = show.SHAPES.get(row["signal_source"] or "", "")
            st.text(f"{source} {show.score(row['quality'])}".strip(), width="content")
            other = row["model"] if row["of"] == "story_id" else row["story_id"]
            st.text(f"{show.isolated(other)} · {show.instant(row['began'], viewer.zone())}")


def rows_of(events: list[Event]) -> pa.Table:
    """The events as columns of a table."""
    return pa.table(
        {
            "known_at": pa.array([event.recorded_at for event in events], pa.timestamp("us", "UTC")),
            "event": pa.array([_words(event) for event in events], pa.string()),
            "quality": pa.array([event.quality for event in events], pa.float64()),
            "signal_source": pa.array([event.signal_source for event in events], pa.string()),
            "score_change": pa.array([event.changed for event in events], pa.float64()),
            "said_by": pa.array([event.who for event in events], pa.string()),
        }
    )


def line(events: list[Event]) -> go.Figure:
    """The effective score from event to event, a step each, with the shape of the tier that gives it."""
    scored = [event for event in reversed(events) if event.quality is not None]
    places = list(range(len(scored)))
    tiers = [event.signal_source or "auto" for event in scored]
    figure = go.Figure(
        go.Scatter(
            x=places,
            y=[event.quality for event in scored],
            mode="lines+markers+text",
            line={"shape": "hv", "color": charts.CONNECTOR, "width": 2},
            marker={
                "symbol": [charts.SYMBOLS[tier] for tier in tiers],
                "color": [charts.THEME_COLOURS[tier] for tier in tiers],
                "size": 12,
            },
            text=[show.score(event.quality) for event in scored],
            textposition=[_side(scored, place) for place in places],
            textfont={"color": charts.INK, "size": 12},
            hovertext=[f"{show.instant(event.recorded_at, viewer.zone())}: {WORDS[event.kind]}" for event in scored],
            hoverinfo="text",
            cliponaxis=False,
        )
    )
    figure.update_xaxes(
        tickvals=places,
        ticktext=[show.instant(event.recorded_at, viewer.zone())[5:] for event in scored],
        range=[-0.4, len(scored) - 0.6],
        showgrid=False,
        zeroline=False,
        nticks=8,
        tickfont={"color": charts.INK},
    )
    figure.update_yaxes(
        range=[0, TOP + 0.8], tickvals=[0, 2, 4, 6, 8, 10], gridcolor=charts.GRID, zeroline=False,
        tickfont={"color": charts.INK},
    )  # fmt: skip
    return charts.framed(figure, CHART_HEIGHT, legend=False).update_layout(margin={"l": 28})


def _side(scored: list[Event], place: int) -> str:
    """Where a marker's value stands: below it where the line comes down to it."""
    falls = place > 0 and scored[place].quality < scored[place - 1].quality
    return "bottom center" if falls else "top center"


def _words(event: Event) -> str:
    value = f" {show.score(event.value)}" if event.value is not None and event.n == 1 else ""
    several = f" ({show.count(event.n)})" if event.n > 1 else ""
    label = f": {event.label}" if event.label and event.kind in LABELLED else ""
    return f"{WORDS[event.kind]}{value}{several}{label}"
