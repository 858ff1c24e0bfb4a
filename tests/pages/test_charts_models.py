"""Do the figures of kinds of work, weeks and tiers say what the rows say, without hovering?"""

from datetime import date

from pages.components import charts_models as charts


def cell(model, value, mean, n):
    return {"model": model, "value": value, "effective_mean": mean, "n": n}


def week(day, auto=None, verifier=None, human=None, n=0):
    means = {"mean_auto": auto, "mean_verifier": verifier, "mean_human": human}
    counts = {name: n for name in ("n", "n_with_auto", "n_with_verifier", "n_with_human")}
    return {"week": date(2026, 3, day), **means, **counts}


def test_a_cell_shows_its_mean_and_its_n():
    """Models in the order of the leaderboard, best on top; what is not recorded is the last column."""
    cells = [cell("m1", None, 4.0, 1), cell("m1", "docs", 6.25, 1200), cell("m2", "docs", 9.0, 2)]
    figure = charts.heat_map(cells, "effective", ["m2", "m1"])
    (tiles,) = figure.data
    assert tiles.text[0] == ["9.0<br><span style='font-size:11px'>n 2</span>", ""]
    assert tiles.text[1][0].startswith("6.3<br>")
    assert "n 1,200" in tiles.text[1][0]
    assert list(figure.layout.xaxis.ticktext) == ["docs", "not recorded"]
    assert list(figure.layout.yaxis.ticktext) == ["m2", "m1"]
    assert (tiles.zmin, tiles.zmax) == (4.0, 9.0)


def test_an_empty_cell_is_empty_and_a_zero_is_not():
    """No such run is no number; a mean of 0 is 0.0."""
    figure = charts.heat_map([cell("m1", "a", 0.0, 1), cell("m2", "b", 5.0, 1)], "effective", ["m1", "m2"])
    assert figure.data[0].z[0] == [0.0, None]
    assert figure.data[0].text[0][0].startswith("0.0<br>")


def test_one_cell_alone_is_drawn():
    """Lowest and highest are the same: the scale still has a width."""
    tiles = charts.heat_map([cell("m1", "a", 5.0, 1)], "effective", ["m1"]).data[0]
    assert tiles.zmin < tiles.zmax


def test_names_are_text_and_never_markup():
    figure = charts.heat_map([cell("<b>m</b>", "<i>x</i>", 5.0, 1)], "effective", [])
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;m&lt;/b&gt;"
    assert figure.layout.xaxis.ticktext[0] == "&lt;i&gt;x&lt;/i&gt;"
    assert figure.data[0].customdata[0][0] == "&lt;b&gt;m&lt;/b&gt;, &lt;i&gt;x&lt;/i&gt;"


def test_a_week_without_a_score_breaks_the_line():
    """A gap is None and is not connected; the bar of that week is 0."""
    figure = charts.by_week([week(2, 7.0, n=3), week(9), week(16, 8.0, n=1)])
    auto = figure.data[0]
    assert (auto.y, auto.connectgaps, list(auto.text)) == ((7.0, None, 8.0), False, ["7.0", "", "8.0"])
    assert list(figure.data[3].y) == [3, 0, 1]
    assert list(figure.data[3].text) == ["3", "", "1"]


def test_each_tier_keeps_its_shape_over_the_weeks():
    figure = charts.by_week([week(2, 7.0, 8.0, 6.0, n=1)])
    assert [trace.marker.symbol for trace in figure.data[:3]] == ["diamond", "square", "circle"]
    assert [trace.textposition[0] for trace in figure.data[:3]] == ["middle right", "top center", "bottom center"]


def test_of_many_weeks_only_the_latest_value_is_written():
    """20 weeks: one text a tier, at its last score."""
    weeks = [week(2, float(place % 10), n=1) for place in range(20)]
    texts, _ = charts.week_labels(weeks, "auto")
    assert texts == [""] * 19 + ["9.0"]
    assert charts.week_labels(weeks, "human")[0] == [""] * 20


def test_sets_of_tiers_are_named_by_shape_and_say_how_many():
    """3 of 4 runs are 75 %, and a run without a tier is named too."""
    sets = [
        {"auto": True, "verifier": False, "human": True, "n_tiers": 3},
        {"auto": False, "verifier": False, "human": False, "n_tiers": 1},
    ]
    (bars,) = charts.coverage(sets).data
    assert list(bars.y) == ["◆ auto  ● human", "no tier"]
    assert list(bars.text) == ["3 · 75 %", "1 · 25 %"]
    assert len(set(bars.marker.color)) == 2
