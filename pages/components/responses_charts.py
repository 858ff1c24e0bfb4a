"""How are scores of responses drawn over time? A figure as a pure function of rows, as in `charts.py`."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

import plotly.graph_objects as go

from pages.components.charts import GRID, INK, THEME_COLOURS, TREND_COLOURS, TREND_SYMBOLS, framed
from pages.components.charts_models import shortened
from pages.components.show import count, score
from quality.response_regressions import SEVERITIES
from quality.responses import HIGHEST

MOST_MODELS = len(TREND_COLOURS)
"""Models that are drawn, each in a colour and with a shape."""
HEIGHT, TICKS = 400, 4
MARKS = {"minor": ("triangle-down-open", 10), "moderate": ("triangle-down", 12), "severe": ("x", 12)}
"""Severity → the shape and size of its mark."""
ALERT_LINE, PLAIN_LINE = 2.5, 1.0


def over_time(found: Mapping[str, Any], models: Sequence[str], zone: str) -> go.Figure:
    """The score of each response (or of as many as a point stands for), the rolling mean as a line, regressions marked.

    `found` has `points` and `regressions`; `models` are those to draw, at most `MOST_MODELS`. The first datum of each
    point is the id of its response, where it stands for one.
    """
    figure = go.Figure()
    for place, model in enumerate(models):
        points = [point for point in found["points"] if point["model"] == model]
        colour, name = THEME_COLOURS[TREND_COLOURS[place]], escape(model)
        times = [_local(point["ts"], zone) for point in points]
        figure.add_trace(
            go.Scatter(
                x=times, y=[point["composite"] for point in points], mode="markers", legendgroup=name, showlegend=False,
                marker={"symbol": TREND_SYMBOLS[place], "size": 6, "color": colour, "opacity": 0.45},
                customdata=[[point["response_id"], count(point["n"])] for point in points],
                hovertemplate="%{x|%Y-%m-%d %H:%M}: %{y:.1f}, n %{customdata[1]}<extra>" + name + "</extra>",
                cliponaxis=False,
            )
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                name=shortened(model), legendgroup=name, x=times, y=[point["rolling_mean"] for point in points],
                mode="lines+markers" if len(points) == 1 else "lines", line={"color": colour, "width": 2},
                marker={"symbol": TREND_SYMBOLS[place]}, hoverinfo="skip",
            )
        )  # fmt: skip
    for severity in SEVERITIES:
        _mark(
            figure,
            [r for r in found["regressions"] if r["severity"] == severity and r["model"] in models],
            severity,
            zone,
        )
    figure.update_yaxes(range=[0, HIGHEST], tickvals=[0, 20, 40, 60, 80, 100], gridcolor=GRID, zeroline=False)
    figure.update_yaxes(
        tickfont={"color": INK}, title_text="score, points 0–100", title_font={"color": INK, "size": 12}
    )
    figure.update_xaxes(showgrid=False, zeroline=False, tickfont={"color": INK}, nticks=TICKS)
    # Below, since a narrow screen breaks a legend into rows, which would lie on the marks.
    below = {"y": -0.14, "yanchor": "top"}
    return framed(figure, HEIGHT).update_layout(margin={"l": 44, "t": 12, "b": 96}, legend=below, hovermode="closest")


def _mark(figure: go.Figure, regressions: list[Mapping[str, Any]], severity: str, zone: str) -> None:
    if not regressions:
        return
    symbol, size = MARKS[severity]
    figure.add_trace(
        go.Scatter(
            name=severity, mode="markers",
            x=[_local(regression["ts"], zone) for regression in regressions],
            y=[regression["composite"] for regression in regressions],
            marker={"symbol": symbol, "size": size, "color": INK, "line": {"color": INK, "width": 1.5}},
            customdata=[[r["response_id"], score(r["composite"]), f"{r['delta']:+.1f}", escape(r["model"])] for r in regressions],
            hovertemplate="%{customdata[3]}: %{customdata[1]}, %{customdata[2]} against before<extra>" + severity + "</extra>",
            cliponaxis=False,
        )
    )  # fmt: skip


def _local(instant: Any, zone: str) -> Any:
    """The axis knows no zones: the clock of the viewer."""
    return instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
