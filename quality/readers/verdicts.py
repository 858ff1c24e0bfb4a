"""Which verdicts does a verifier's text hold? `# synlynk-meta` blocks and JSON objects with a `quality`.

MODEL.md, Tier 2. Text that is quoted from elsewhere (`>` lines) is looked at to see that it disagrees, but it
is never a verdict.
"""

import json
import re
from dataclasses import dataclass, replace

MARKER = re.compile(r"^\s*(?:[-*]\s+)?[`*]*#+\s*synlynk[-_ ]meta\b[^\w]*$", re.IGNORECASE)
FIELD = re.compile(r"^\s*(?:[-*]\s+)?[\"'`*]*(?P<key>[A-Za-z_][\w-]*)[\"'`*]*\s*[=:]\s*(?P<value>.*?)\s*$")
QUOTED = re.compile(r"^\s*>")
FENCE = re.compile(r"^\s*(?:```|~~~)")
_CONTENT = ("quality", "correct", "rework_needed", "verifier_model", "verifier_agent", "model_version")
KEYS = {
    "verifier": "verifier_agent", "rework": "rework_needed", "model": "model_version",
    **{name: name for name in _CONTENT},
}  # fmt: skip
"""Key of a block → its name here."""
MOST_OBJECT, MOST_SCANNED = 20_000, 3_000_000
"""Characters of a JSON verdict, and those looked at to find the ends of all."""
YES, NO = ("true", "yes", "1"), ("false", "no", "0")


@dataclass(frozen=True)
class Block:
    """One verdict as written."""

    first: int
    last: int
    """Its lines, 1-based."""
    fields: dict[str, str]
    quoted: bool = False
    contradicts_itself: bool = False
    """It states one thing twice, differently; the last counts."""

    @property
    def content(self) -> tuple[str | None, ...]:
        """What two blocks are compared by."""
        return tuple(self.fields.get(name, "").lower() or None for name in _CONTENT)


def find_blocks(lines: list[str]) -> list[Block]:
    """Every block in the order of the text."""
    unquoted = ["" if QUOTED.match(line) else line for line in lines]
    inside = [re.sub(r"^\s*(?:>\s?)+", "", line) if QUOTED.match(line) else "" for line in lines]
    found = [*_meta(unquoted), *_json(unquoted)]
    found += [replace(block, quoted=True) for block in (*_meta(inside), *_json(inside))]
    return sorted(found, key=lambda block: block.first)


def yes_or_no(word: str | None) -> bool | None:
    """`None` for anything else: `correct=unknown` is not false.

    >>> yes_or_no("Yes"), yes_or_no("false"), yes_or_no("unknown"), yes_or_no(None)
    (True, False, None, None)
    """
    plain = (word or "").strip().lower()
    return True if plain in YES else False if plain in NO else None


def _meta(lines: list[str]) -> list[Block]:
    blocks = []
    for place, line in enumerate(lines):
        if not MARKER.match(line):
            continue
        fields: dict[str, str] = {}
        last, contradicts = place, False
        for number in range(place + 1, len(lines)):
            field = FIELD.match(lines[number])
            if field is None or FENCE.match(lines[number]):
                if not lines[number].strip() and not fields:
                    continue
                break
            last = number
            key = KEYS.get(field["key"].lower().replace("-", "_"))
            if key:
                value = field["value"].strip().strip("`\"'*,").strip()
                contradicts |= fields.get(key, value).lower() != value.lower()
                fields[key] = value
        blocks.append(Block(place + 1, last + 1, fields, contradicts_itself=contradicts))
    return blocks


def _json(lines: list[str]) -> list[Block]:
    """Objects that have a `quality`, with prose around them, trailing commas and braces in their strings."""
    text = "\n".join(lines)
    blocks = []
    place, budget = 0, MOST_SCANNED
    first, counted = 1, 0  # the line at which `counted` stands
    last = text.rfind('"quality"')
    while budget > 0 and 0 <= (place := text.find("{", place)) < last:
        end, scanned = _closing(text, place, min(budget, MOST_OBJECT))
        budget -= scanned
        found = end and '"quality"' in text[place:end] and _object(text[place:end])
        if not found:
            place += 1
            continue
        fields = {
            KEYS[key]: value if isinstance(value, str) else json.dumps(value)
            for key, value in found.items() if key in KEYS and value is not None
        }  # fmt: skip
        if "quality" in found:
            first, counted = first + text.count("\n", counted, place), place
            blocks.append(Block(first, first + text.count("\n", place, end), fields))
            place = end
        else:
            place += 1
    return blocks


def _closing(text: str, place: int, most: int) -> tuple[int, int]:
    """Behind the brace that closes the one here, 0 if none does within `most` characters; and how many were looked at."""
    depth, in_string, escaped = 0, False, False
    for at in range(place, min(len(text), place + most)):
        sign = text[at]
        if in_string:
            in_string = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            in_string, escaped = True, False
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return at + 1, at + 1 - place
    return 0, most


def _object(text: str) -> dict | None:
    for candidate in (text, _without_trailing_commas(text)):
        try:
            found = json.loads(candidate, parse_constant=str, strict=False)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _without_trailing_commas(text: str) -> str:
    """Commas before a closing bracket, outside strings, are taken out."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda found: found[1] or "", text, flags=re.DOTALL)
