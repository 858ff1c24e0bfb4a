"""How are trust, ranking and trends drawn? Figures as pure functions of rows, as in `charts.py`."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from html import escape
from math import ceil, floor
from typing import Any

import plotly.graph_objects as go

from pages.components.charts import CONNECTOR, GRID, INK, MOST_MODELS, PAD, THEME_COLOURS, framed
from pages.components.charts_models import shortened
from pages.components.show import count, difference, score
from quality.signals import TOP

RANK_HEIGHT, RANK_FRAME = 40, 92
SQUARE_HEIGHT, CELL_HEIGHT, CELLS_FRAME = 320, 46, 54
TREND_HEIGHT, MOST_TICKS = 300, 6
LEAST_REACH = 4
"""Points that the axis of the ranking shows at least: a small difference does not look like a large one."""
POINT_OPACITY = 0.45
TOLD_SHARE = 0.9
"""Of the reach of a difference axis that the furthest point takes."""
CELL_COLOURS = ((0.0, "rgba(31, 119, 180, 0.55)"), (0.5, "rgba(128, 140, 136, 0.04)"), (1.0, "rgba(214, 125, 46, 0.6)"))
"""Harsh → fair → lenient: tints that ink stays readable on, on the light page and on the dark one."""
TICKS = {
    "tickvals": [0, 2, 4, 6, 8, 10],
    "zeroline": False,
    "showgrid": True,
    "gridcolor": GRID,
    "tickfont": {"color": INK},
}
TITLE = {"color": INK, "size": 12}


def ranking(models: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A line a scored model, best on top: interval and calibrated score, beside them the effective mean.

    At most `MOST_MODELS`, the best.
    """
    rows = list(models)[:MOST_MODELS]
    places = list(range(len(rows)))[::-1]
    figure = go.Figure()
    for place, row in zip(places, rows):
        ends = {"x0": row["ci_low"], "x1": row["ci_high"], "y0": place, "y1": place}
        figure.add_shape(type="line", **ends, line={"color": THEME_COLOURS["verifier"], "width": 5}, opacity=0.45)
    for name, values, symbol, colour, place_of_text in (
        ("Calibrated", "calibrated_score", "circle", "human", "top center"),
        ("Effective mean", "effective_mean", "line-ns-open", "auto", "bottom center"),
    ):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[row[values] for row in rows],
                y=places,
                mode="markers+text",
                marker={"symbol": symbol, "size": 12, "color": THEME_COLOURS[colour], "line": {"width": 2}},
                text=[score(row[values]) if values == "calibrated_score" else "" for row in rows],
                textposition=place_of_text,
                textfont=TITLE,
                customdata=[[escape(row["model"]), row["ci_low"], row["ci_high"]] for row in rows],
                hovertemplate="%{customdata[0]}<br>"
                + name.lower()
                + " %{x:.2f}, 95 % interval %{customdata[1]:.2f} to "
                "%{customdata[2]:.2f}<extra></extra>",
                cliponaxis=False,
            )
        )
    figure.update_yaxes(
        tickvals=places, ticktext=[_ranked(row) for row in rows], range=[-0.6, len(rows) - 0.3], showgrid=False,
        zeroline=False, automargin=True, tickfont={"color": INK}, ticks="outside", ticklen=10,
        tickcolor="rgba(0, 0, 0, 0)", fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(
        range=reach(rows), title_text="mean human score, points of 10", title_font=TITLE, fixedrange=True,
        **TICKS | {"tickvals": list(range(int(TOP) + 1))},
    )  # fmt: skip
    return framed(figure, RANK_FRAME + RANK_HEIGHT * len(rows))


def reach(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """What the axis shows: every interval and mean, `LEAST_REACH` points at least, nothing outside 0–10 but a margin.

    >>> reach([{"ci_low": 4.9, "ci_high": 5.2, "effective_mean": 5.4}])
    [2.7, 7.3]
    """
    ends = [row[name] for row in rows for name in ("ci_low", "ci_high", "effective_mean")]
    low, high = floor(min(ends)), ceil(max(ends))
    spare = max(LEAST_REACH - (high - low), 0) / 2
    return [max(low - spare, 0.0) - PAD, min(high + spare, TOP) + PAD]


def _ranked(row: Mapping[str, Any]) -> str:
    reviewed = f"tie group {row['tie_group']} · n ● {count(row['n_with_human'])}"
    return f"{shortened(row['model'])}<br><span style='font-size:11px'>{reviewed}</span>"


def scatter(pairs: Sequence[Mapping[str, float]]) -> go.Figure:
    """Verifier against human, a point a run, beside the line on which they agree."""
    figure = _points([one["human"] for one in pairs], [one["verifier"] for one in pairs])
    figure.add_shape(type="line", x0=0, x1=TOP, y0=0, y1=TOP, line={"color": CONNECTOR, "width": 2, "dash": "dot"})
    axis = {"range": [-PAD, TOP + PAD], "title_font": TITLE, "fixedrange": True, **TICKS}
    figure.update_xaxes(title_text="human, points", **axis)
    figure.update_yaxes(title_text="verifier, points", **axis)
    return framed(figure, SQUARE_HEIGHT, legend=False).update_layout(margin={"t": 8, "r": 8})


def bland_altman(pairs: Sequence[Mapping[str, float]], card: Mapping[str, Any]) -> go.Figure:
    """Difference against mean, a point a run, with the bias and the limits that 95 % of differences lie within.

    Bland and Altman 1986. `card` gives `bias`, `limit_low` and `limit_high`, null where there are too few pairs.
    """
    differences = [one["verifier"] - one["human"] for one in pairs]
    figure = _points([(one["verifier"] + one["human"]) / 2 for one in pairs], differences)
    lines = (("bias", "solid"), ("limit_low", "dot"), ("limit_high", "dot"))
    known = [(card[name], dash) for name, dash in lines if card[name] is not None]
    for value, dash in known:
        figure.add_shape(
            type="line",
            x0=0,
            x1=TOP,
            y0=value,
            y1=value,
            line={"color": THEME_COLOURS["less"], "width": 2, "dash": dash},
        )
        figure.add_annotation(
            x=TOP, y=value, text=difference(value), showarrow=False, yshift=9, xanchor="right", font=TITLE
        )
    furthest = max((abs(value) for value in (*differences, *(value for value, _ in known))), default=1.0)
    reach = max(furthest / TOLD_SHARE, 1.0)
    figure.update_xaxes(
        range=[-PAD, TOP + PAD], title_text="mean of the two, points", title_font=TITLE, fixedrange=True, **TICKS
    )
    figure.update_yaxes(
        range=[-reach, reach], title_text="verifier − human, points", title_font=TITLE, gridcolor=GRID, zeroline=True,
        zerolinecolor=CONNECTOR, tickfont={"color": INK}, fixedrange=True,
    )  # fmt: skip
    return framed(figure, SQUARE_HEIGHT, legend=False).update_layout(margin={"t": 8, "r": 8})


def _points(x: Sequence[float], y: Sequence[float]) -> go.Figure:
    marker = {"color": THEME_COLOURS["verifier"], "size": 8, "symbol": "square", "opacity": POINT_OPACITY}
    return go.Figure(
        go.Scatter(x=list(x), y=list(y), mode="markers", marker=marker, hoverinfo="skip", cliponaxis=False)
    )


def bias_by_family(cells: Sequence[Mapping[str, Any]]) -> go.Figure:
    """Builder family (down) × verifier family (across): the mean of verifier − human with n; too few pairs show n alone."""
    verifiers = sorted({cell["verifier_family"] for cell in cells})
    builders = sorted({cell["builder_family"] for cell in cells})
    at = {(cell["builder_family"], cell["verifier_family"]): cell for cell in cells}
    grid = [[at.get((builder, verifier)) for verifier in verifiers] for builder in builders]
    reach = max((abs(cell["bias"]) for cell in cells if cell["bias"] is not None), default=1.0) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=[
                [None if cell is None else (0.0 if cell["bias"] is None else cell["bias"]) for cell in row]
                for row in grid
            ],
            x=list(range(len(verifiers))),
            y=list(range(len(builders))),
            text=[[_bias_text(cell) for cell in row] for row in grid],
            texttemplate="%{text}",
            textfont={"color": INK, "size": 13},
            colorscale=CELL_COLOURS,
            zmin=-reach,
            zmax=reach,
            showscale=False,
            xgap=3,
            ygap=3,
            hoverinfo="skip",
        )
    )
    plain = {"showgrid": False, "zeroline": False, "automargin": True, "tickfont": {"color": INK}, "fixedrange": True}
    figure.update_xaxes(
        tickvals=list(range(len(verifiers))), ticktext=[shortened(name, 14) for name in verifiers], side="top",
        **plain,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(builders))), ticktext=[shortened(name, 14) for name in builders], autorange="reversed",
        **plain,
    )  # fmt: skip
    height = CELLS_FRAME + CELL_HEIGHT * len(builders)
    return framed(figure, height, legend=False).update_layout(margin={"r": 0, "t": 36, "b": 4})


def _bias_text(cell: Mapping[str, Any] | None) -> str:
    if cell is None:
        return ""
    n = f"<span style='font-size:11px'>n {count(cell['n_pairs'])}</span>"
    return n if cell["bias"] is None else f"{difference(cell['bias'])}<br>{n}"


def weeks(
    rows: Sequence[Mapping[str, Any]], middle: str, low: str, high: str, title: str, bounds: tuple[float, float]
) -> go.Figure:
    """A line of weekly means with their 95 % intervals; a week without one is a gap."""
    days = [row["week"] for row in rows]
    figure = go.Figure()
    for row in rows:
        if row[low] is not None:
            ends = {
                "x0": row["week"],
                "x1": row["week"],
                "y0": max(row[low], bounds[0]),
                "y1": min(row[high], bounds[1]),
            }
            figure.add_shape(type="line", **ends, line={"color": THEME_COLOURS["verifier"], "width": 3}, opacity=0.4)
    latest = max((place for place, row in enumerate(rows) if row[middle] is not None), default=-1)
    figure.add_trace(
        go.Scatter(
            x=days,
            y=[row[middle] for row in rows],
            mode="lines+markers+text",
            line={"color": THEME_COLOURS["human"], "width": 2},
            marker={"size": 8},
            text=[f"{row[middle]:.1f}" if place == latest else "" for place, row in enumerate(rows)],
            textposition="top center",
            textfont=TITLE,
            connectgaps=False,
            hovertemplate="week of %{x|%Y-%m-%d}<br>%{y:.2f}<extra></extra>",
            cliponaxis=False,
        )
    )
    figure.update_xaxes(
        showgrid=False, tickfont={"color": INK}, type="date", tickformat="%d %b<br>%Y", fixedrange=True,
        tickvals=days[:: -(-len(days) // MOST_TICKS) or 1],
    )  # fmt: skip
    figure.update_yaxes(
        range=list(bounds), gridcolor=GRID, zeroline=bounds[0] < 0, zerolinecolor=CONNECTOR, tickfont={"color": INK},
        title_text=title, title_font=TITLE, fixedrange=True,
    )  # fmt: skip
    return framed(figure, TREND_HEIGHT, legend=False).update_layout(margin={"l": 0, "r": 16, "t": 12})


def bias_by_week(rows: Sequence[Mapping[str, Any]]) -> go.Figure:
    """A verifier's bias by week, every week from the first to the last in its place; one without a bias is a gap."""
    known = {row["week"]: row for row in rows}
    first, last = min(known), max(known)
    gap = {"bias": None, "bias_low": None, "bias_high": None}
    days = [first + timedelta(weeks=place) for place in range((last - first).days // 7 + 1)]
    every = [{"week": day} | {name: known.get(day, gap)[name] for name in gap} for day in days]
    ends = [abs(row[name]) for row in every for name in gap if row[name] is not None]
    reach = min(max(ends, default=1.0) / TOLD_SHARE, TOP) or 1.0
    return weeks(every, "bias", "bias_low", "bias_high", "verifier − human, points", (-reach, reach))


def trend(weeks_of: Mapping[str, Any]) -> go.Figure:
    """A model's weeks of `trust_data.trends`, and where a drop was called, the levels before it and since."""
    figure = weeks(weeks_of["weeks"], "week_mean", "low", "high", "expected human score, points", (0.0, TOP))
    drop, days = weeks_of["drop"], [row["week"] for row in weeks_of["weeks"]]
    if drop:
        for start, end, level in (
            (days[0], drop["drop_week"], drop["before"]),
            (drop["drop_week"], days[-1], drop["after"]),
        ):
            figure.add_shape(
                type="line", x0=start, x1=end, y0=level, y1=level, line={"color": THEME_COLOURS["less"], "dash": "dash"}
            )
        figure.add_annotation(
            x=drop["drop_week"], y=drop["after"], text="drop", showarrow=False, yshift=-12, font=TITLE
        )
    return figure
