"""What was brought in, and does it count? A row a file, the latest first; Open shows one with the way to withdraw it."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import imports_data, show, states, url, viewer
from quality.activity_words import some
from quality.correction_commands import ListImports
from quality.correction_words import brought

OPEN, PAGE, FILE = "import", "imports_page", "imports_file"
COLUMNS = ("import_file", "imported_at", "imported_by", "import_brought", "import_state", "format")
ROWS, MOST_DIGITS = 10, 9
COUNTS, WITHDRAWN = "counts", "withdrawn"
WIDTHS = {"import_file": 230, "imported_by": 100, "import_brought": 300, "import_state": 90, "format": 110}
"""Pixels."""
BUTTON, BUTTON_WIDTH = "open", 66


def opened() -> str | None:
    """Id of the open import."""
    return url.read(OPEN) or None


def open_one(import_id: str | None) -> None:
    """`None` closes it; the list is as it was left."""
    url.write(OPEN, import_id)


def listed() -> None:
    """The list with its filter and pages, under what is being brought in now."""
    st.subheader("What was imported", anchor=False)
    named = url.read(FILE) or None
    page = _page()
    found = imports_data.listed(ListImports(file=named, limit=ROWS, offset=(page - 1) * ROWS))
    if not found["total"] and not named:
        states.none_yet("imports", "Each file that is stored shows here with what it brought.")
        return
    _find(named)
    if not found["imports"]:
        st.caption("No import fits." if not found["total"] else "This page is empty: go back to the first.")
    else:
        _table(found["imports"])
    pages = max(1, -(-found["total"] // ROWS))
    withdrawn = f", {show.count(found['withdrawn'])} of them withdrawn" if found["withdrawn"] else ""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(
            f"{some(found['total'], 'imports')}{withdrawn}. Open one to see what it brought, or to take it back."
        )
        if pages > 1:
            key = f"imports-page-{min(page, pages)}-of-{pages}"
            st.pagination(pages, default=min(page, pages), key=key, on_change=lambda: _turn(st.session_state[key]))


def state(one: dict[str, Any]) -> str:
    """
    >>> state({"withdrawn": True}), state({"withdrawn": False})
    ('withdrawn', 'counts')
    """
    return WITHDRAWN if one["withdrawn"] else COUNTS


def _table(imports: list[dict[str, Any]]) -> None:
    ids = [one["import_id"] for one in imports]
    key = f"imports-{ids[0]}-{len(ids)}"
    click = f"open-{key}"
    config = show.columns(COLUMNS, viewer.zone())
    for name, width in WIDTHS.items():
        config[name]["width"] = width
    config[BUTTON] = st.column_config.ButtonColumn(
        "", type="tertiary", pinned=True, width=BUTTON_WIDTH, key=click,
        on_click=lambda: open_one(ids[st.session_state[click].row]),
    )  # fmt: skip
    table = pa.table(
        {
            BUTTON: ["Open"] * len(ids),
            "import_file": [one["label"] for one in imports],
            "imported_at": pa.array([one["recorded_at"] for one in imports], pa.timestamp("us", "UTC")),
            "imported_by": pa.array([one["actor"] for one in imports], pa.string()),
            "import_brought": [brought(one["counts"]) for one in imports],
            "import_state": [state(one) for one in imports],
            "format": [one["format"] for one in imports],
        }
    )
    st.dataframe(
        table, column_config=config, hide_index=True, placeholder=show.UNKNOWN, height="content", key=key,
        alt="Files that were imported, the latest first: when, by whom, what they brought, and whether it counts",
    )  # fmt: skip


def _find(named: str | None) -> None:
    key = "imports_find"
    st.session_state[key] = named or ""
    st.text_input(
        "Find a file", key=key, placeholder="Part of its name", width=320, on_change=lambda: _set(st.session_state[key])
    )


def _set(text: str) -> None:
    url.write(FILE, text.strip() or None)
    url.write(PAGE, None)


def _page() -> int:
    named = url.read(PAGE) or "1"
    return max(1, int(named)) if named.isdecimal() and len(named) <= MOST_DIGITS else 1


def _turn(page: int) -> None:
    url.write(PAGE, str(page) if page > 1 else None)
