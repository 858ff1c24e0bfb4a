"""How are models drawn by kind of work, by week and by tier? Figures as pure functions of rows, as in `charts.py`."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.components.charts import GRID, INK, LONGEST_NAME, SYMBOLS, THEME_COLOURS, framed
from pages.components.show import SHAPES, count, score, share, tier_label
from quality.signals import TOP
from quality.tiers import TIERS

MEANS = {"auto": ("mean_auto", "n_with_auto"), "verifier": ("mean_verifier", "n_with_verifier"),
         "human": ("mean_human", "n_with_human"), "effective": ("effective_mean", "n"),
         "calibrated": ("calibrated_score", "n_with_human")}  # fmt: skip
"""What a cell can show → the columns of its mean and its n."""
TIER_MEANS = tuple(MEANS[tier][0] for tier in TIERS)
NOT_RECORDED = "not recorded"
NO_TIER = "no tier"
CELL_COLOURS = ((0.0, "rgba(47, 158, 143, 0.03)"), (1.0, "rgba(47, 158, 143, 0.62)"))
"""Lowest → highest cell: a tint that ink stays readable on, on the light page and on the dark one."""
CELL_HEIGHT, NAMES_HEIGHT, BAR_HEIGHT = 44, 64, 30
BAR_ROOM = 2.1
"""Widths of the longest bar that the axis has: its number stands beside it on a phone too."""
WEEKS_HEIGHT, COUNTS_SHARE = 340, 0.24
MOST_VALUE_LABELS = 12
"""Weeks up to which every marker has its value beside it; beyond, the latest of each tier has."""
WEEK_MARKER, MOST_WEEK_TICKS = 9, 6
SHORT = 14
WEEK_WIDTH = 5 * 24 * 3600 * 1000
"""Of a bar, in milliseconds of its axis."""


def shortened(name: str, most: int = LONGEST_NAME) -> str:
    """A name that fits, as text and never as markup.

    >>> shortened("<b>a-model</b>", 8)
    '&lt;b&gt;a-mo…'
    """
    return escape(name if len(name) <= most else name[: most - 1] + "…")


def heat_map(cells: Sequence[Mapping[str, Any]], shown: str, order: Sequence[str]) -> go.Figure:
    """Model × kind of work: the mean in each cell, and under it the n behind it or the interval; an empty cell has none.

    `shown` is a key of `MEANS`; `order` the models from best to worst.
    """
    mean, n = MEANS[shown]
    values = list(dict.fromkeys(cell["value"] for cell in sorted(cells, key=lambda cell: cell["value"] is None)))
    models = sorted(
        {cell["model"] for cell in cells}, key=lambda model: order.index(model) if model in order else len(order)
    )
    known = {(cell["model"], cell["value"]): cell for cell in cells if cell[mean] is not None}
    at = [[known.get((model, value)) for value in values] for model in models]
    lowest, highest = extremes(cells, shown)
    named = [NOT_RECORDED if value is None else value for value in values]
    figure = go.Figure(
        go.Heatmap(
            z=[[cell and cell[mean] for cell in row] for row in at],
            x=list(range(len(values))),
            y=list(range(len(models))),
            text=[[_cell_text(cell, mean, n) for cell in row] for row in at],
            customdata=[[escape(f"{model}, {name}") for name in named] for model in models],
            texttemplate="%{text}",
            textfont={"color": INK, "size": 13},
            hovertemplate="%{customdata}<br>mean %{z:.2f}<extra></extra>",
            colorscale=CELL_COLOURS,
            zmin=lowest,
            zmax=highest if highest > lowest else lowest + 1,
            showscale=False,
            xgap=3,
            ygap=3,
            hoverongaps=False,
        )
    )
    figure.update_xaxes(
        tickvals=list(range(len(values))),
        ticktext=[shortened(name, SHORT) for name in named],
        side="top",
        showgrid=False,
        zeroline=False,
        tickfont={"color": INK},
        automargin=True,
        fixedrange=True,
    )
    figure.update_yaxes(
        tickvals=list(range(len(models))),
        ticktext=[shortened(model) for model in models],
        autorange="reversed",
        showgrid=False,
        zeroline=False,
        automargin=True,
        tickfont={"color": INK},
        ticklen=6,
        ticks="outside",
        tickcolor="rgba(0, 0, 0, 0)",
        fixedrange=True,
    )
    height = NAMES_HEIGHT + CELL_HEIGHT * len(models)
    return framed(figure, height, legend=False).update_layout(margin={"r": 0, "t": 40, "b": 4})


def extremes(cells: Sequence[Mapping[str, Any]], shown: str) -> tuple[float, float]:
    """The lowest and the highest mean of the cells, between which they are tinted."""
    means = [cell[MEANS[shown][0]] for cell in cells if cell[MEANS[shown][0]] is not None]
    return min(means), max(means)


def _cell_text(cell: Mapping[str, Any] | None, mean: str, n: str) -> str:
    if cell is None:
        return ""
    by_interval = mean == "calibrated_score"
    beneath = f"{score(cell['ci_low'])}–{score(cell['ci_high'])}" if by_interval else f"n {count(cell[n])}"
    return f"{score(cell[mean])}<br><span style='font-size:11px'>{beneath}</span>"


def by_week(weeks: Sequence[Mapping[str, Any]]) -> go.Figure:
    """The mean of each tier a week, and under it how many runs were scored; a week without a score is a gap."""
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06, row_heights=[1 - COUNTS_SHARE, COUNTS_SHARE]
    )
    days = [row["week"].isoformat() for row in weeks]
    for tier in TIERS:
        mean, n = MEANS[tier]
        texts, sides = week_labels(weeks, tier)
        figure.add_trace(
            go.Scatter(
                name=tier_label(tier).split(" ", 1)[1],
                x=days,
                y=[row[mean] for row in weeks],
                mode="lines+markers+text",
                line={"color": THEME_COLOURS[tier], "width": 2},
                marker={"symbol": SYMBOLS[tier], "size": WEEK_MARKER, "color": THEME_COLOURS[tier]},
                text=texts,
                textfont={"color": INK, "size": 11},
                textposition=sides,
                connectgaps=False,
                customdata=[row[n] for row in weeks],
                hovertemplate="week of %{x|%Y-%m-%d}<br>" + tier + " mean %{y:.2f}, n %{customdata:,}<extra></extra>",
                cliponaxis=False,
            ),
            row=1,
            col=1,
        )
    counts = [row["n"] for row in weeks]
    figure.add_trace(
        go.Bar(
            x=days,
            y=counts,
            marker={"color": THEME_COLOURS["muted"]},
            text=[count(n) if n else "" for n in counts] if len(weeks) <= MOST_VALUE_LABELS else None,
            textposition="outside",
            textfont={"color": INK, "size": 11},
            hovertemplate="week of %{x|%Y-%m-%d}<br>%{y:,} scored runs<extra></extra>",
            showlegend=False,
            cliponaxis=False,
            width=WEEK_WIDTH,
        ),
        row=2,
        col=1,
    )
    figure.update_yaxes(
        range=[0, TOP], tickvals=[0, 2, 4, 6, 8, 10], gridcolor=GRID, zeroline=False, tickfont={"color": INK},
        title_text="mean, points", title_font={"color": INK, "size": 12}, fixedrange=True, row=1, col=1,
    )  # fmt: skip
    figure.update_yaxes(
        range=[0, max(counts, default=1) * 1.35], nticks=3, gridcolor=GRID, zeroline=False, tickfont={"color": INK},
        title_text="runs", title_font={"color": INK, "size": 12}, fixedrange=True, row=2, col=1,
    )  # fmt: skip
    figure.update_xaxes(showgrid=False, tickfont={"color": INK}, type="date", tickformat="%d %b<br>%Y", fixedrange=True)
    figure.update_xaxes(tickvals=days[:: -(-len(days) // MOST_WEEK_TICKS) or 1])
    return framed(figure, WEEKS_HEIGHT).update_layout(margin={"l": 0, "r": 16}, bargap=0.3)


def week_labels(weeks: Sequence[Mapping[str, Any]], tier: str) -> tuple[list[str], list[str]]:
    """What stands beside a tier's markers, and where: the highest above, the lowest below, the middle on the right.

    While there is room all weeks have their values, the middle one's left out; beyond, the tier's latest alone.

    >>> week_labels([{"mean_auto": 7.0, "mean_verifier": 6.25, "mean_human": None}], "verifier")
    (['6.3'], ['bottom center'])
    """
    mean = MEANS[tier][0]
    latest = max((place for place, row in enumerate(weeks) if row[mean] is not None), default=-1)
    texts, sides = [], []
    for place, row in enumerate(weeks):
        known = sorted(row[name] for name in TIER_MEANS if row[name] is not None)
        side = "middle right"
        if row[mean] is not None and row[mean] in (known[-1], known[0]):
            side = "top center" if row[mean] == known[-1] else "bottom center"
        has_room = place == latest or (len(weeks) <= MOST_VALUE_LABELS and side != "middle right")
        texts.append(score(row[mean]) if has_room and row[mean] is not None else "")
        sides.append(side)
    return texts, sides


def coverage(sets: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A bar a set of tiers that runs have, with how many and which share of all."""
    total = sum(row["n_tiers"] for row in sets)
    figure = go.Figure(
        go.Bar(
            orientation="h",
            y=[tier_set(row) for row in sets],
            x=[row["n_tiers"] for row in sets],
            marker={"color": [THEME_COLOURS[_highest(row)] for row in sets]},
            text=[f"{count(row['n_tiers'])} · {share(row['n_tiers'] / total)}" for row in sets],
            textposition="outside",
            textfont={"color": INK, "size": 12},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, tickfont={"color": INK}, fixedrange=True)
    figure.update_xaxes(visible=False, range=[0, max(row["n_tiers"] for row in sets) * BAR_ROOM], fixedrange=True)
    return framed(figure, 12 + BAR_HEIGHT * len(sets), legend=False).update_layout(
        margin={"r": 0, "t": 4, "b": 4}, bargap=0.35
    )


def tier_set(row: Mapping[str, Any]) -> str:
    """Which tiers, by shape and name.

    >>> tier_set({"auto": True, "verifier": False, "human": True})
    '◆ auto  ● human'
    """
    return "  ".join(f"{SHAPES[tier]} {tier}" for tier in TIERS if row[tier]) or NO_TIER


def _highest(row: Mapping[str, Any]) -> str:
    return next((tier for tier in reversed(TIERS) if row[tier]), "muted")
