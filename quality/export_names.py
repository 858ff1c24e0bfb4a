"""What is the file of an export called? What it holds, the filters as far as they fit, and the day."""

import re
from datetime import date

from quality.commands import ExportRows
from quality.export_forms import FORMATS

MOST_HINT = 40
"""Characters of the filters in a name."""


def file_name(question: ExportRows, today: date) -> str:
    """ASCII letters, digits, hyphens and dots between digits, so that it is a name everywhere.

    >>> file_name(ExportRows(format="excel", filters={"tier": "human", "model_version": "a/b c"}), date(2026, 3, 1))
    'quality-tiers-runs-a-b-c-human-2026-03-01.csv'
    """
    what = "everything" if question.full else "profiles" if question.profiles else "runs"
    day = f"as-of-{question.as_of:%Y-%m-%d}" if question.as_of else f"{today:%Y-%m-%d}"
    hints = []
    for name, value in question.filters.model_dump(exclude_none=True).items():
        if name in ("since", "until"):
            hints.append(f"{name}-{value:%Y-%m-%d}")
        elif isinstance(value, bool):
            hints.append(name if value else f"not-{name}")
        else:
            hints.append(str(value))
    hint = re.sub(r"(?:[^A-Za-z0-9.]|\.(?!\d))+", "-", "-".join(hints))[:MOST_HINT].strip("-.")
    parts = ["quality-tiers", what, *([hint] if hint else []), day]
    return f"{'-'.join(parts)}.{FORMATS[question.format][0]}"
