"""Do the figures say what the rows say?"""

from pages.components import charts


def row(model, auto=None, verifier=None, human=None, n=(0, 0, 0)):
    means = {"mean_auto": auto, "mean_verifier": verifier, "mean_human": human}
    counts = dict(zip(("n_with_auto", "n_with_verifier", "n_with_human"), n))
    return {"model": model, "n": sum(n), **means, **counts}


def test_each_tier_has_its_shape_and_its_colour_and_shows_its_value():
    """A diamond, a square and a circle; three different places in the theme's colours; one decimal beside each."""
    figure = charts.tiers_by_model([row("m1", 9.04, 8.0, 6.25, n=(3, 2, 1))])
    assert [trace.name for trace in figure.data] == ["Auto", "Verifier", "Human"]
    assert [trace.marker.symbol for trace in figure.data] == ["diamond", "square", "circle"]
    assert len({trace.marker.color for trace in figure.data}) == 3
    assert [trace.text[0] for trace in figure.data] == ["9.0", "8.0", "6.3"]
    assert "◆ 3" in figure.layout.yaxis.ticktext[0]
    assert "● 1" in figure.layout.yaxis.ticktext[0]


def test_a_dumbbell_spans_the_tiers_that_are_known():
    """From the lowest mean to the highest; a single tier has no line."""
    figure = charts.tiers_by_model([row("m1", None, 8.0, 6.0, n=(0, 2, 1)), row("m2", 4.0, n=(5, 0, 0))])
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (6.0, 8.0)


def test_values_of_one_row_do_not_meet():
    """The lowest is labelled on its left, the highest on its right, the middle one above."""
    figure = charts.tiers_by_model([row("m1", 8.3, 8.0, 8.2, n=(1, 1, 1))])
    assert [trace.textposition[0] for trace in figure.data] == ["middle right", "middle left", "top center"]


def test_only_the_most_rated_models_are_drawn_best_on_top():
    """Of 20 models, the 15 with most scored runs, in the order of the leaderboard; unscored ones never."""
    rows = [row(f"m{i}", float(i % 10), n=(i, 0, 0)) for i in range(21)]
    figure = charts.tiers_by_model(rows)
    assert len(figure.data[0].x) == charts.MOST_MODELS
    names = [text.split("<br>")[0] for text in figure.layout.yaxis.ticktext]
    assert names == [f"m{i}" for i in range(6, 21)]
    assert figure.layout.yaxis.tickvals[0] > figure.layout.yaxis.tickvals[-1]


def test_a_model_name_is_text_and_never_markup():
    """Plotly reads <b> as bold: names are escaped."""
    figure = charts.tiers_by_model([row("<b>m</b>", 5.0, n=(1, 0, 0))])
    assert figure.layout.yaxis.ticktext[0].startswith("&lt;b&gt;m&lt;/b&gt;")
    assert figure.data[0].customdata[0][0] == "&lt;b&gt;m&lt;/b&gt;"


def test_the_waterfall_sums_to_the_score_and_shows_the_cap():
    """7.5 + 2.5 − 5 = 5: a step a measured signal, the cap as a step down, the total."""
    parts = [
        {"signal": "test_pass_rate", "contribution": 7.5},
        {"signal": "build_success", "contribution": 2.5},
        {"signal": "rework_count", "contribution": None},
    ]
    (bars,) = charts.contributions(parts, -5.0, 5.0).data
    assert list(bars.y) == ["Test pass rate", "Build", "Cap: few tests", "Auto score"]
    assert list(bars.text) == ["+7.5", "+2.5", "−5.0", "5.0"]
    assert sum(bars.x[:-1]) == bars.x[-1] == 5.0
    assert list(bars.measure) == ["relative"] * 3 + ["total"]
