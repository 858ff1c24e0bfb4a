"""How do a reader's filters get into a query? The stated conditions take the place of its `/* filters */`.

The conditions are fixed texts of `sql/filters.sql`; the values travel as parameters.
"""

from typing import Any

from quality.commands import Filters
from quality.ledger.sqlfiles import load_sql

PLACE = "/* filters */"


def fitting(sql: str, filters: Filters) -> tuple[str, dict[str, Any]]:
    """The query with the conditions that are stated, and their parameters.

    >>> fitting("SELECT 1 FROM ledger WHERE /* filters */", Filters(tier="human"))
    ('SELECT 1 FROM ledger WHERE (signal_source = $tier)', {'tier': 'human'})
    """
    known = load_sql("filters")
    stated = filters.model_dump(exclude={"text"}, exclude_none=True)
    conditions = [known[name] for name in stated]
    for place, word in enumerate((filters.text or "").lower().split()):
        conditions.append(known["word"].replace("$word", f"$word_{place}"))
        stated[f"word_{place}"] = word
    return sql.replace(PLACE, " AND ".join(f"({condition})" for condition in conditions) or "true"), stated
