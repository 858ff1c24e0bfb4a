"""Which JSON object did a judge answer with? Strictly: the whole reply, or what its first markdown fence holds.

Nothing is repaired and nothing is searched for, so that a broken reply is seen as broken (MODEL.md, Prompts).
"""

import json
import re
from typing import Any

from quality.errors import QualityError

_FENCE = re.compile(r"(?P<mark>`{3,}|~{3,})(?:[^\n\r{\[`~]*[\n\r]|[^\n\r{\[\"`~]*)\s*")
"""The mark, then a language tag of any case, or all that a line without a bracket says; then the content begins."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotAnObject(QualityError):
    """The reply holds no JSON object; the text says what it holds instead."""


def reply_object(reply: str) -> dict[str, Any]:
    """The JSON object of a reply; all numbers are floats, one beyond their range is infinite.

    A markdown fence around it is stripped (the first one, any language tag in any case, prose before and after
    allowed, closing mark optional). Of a key that is there twice the last counts, as in every JSON reader.

    Raises:
        NotAnObject: the reply is empty, cut short, not strict JSON (NaN and Infinity are not), nested too
            deeply, or a list, text, number or null.

    >>> reply_object('Here: ```JSON\\n{"clarity": 8}\\n``` Thanks')
    {'clarity': 8.0}
    """
    text = reply.strip("\ufeff \t\r\n")
    if not text:
        raise NotAnObject("the reply is empty")
    try:
        found = _content(text)
    except RecursionError:
        raise NotAnObject("the reply is nested too deeply") from None
    except ValueError as error:
        raise NotAnObject(f"the reply is not JSON ({error})") from None
    if not isinstance(found, dict):
        raise NotAnObject(f"the reply is JSON, but {_KINDS[type(found)]} instead of an object")
    return found


def clean(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can spell and UTF-8 cannot hold.

    >>> clean("a\\ud800b")
    'a\ufffdb'
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _content(text: str) -> Any:
    if text[0] in '["':
        try:
            return _DECODER.decode(text)
        except ValueError:  # prose can begin like this
            pass
    fence = None if text[0] == "{" else _FENCE.search(text)
    if fence is None:
        return _DECODER.decode(text)
    start = fence.end()
    found, end = _DECODER.raw_decode(text, start)
    rest = text[end:].lstrip()
    if rest and not rest.startswith(fence["mark"]):
        raise ValueError("inside the fence something follows the object")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON number")


_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_refuse)
_KINDS = {list: "a list", str: "a text", float: "a number", bool: "true or false", type(None): "null"}
