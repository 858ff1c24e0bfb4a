"""How is an answer shown? To programs as one JSON document, to people as aligned tables."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json
from rich.console import Console
from rich.table import Table
from rich.text import Text

UNKNOWN = "–"
PIPE_WIDTH = 500
"""Columns of a table that nobody's screen bounds."""
SHOWN_TEXT = 60
"""Characters of a note or title in a table."""


def print_json(document: Any) -> None:
    """One document in UTF-8, whatever the terminal's encoding is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(to_json(document, indent=2, inf_nan_mode="null") + b"\n")
    sys.stdout.buffer.flush()


def complain(text: str) -> None:
    """A failure in one line."""
    _to_stderr(f"error: {text}")


def tell(text: str) -> None:
    """A warning or remark; it never mixes with the answer."""
    _to_stderr(text)


def say(text: str = "") -> None:
    """A line of the answer."""
    _console().print(Text(plain(text)), soft_wrap=True)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Aligned columns; numbers to the right. Texts are other people's: shown as text, never as markup."""
    rows = [list(row) for row in rows]
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        numeric = any(isinstance(row[place], int | float) and not isinstance(row[place], bool) for row in rows)
        shown.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(Text(cell(value)) for value in row))
    _console().print(shown)


def cell(value: Any) -> str:
    """One value for people: scores with one decimal, unknown as a dash.

    >>> cell(8.25), cell(None), cell(True), cell(3), cell(["few_tests", "synthetic"])
    ('8.2', '–', 'yes', '3', 'few_tests, synthetic')
    """
    if value is None or value == "" or value == []:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return plain(str(value))


def short(text: str | None) -> str | None:
    """The beginning of a long text, on one line."""
    if text is None:
        return None
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_TEXT else line[: SHOWN_TEXT - 1] + "…"


def instant(text: str | None) -> str | None:
    """An ISO time of the ledger as UTC to the second.

    >>> instant("2026-03-01T09:30:00.25Z")
    '2026-03-01 09:30:00'
    """
    if text is None:
        return None
    return f"{datetime.fromisoformat(text).astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def percent(share: float | None) -> str | None:
    """
    >>> percent(0.25), percent(None)
    ('25 %', None)
    """
    return None if share is None else f"{100 * share:.0f} %"


def pick(row: Mapping[str, Any], *names: str) -> list[Any]:
    """Some values of a row in order."""
    return [row[name] for name in names]


def plain(text: str) -> str:
    """Without control codes, which would act on the terminal; line breaks and tabs stay."""
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


def _console() -> Console:
    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def _to_stderr(text: str) -> None:
    print(plain(text), file=sys.stderr)
