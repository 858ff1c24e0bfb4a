"""How are scores drawn? Plotly figures as pure functions of rows; the page's theme gives them their colours.

A colour here is a place in `chartCategoricalColors` of the theme: Streamlit puts the theme's colour in its
place in the browser, so one figure serves light and dark.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.components.show import difference, score, tier_label
from quality.definitions import define
from quality.signals import TOP
from quality.tiers import TIERS

THEME_COLOURS = {"auto": "#000001", "verifier": "#000002", "human": "#000003", "less": "#000005", "muted": "#000006"}
INK = THEME_COLOURS["human"]
"""Streamlit's stand-ins for the theme's chart colours, in their order."""
SYMBOLS = {"auto": "diamond", "verifier": "square", "human": "circle"}
CONNECTOR = "rgba(128, 140, 136, 0.45)"
GRID = "rgba(128, 140, 136, 0.18)"
MOST_MODELS = 15
"""Rows of the dumbbell chart."""
ROW_HEIGHT, FRAME_HEIGHT = 46, 86
LONGEST_NAME = 22
PAD = 0.3
STILL = {"displayModeBar": False}
"""How every chart is put on a page: without a bar of tools over it."""
RADAR_HEIGHT, TREND_HEIGHT, LEGEND_ROOM, NAME_ROOM = 280, 260, 28, 44
TREND_COLOURS = ("human", "verifier", "auto", "less", "muted")
TREND_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up")
MOST_TICKS = 20
LABEL_ROOM = 28
"""Pixels for a value beyond 0 or 10."""


def tiers_by_model(models: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A dumbbell a model: the mean of each tier with its shape and value; n of each tier under the name.

    The models with most runs, best routing score on top.
    """
    rows = _most_rated(models)
    places = list(range(len(rows)))[::-1]
    known = [[row[f"mean_{tier}"] for tier in TIERS if row[f"mean_{tier}"] is not None] for row in rows]
    line = {"type": "line", "line": {"color": CONNECTOR, "width": 3}, "layer": "below"}
    figure = go.Figure(
        layout={
            "shapes": [
                {**line, "x0": min(means), "x1": max(means), "y0": place, "y1": place}
                for place, means in zip(places, known)
                if len(means) > 1
            ]
        }
    )
    for tier in TIERS:
        found = [(place, row) for place, row in zip(places, rows) if row[f"mean_{tier}"] is not None]
        figure.add_trace(
            go.Scatter(
                name=tier_label(tier).split(" ", 1)[1],
                x=[row[f"mean_{tier}"] for _, row in found],
                y=[place for place, _ in found],
                mode="markers+text",
                marker={"symbol": SYMBOLS[tier], "size": 12, "color": THEME_COLOURS[tier]},
                text=[score(row[f"mean_{tier}"]) for _, row in found],
                textfont={"color": INK, "size": 12},
                textposition=[label_side(row, tier) for _, row in found],
                customdata=[[escape(row["model"]), row[f"n_with_{tier}"]] for _, row in found],
                hovertemplate="%{customdata[0]}<br>" + tier + " mean %{x:.2f}, n %{customdata[1]:,}<extra></extra>",
                cliponaxis=False,
            )
        )
    figure.update_yaxes(
        tickvals=places,
        ticktext=[_name_and_n(row) for row in rows],
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        zeroline=False,
        automargin=True,
        tickfont={"color": INK},
        ticks="outside",
        ticklen=LABEL_ROOM,
        tickcolor="rgba(0, 0, 0, 0)",
    )
    figure.update_xaxes(
        range=[-PAD, TOP + PAD],
        tickvals=[0, 2, 4, 6, 8, 10],
        zeroline=False,
        showgrid=True,
        gridcolor=GRID,
        title_text="mean score, points 0–10",
        tickfont={"color": INK},
        title_font={"color": INK, "size": 12},
    )
    return framed(figure, FRAME_HEIGHT + ROW_HEIGHT * len(rows))


def label_side(row: Mapping[str, Any], tier: str) -> str:
    """Where a marker's value goes so that the values of one row do not meet: outwards, the middle one above.

    >>> label_side({"mean_auto": 2.1, "mean_verifier": 7.7, "mean_human": 7.1}, "human")
    'top center'
    """
    order = sorted((name for name in TIERS if row[f"mean_{name}"] is not None), key=lambda name: row[f"mean_{name}"])
    if tier == order[-1]:
        return "middle right"
    return "middle left" if tier == order[0] else "top center"


def contributions(parts: Sequence[Mapping[str, Any]], cap: float, total: float) -> go.Figure:
    """A waterfall: what each measured signal adds, what the cap takes, and the score they sum to."""
    steps = [(define(part["signal"]).label, part["contribution"]) for part in parts if part["contribution"] is not None]
    if cap:
        steps.append(("Cap: few tests", cap))
    names = [*(name for name, _ in steps), "Auto score"]
    values = [*(value for _, value in steps), total]
    figure = go.Figure(
        go.Waterfall(
            orientation="h",
            y=names,
            x=values,
            measure=["relative"] * len(steps) + ["total"],
            text=[*(difference(value) for _, value in steps), score(total)],
            textposition="outside",
            textfont={"color": INK, "size": 12},
            connector={"line": {"color": CONNECTOR, "width": 1}},
            increasing={"marker": {"color": THEME_COLOURS["muted"]}},
            decreasing={"marker": {"color": THEME_COLOURS["less"]}},
            totals={"marker": {"color": THEME_COLOURS["auto"]}},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, tickfont={"color": INK})
    figure.update_xaxes(
        range=[0, TOP],
        tickvals=[0, 2, 4, 6, 8, 10],
        title_text="points",
        tickfont={"color": INK},
        title_font={"color": INK, "size": 12},
    )
    return framed(figure, FRAME_HEIGHT + 28 * len(names), legend=False)


def radar(scores: Mapping[str, Mapping[str, float]]) -> go.Figure:
    """The dimensions of one or two evaluations, by name, on a radar from 0 to 10; the second is dashed.

    One alone has its scores beside the names; two have theirs in the table beside the chart.
    """
    figure = go.Figure()
    alone = len(scores) == 1
    for place, (name, parts) in enumerate(scores.items()):
        labels = [f"{part}<br>{score(value)}" if alone else part for part, value in parts.items()]
        figure.add_trace(
            go.Scatterpolar(
                name=escape(name),
                theta=[*labels, labels[0]],
                r=[*parts.values(), next(iter(parts.values()))],
                mode="lines+markers",
                fill="toself" if place == len(scores) - 1 else "none",
                fillcolor=GRID,
                line={
                    "color": THEME_COLOURS[("human", "verifier")[place]],
                    "width": 2,
                    "dash": ("solid", "dash")[place],
                },
                marker={"symbol": ("circle", "square")[place], "size": 8},
                hovertemplate="%{theta}" + ("" if alone else " %{r:.1f}") + "<extra>" + escape(name) + "</extra>",
                cliponaxis=False,
            )
        )
    figure.update_polars(
        radialaxis={
            "angle": 45,
            "range": [0, TOP],
            "tickvals": [2, 4, 6, 8, 10],
            "ticktext": ["", "", "", "", "10"],
            "tickfont": {"color": INK, "size": 10},
            "gridcolor": GRID,
            "showline": False,
            "ticks": "",
            "tickangle": 0,
        },
        angularaxis={
            "tickfont": {"color": INK, "size": 12},
            "gridcolor": GRID,
            "direction": "clockwise",
            "rotation": 90,
        },
        bgcolor="rgba(0, 0, 0, 0)",
    )
    two = len(scores) > 1
    drawn = framed(figure, RADAR_HEIGHT + (LEGEND_ROOM if two else 0), legend=two)
    below = {"y": -0.12, "yanchor": "top", "x": 0.5, "xanchor": "center"}
    top, bottom = (24, 24 + LEGEND_ROOM) if two else (NAME_ROOM, NAME_ROOM)
    return drawn.update_layout(margin={"l": 84, "r": 60, "t": top, "b": bottom}, legend=below)


def prompt_trend(rows: Sequence[Mapping[str, Any]]) -> go.Figure:
    """The overall score of a prompt's evaluations, the earliest first, a line a judge; what failed is a gap.

    Each row has `version`, `judge` and `overall`.
    """
    figure = go.Figure()
    places = list(range(len(rows)))
    for number, judge in enumerate(dict.fromkeys(row["judge"] for row in rows)):
        own = [(place, row) for place, row in zip(places, rows) if row["judge"] == judge]
        figure.add_trace(
            go.Scatter(
                name=escape(judge),
                x=[place for place, _ in own],
                y=[row["overall"] for _, row in own],
                mode="lines+markers",
                line={"color": THEME_COLOURS[TREND_COLOURS[number % len(TREND_COLOURS)]], "width": 2},
                marker={"symbol": TREND_SYMBOLS[number % len(TREND_SYMBOLS)], "size": 10},
                customdata=[row["version"] for _, row in own],
                hovertemplate="version %{customdata}: %{y:.1f}<extra>" + escape(judge) + "</extra>",
                cliponaxis=False,
            )
        )
    step = max(1, -(-len(rows) // MOST_TICKS))
    figure.update_xaxes(
        tickvals=places[::step],
        ticktext=[f"v{row['version']}" for row in rows[::step]],
        range=[-0.5, len(rows) - 0.5],
        showgrid=False,
        zeroline=False,
        tickfont={"color": INK},
        title_text="evaluations, the earliest first",
        title_font={"color": INK, "size": 12},
    )
    figure.update_yaxes(
        range=[0, TOP], tickvals=[0, 2, 4, 6, 8, 10], gridcolor=GRID, zeroline=False, tickfont={"color": INK}
    )
    return framed(figure, TREND_HEIGHT).update_layout(margin={"l": 32})


def _most_rated(models: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """At most `MOST_MODELS` scored models by n, in the order they were given."""
    scored = [row for row in models if row["n"]]
    kept = sorted(scored, key=lambda row: -row["n"])[:MOST_MODELS]
    return [row for row in scored if row in kept]


def _name_and_n(row: Mapping[str, Any]) -> str:
    name = row["model"]
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    counts = "  ".join(
        f"{tier_label(tier)[0]} {row[f'n_with_{tier}']:,}" for tier in TIERS if row[f"mean_{tier}"] is not None
    )
    return f"{escape(short)}<br><span style='font-size:11px'>n {counts}</span>"


def framed(figure: go.Figure, height: int, legend: bool = True) -> go.Figure:
    """The figure with height, margins and legend that all have in common."""
    return figure.update_layout(
        height=height,
        # Streamlit puts in its colours once a figure: after a change of light and dark it has to be another one.
        meta=st.context.theme.type,
        margin={"l": 0, "r": LABEL_ROOM + 12, "t": 34 if legend else 4, "b": 44},
        showlegend=legend,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1,
            "xanchor": "left",
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        legend_font={"color": INK, "size": 12},
        font={"size": 12},
        dragmode=False,
    )
