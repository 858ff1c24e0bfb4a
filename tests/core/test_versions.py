"""How two evaluations differ, by hand; and that the lines of a difference lead from one text to the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.versions import BLANKS_ONLY, MOST_LINES, SAME, compare, line_diff

LINES = st.lists(st.sampled_from(["a", "b", "", "-", "+ c"]), max_size=30)


def evaluation(overall, **scores):
    return {"overall": overall, "dimensions": [{"key": key, "score": score} for key, score in scores.items()]}


def test_a_difference_is_after_minus_before():
    """7.3 − 6.3 = 1.0 overall, 9 − 5 = 4 on structure; what the judge did not change is 0, which is a measurement."""
    rows = compare(evaluation(6.3, structure=5.0, clarity=8.0), evaluation(7.3, structure=9.0, clarity=8.0))
    found = {row["dimension"]: (row["before"], row["after"], row["difference"]) for row in rows}
    assert found["Overall"] == (6.3, 7.3, pytest.approx(1.0))
    assert found["Structure"] == (5.0, 9.0, 4.0)
    assert found["Clarity"] == (8.0, 8.0, 0.0)
    assert found["Completeness"] == (None, None, None)


def test_a_failed_evaluation_has_no_difference():
    """Unknown, not 0 and not the other's score."""
    rows = compare(evaluation(None), evaluation(7.0, structure=7.0))
    assert [row["difference"] for row in rows] == [None] * 5
    assert rows[0]["after"] == 7.0


def test_texts_without_a_changed_line_say_so():
    assert line_diff("a\nb", "a\nb") == SAME
    assert line_diff("a\r\nb", "a\nb\n") == BLANKS_ONLY


def test_very_long_texts_show_what_was_and_what_is_from_the_first_change_to_the_last():
    """2,001 lines that are the same but for the third: no search for the shortest way."""
    lines = [str(number) for number in range(MOST_LINES + 1)]
    changed = [*lines[:2], "new", *lines[3:]]
    assert line_diff("\n".join(lines), "\n".join(changed)).splitlines() == [
        "--- before", "+++ after", "@@ -3,1 +3,1 @@", "-2", "+new",
    ]  # fmt: skip


@given(before=LINES, after=LINES, long=st.booleans())
def test_the_lines_of_a_difference_lead_from_one_text_to_the_other(before, after, long):
    """What is taken out was there, what is put in is there now, each in order; long texts alike."""
    pad = [f"same {number}" for number in range(MOST_LINES + 1)] if long else []
    old, new = [*pad, *before, "end"], [*pad, *after, "end"]
    said = line_diff("\n".join(old), "\n".join(new))
    if old == new:
        assert said == SAME
        return
    body = [line for line in said.split("\n")[2:] if not line.startswith("@@")]
    kept_and_gone = [line[1:] for line in body if line[:1] in ("-", " ")]
    kept_and_come = [line[1:] for line in body if line[:1] in ("+", " ")]
    assert all(line in old for line in kept_and_gone)
    assert all(line in new for line in kept_and_come)
    assert len(old) - sum(line[:1] == "-" for line in body) == len(new) - sum(line[:1] == "+" for line in body)
