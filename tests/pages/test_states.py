"""Is there one wording for nothing, slow, wrong and not scored? Whoever needs one takes it from `states.py`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import texts
from tests.test_layers import ROOT

HOME = ROOT / "pages" / "components" / "states.py"
DRAWN = {
    "error", "warning", "info", "success", "exception", "toast", "spinner", "status", "skeleton", "progress", "balloons",
    "snow",
}  # fmt: skip
"""What of Streamlit says how it went."""
SAID = re.compile(
    r"(:material/\w+: *)?((none|nothing) yet\b|no \w+( \w+)? yet\b|nothing fits|no \w+ fits? these filters"
    r"|none of .* is scored|not scored$)",
    re.IGNORECASE,
)
"""A text that begins so says that there is nothing."""


def check(path: Path, root: Path) -> Iterator[str]:
    """Messages, bars and texts of states that a page has of its own."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        place = f"{path.relative_to(root)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and node.attr in DRAWN and ast.unparse(node.value) == "st":
            yield f"{place}: st.{node.attr}: take it from states.py"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SAID.match(node.value):
            yield f"{place}: {node.value[:40]!r}: states.py has a wording for it"


def test_no_page_has_a_message_of_its_own():
    """Errors, warnings, bars, placeholders, "nothing yet" and "not scored" come from one file."""
    files = [path for path in ROOT.glob("pages/**/*.py") if path != HOME]
    violations = [found for path in files for found in check(path, ROOT)]
    assert not violations, "\n" + "\n".join(violations)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import streamlit as st\nst.error('x')", "p.py:2: st.error: take it"),
        ("with st.spinner('x'):\n    pass", "p.py:1: st.spinner"),
        ("note = st.info", "p.py:1: st.info"),
        ("st.caption('No ratings yet.')", "p.py:1: 'No ratings yet.': states.py has"),
        ("A = ':material/help: None of its runs is scored.'", "p.py:1"),
    ],
)
def test_a_planted_message_is_caught_with_file_and_line(tmp_path, text, expected):
    (tmp_path / "p.py").write_text(text)
    (found,) = check(tmp_path / "p.py", tmp_path)
    assert found.startswith(expected)


def test_what_is_none_of_these_passes(tmp_path):
    (tmp_path / "p.py").write_text(
        "st.caption('Scored, not yet reviewed')\n_log.exception('x')\nstates.progress(1, 'x')"
    )
    assert not list(check(tmp_path / "p.py", tmp_path))


def test_a_problem_shows_its_reason_as_text():
    """What somebody else wrote is never markdown."""

    def page():
        from pages.components import states

        states.problem("Not stored.", "**bold** <b>x</b>")

    shown = AppTest.from_function(page).run()
    assert shown.error[0].value == "Not stored."
    assert texts(shown) == ["**bold** <b>x</b>"]


def test_a_share_is_never_beyond_its_bar():
    """More than all is all."""

    def page():
        from pages.components import states

        states.progress(1.7, "Reading…")
        states.progress(-1, "Reading…")

    shown = AppTest.from_function(page).run()
    assert [bar.proto.value for bar in shown.get("progress")] == [100, 0]
