"""Is each response a point, each rolling mean a line, and each regression a mark of its own?"""

from datetime import UTC, datetime, timedelta

from pages.components.responses_charts import over_time

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_points_lines_and_marks():
    """Hours are the viewer's; a mark carries the id of its response; a model that is not drawn has no mark."""
    points = [
        {"model": "m<1>", "ts": START + timedelta(hours=n), "composite": 80.0 - n, "rolling_mean": 80.0, "n": 1,
         "response_id": f"r-{n}"} for n in range(2)
    ]  # fmt: skip
    drop = {"ts": START, "composite": 30.0, "delta": -50.0, "severity": "severe", "response_id": "r-bad"}
    found = {"points": points, "regressions": [drop | {"model": "m<1>"}, drop | {"model": "other"}]}
    marks, line, severe = over_time(found, ["m<1>"], "Europe/Berlin").data
    assert [at.hour for at in marks.x] == [10, 11]
    assert (list(marks.y), list(line.y), line.mode) == ([80.0, 79.0], [80.0, 80.0], "lines")
    assert (marks.legendgroup, severe.name, severe.marker.symbol) == ("m&lt;1&gt;", "severe", "x")
    assert [list(row) for row in severe.customdata] == [["r-bad", "30.0", "-50.0", "m&lt;1&gt;"]]
