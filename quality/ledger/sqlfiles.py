"""Where is the SQL? In `.sql` files: `-- name: x` starts a statement, `$param` is a named parameter."""

import re
from functools import cache
from importlib.resources import files

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
    return dict(zip(names, (body.strip().rstrip(";") for body in parts[1::2])))


def load_all_sql() -> None:
    """Read every file now: a process that runs on while the package is upgraded keeps the SQL of its own version."""
    root = files("quality.ledger") / "sql"
    for folder in ("", "queries/"):
        for entry in (root / folder).iterdir():
            if entry.name.endswith(".sql"):
                load_sql(folder + entry.name.removesuffix(".sql"))


def statements(path: str) -> list[str]:
    """The statements of a file in order, for schema and migrations."""
    return list(load_sql(path).values())
