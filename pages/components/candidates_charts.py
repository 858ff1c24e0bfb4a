"""How is the way to a candidate's score drawn? A waterfall as a pure function of its steps, as in `charts.py`."""

from collections.abc import Sequence

import plotly.graph_objects as go

from pages.components.charts import CONNECTOR, FRAME_HEIGHT, GRID, INK, THEME_COLOURS, framed
from quality.candidate_what_if import Step
from quality.candidates import HIGHEST, LOWEST
from quality.definitions import define

LABELS = {
    "heuristic": "heuristic_score", "judge": "llm_score", "evidence": "evaluator_score", "score": "candidate_score",
}  # fmt: skip
"""Step → its name in the catalogue, where that is another."""
ROW_HEIGHT, ROOM = 28, 1.6


def label(step: Step) -> str:
    """How a step is called.

    >>> label(Step("risk", -2.0)), label(Step("score", 7.5, total=True))
    ('Risk', 'Score')
    """
    return define(LABELS.get(step.name, step.name)).label


def signed(step: Step) -> str:
    """What a step adds, with its sign; a sum without.

    >>> signed(Step("risk", -2.0)), signed(Step("score", 7.5, total=True))
    ('−2.00', '7.50')
    """
    return f"{step.value:.2f}" if step.total else f"{step.value:+.2f}".replace("-", "−")


def in_words(steps: Sequence[Step]) -> str:
    """The steps as one line, for those who do not see the chart."""
    return ", ".join(f"{label(step)} {signed(step)}" for step in steps)


def waterfall(steps: Sequence[Step]) -> go.Figure:
    """From the base to the score, a row a step."""
    figure = go.Figure(
        go.Waterfall(
            orientation="h", y=[label(step) for step in steps], x=[step.value for step in steps],
            measure=["total" if step.total else "relative" for step in steps],
            text=[signed(step) for step in steps], textposition="outside", textfont={"color": INK, "size": 12},
            connector={"line": {"color": CONNECTOR, "width": 1}},
            increasing={"marker": {"color": THEME_COLOURS["muted"]}}, decreasing={"marker": {"color": THEME_COLOURS["less"]}},
            totals={"marker": {"color": THEME_COLOURS["auto"]}}, hoverinfo="skip", cliponaxis=False,
        )
    )  # fmt: skip
    low, high = _reach(steps)
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, tickfont={"color": INK})
    figure.update_xaxes(
        range=[low, high + ROOM], tickvals=[0, 2, 4, 6, 8, 10], title_text="points", tickfont={"color": INK},
        title_font={"color": INK, "size": 12}, gridcolor=GRID, zeroline=True, zerolinecolor=CONNECTOR,
    )  # fmt: skip
    return framed(figure, FRAME_HEIGHT + ROW_HEIGHT * len(steps), legend=False)


def _reach(steps: Sequence[Step]) -> tuple[float, float]:
    """From where to where the bars go: before it is kept within 0–10 a sum may leave it."""
    sums, total = [LOWEST, HIGHEST], 0.0
    for step in steps:
        total = step.value if step.total else total + step.value
        sums.append(total)
    low = min(sums)
    return (low - ROOM if low < LOWEST else low), max(sums)
