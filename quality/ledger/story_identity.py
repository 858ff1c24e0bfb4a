"""Which story does an id mean? The one that it was merged into, where a person said that the two are one."""

from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Store, Transaction

SAID, SURVIVORS = "/* said */", "/* survivors */"


def corrected(name: str) -> str:
    """A statement of `sql/story_corrections.sql` with the relations that it asks for."""
    sql = load_sql("story_corrections")
    return sql[name].replace(SAID, sql["said"]).replace(SURVIVORS, sql["survivors"])


def ids_of(source: Transaction | Store, story_id: str) -> list[str]:
    """The id that stands for this story, then every id that was merged into that one."""
    return [row["story_id"] for row in source.rows(corrected("ids_of"), {"story_id": story_id})]


def is_edited(source: Transaction | Store, ids: list[str]) -> bool:
    """Whether a person ever said anything of these ids."""
    return source.rows(corrected("is_edited"), {"ids": ids})[0]["is_edited"]


def has_corrections(source: Transaction | Store) -> bool:
    """Whether a person ever corrected any story, or any is merged."""
    return source.rows(corrected("has_corrections"))[0]["has_corrections"]


def refresh_survivors(tx: Transaction) -> None:
    """Derive anew which id stands for which; the rows of the runs are the caller's to recompute."""
    tx.execute(corrected("forget_survivors"))
    tx.execute(corrected("derive_survivors"), {"as_of": FOREVER})
