"""Where do columns go that the ledger has no place for? Into a JSON object a row, never dropped silently."""

import json
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

TYPED = (pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
"""Cells of these types are written as JSON booleans and numbers, all others as strings."""


def attributes_json(columns: Mapping[str, pa.Array], rows: int) -> pa.Array | None:
    """One JSON object a row with its stated cells, null where none is stated; `None` for no columns.

    >>> attributes_json({"mood": pa.array(["good", None]), "n": pa.array([1, None])}, 2).to_pylist()
    ['{"mood": "good", "n": 1}', None]
    """
    if not columns or not rows:
        return None
    members: pa.Array = pa.nulls(rows, pa.string())
    for name, column in columns.items():
        member = _members(name, column)
        members = pc.coalesce(pc.binary_join_element_wise(members, member, ", "), members, member)
    return pc.binary_join_element_wise("{", members, "}", "")


def _members(name: str, column: pa.Array) -> pa.Array:
    """`"name": value` a cell; each distinct value is written once."""
    if isinstance(column, JsonMembers):
        return column.texts
    typed = any(is_kind(column.type) for is_kind in TYPED)
    encoded = (column if typed else column.cast(pa.string())).dictionary_encode()
    written = [
        json.dumps(value if _finite(value) else str(value), ensure_ascii=False)
        for value in encoded.dictionary.to_pylist()
    ]
    key = json.dumps(name, ensure_ascii=False)
    return pa.array([f"{key}: {value}" for value in written], pa.string()).take(encoded.indices)


def _finite(value: object) -> bool:
    return not isinstance(value, float) or value - value == 0.0


class JsonMembers:
    """A column whose cells are members of a JSON object already: `"mood": "good", "n": 1`."""

    def __init__(self, texts: pa.Array) -> None:
        self.texts = texts

    def filter(self, mask: pa.Array) -> "JsonMembers":
        return JsonMembers(self.texts.filter(mask))

    def is_valid(self) -> pa.Array:
        return self.texts.is_valid()
