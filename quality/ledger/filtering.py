"""How do a reader's filters get into a query? The stated conditions take the place of its `/* filters */`.

The conditions are fixed texts of `sql/filters.sql`; the values travel as parameters.
"""

from typing import Any

from quality.commands import Filters
from quality.ledger.sqlfiles import load_sql

PLACE = "/* filters */"
WAITING = "/* waiting */"
"""In a condition or a query, the entries of the review list that still wait (`sql/review_list.sql`)."""
_MEANING = "%_"
"""Letters with a meaning in a pattern of SQL: any letters, any letter."""


def fitting(sql: str, filters: Filters) -> tuple[str, dict[str, Any]]:
    """The query with the conditions that are stated, and their parameters; of several values any will do.

    >>> fitting("SELECT 1 FROM ledger WHERE /* filters */", Filters(tier="human"))
    ('SELECT 1 FROM ledger WHERE (signal_source = $tier)', {'tier': 'human'})
    >>> fitting("/* filters */", Filters(phase=["run", "build"]))
    ('(phase = $phase_0 OR phase = $phase_1)', {'phase_0': 'run', 'phase_1': 'build'})
    """
    known = load_sql("filters")
    conditions, params = [], {}
    for name, value in filters.model_dump(exclude={"text"}, exclude_none=True).items():
        values = value if isinstance(value, tuple) else (value,)
        places = [name] if len(values) == 1 else [f"{name}_{place}" for place in range(len(values))]
        conditions.append(" OR ".join(known[name].replace(f"${name}", f"${place}") for place in places))
        params |= zip(places, values, strict=True)
    for place, word in enumerate((filters.text or "").split()):
        kind = "word_as_written" if any(letter in word for letter in _MEANING) else "word"
        conditions.append(known[kind].replace("$word", f"$word_{place}").replace("$written", f"$written_{place}"))
        params[f"word_{place}"] = f"%{word.replace('%', '_')}%"
        if kind == "word_as_written":
            params[f"written_{place}"] = word
    stated = " AND ".join(f"({condition})" for condition in conditions) or "true"
    return with_waiting(sql.replace(PLACE, stated)), params


def with_waiting(sql: str) -> str:
    """The query with the entries of the review list that it asks for."""
    return sql.replace(WAITING, load_sql("review_list")["waiting"]) if WAITING in sql else sql
