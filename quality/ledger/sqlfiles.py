"""Where is the SQL? In `.sql` files: `-- name: x` starts a statement, `$param` is a named parameter.

A line `-- include: x` stands for the statement x of `sql/fragments.sql`.
"""

import re
from functools import cache
from importlib.resources import files

_INCLUDE = re.compile(r"^ *-- include: *(\w+) *$", re.MULTILINE)
_NAME = re.compile(r"^-- name: *(\w+) *$", re.MULTILINE)


@cache
def load_sql(path: str) -> dict[str, str]:
    """Statements of `sql/<path>.sql` by name.

    Raises:
        ValueError: a name is given twice.
    """
    text = (files("quality.ledger") / "sql" / f"{path}.sql").read_text(encoding="utf-8")
    parts = _NAME.split(text)[1:]
    names = parts[::2]
    if len(set(names)) != len(names):
        raise ValueError(f"sql/{path}.sql names a statement twice: {sorted(names)}")
    bodies = (_INCLUDE.sub(lambda found: load_sql("fragments")[found[1]], body) for body in parts[1::2])
    return dict(zip(names, (body.strip().rstrip(";") for body in bodies)))


def statements(path: str) -> list[str]:
    """The statements of a file in order, for schema and migrations."""
    return list(load_sql(path).values())
