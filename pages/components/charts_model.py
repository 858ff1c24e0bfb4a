"""How is one model drawn, and two side by side? Figures as pure functions of rows, as in `charts.py`."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.components.charts import CONNECTOR, GRID, INK, SYMBOLS, THEME_COLOURS, framed
from pages.components.show import count, difference, tier_label
from quality.signals import TOP
from quality.tiers import TIERS

STEPS = tuple(range(int(TOP)))
"""The steps of one point that scores are counted in."""
PANEL_HEIGHT, PANELS_FRAME, PANEL_GAP = 104, 60, 38
HEADROOM = 1.4
PAIR_HEIGHT, PAIRS_FRAME = 58, 56
WIDEST, LEAST = 10.0, 1.0
"""Points that a difference can reach, and that its axis has at least."""


def distribution(rows: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A panel a tier that has scores: how many runs fall in each step of one point, the number on its bar."""
    tiers = [tier for tier in TIERS if any(row["tier"] == tier for row in rows)]
    counts = {tier: {row["step"]: row["n_step"] for row in rows if row["tier"] == tier} for tier in tiers}
    titles = [f"{tier_label(tier)}, n {count(sum(counts[tier].values()))}" for tier in tiers]
    gap = PANEL_GAP / (PANEL_HEIGHT * max(1, len(tiers)))
    figure = make_subplots(rows=len(tiers), cols=1, shared_xaxes=True, vertical_spacing=gap, subplot_titles=titles)
    for place, tier in enumerate(tiers, start=1):
        heights = [counts[tier].get(step, 0) for step in STEPS]
        figure.add_trace(
            go.Bar(
                x=[step + 0.5 for step in STEPS],
                y=heights,
                width=0.9,
                marker={"color": THEME_COLOURS[tier]},
                text=[count(height) if height else "" for height in heights],
                textposition="outside",
                textfont={"color": INK, "size": 11},
                hoverinfo="skip",
                cliponaxis=False,
            ),
            row=place,
            col=1,
        )
        figure.update_yaxes(range=[0, max(heights) * HEADROOM], visible=False, fixedrange=True, row=place, col=1)
    figure.update_annotations(font={"color": INK, "size": 12}, x=0, xanchor="left")
    figure.update_xaxes(range=[0, TOP], showgrid=False, zeroline=False, tickfont={"color": INK}, fixedrange=True)
    figure.update_xaxes(tickvals=[*STEPS, int(TOP)], ticks="outside", tickcolor=CONNECTOR, linecolor=CONNECTOR)
    figure.update_xaxes(
        title_text="score, points 0–10", title_font={"color": INK, "size": 12}, row=max(1, len(tiers)), col=1
    )
    drawn = framed(figure, PANELS_FRAME + PANEL_HEIGHT * len(tiers), legend=False)
    return drawn.update_layout(margin={"l": 4, "r": 12, "t": 26, "b": 44}, bargap=0.1)


def differences(pairs: Mapping[str, Mapping[str, Any]]) -> go.Figure:
    """A line a tier with pairs: the mean difference and its 95 % interval, beside the line of no difference."""
    tiers = [tier for tier in TIERS if tier in pairs and pairs[tier]["n_paired"]]
    places = list(range(len(tiers)))[::-1]
    figure = go.Figure()
    figure.add_shape(type="line", x0=0, x1=0, y0=-0.6, y1=len(tiers) - 0.4, line={"color": CONNECTOR, "width": 2})
    for place, tier in zip(places, tiers):
        row = pairs[tier]
        middle, low, high = row["paired_difference"], row["paired_low"], row["paired_high"]
        if low is not None:
            ends = {"x0": max(low, -WIDEST), "x1": min(high, WIDEST), "y0": place, "y1": place}
            figure.add_shape(type="line", **ends, line={"color": THEME_COLOURS[tier], "width": 4}, opacity=0.55)
        figure.add_trace(
            go.Scatter(
                x=[middle],
                y=[place],
                mode="markers+text",
                marker={"symbol": SYMBOLS[tier], "size": 13, "color": THEME_COLOURS[tier]},
                text=[difference(middle)],
                textposition="top center",
                textfont={"color": INK, "size": 12},
                hoverinfo="skip",
                cliponaxis=False,
            )
        )
    reach = axis_reach([pairs[tier] for tier in tiers])
    figure.update_yaxes(
        tickvals=places,
        ticktext=[
            f"{tier_label(tier)}<br><span style='font-size:11px'>n {count(pairs[tier]['n_paired'])}</span>"
            for tier in tiers
        ],
        range=[-0.6, len(tiers) - 0.4],
        showgrid=False,
        zeroline=False,
        automargin=True,
        tickfont={"color": INK},
        fixedrange=True,
    )
    figure.update_xaxes(
        range=[-reach, reach],
        zeroline=False,
        gridcolor=GRID,
        nticks=7,
        title_text="← second better · difference, points · first better →",
        title_font={"color": INK, "size": 12},
        tickfont={"color": INK},
        fixedrange=True,
    )
    return framed(figure, PAIRS_FRAME + PAIR_HEIGHT * len(tiers), legend=False).update_layout(margin={"t": 12, "r": 8})


def axis_reach(rows: Sequence[Mapping[str, Any]]) -> float:
    """How far the axis reaches to either side of no difference: past every end, and never past what can be.

    >>> axis_reach([{"paired_difference": 0.2, "paired_low": -2.0, "paired_high": 2.4}])
    2.64
    """
    ends = [row[name] for row in rows for name in ("paired_difference", "paired_low", "paired_high")]
    furthest = max((abs(end) for end in ends if end is not None), default=LEAST)
    return min(max(round(furthest * 1.1, 2), LEAST), WIDEST)
