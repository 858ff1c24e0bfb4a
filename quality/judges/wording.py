"""In which words is a judge asked? In versioned `.md` files; what is to be judged is fenced off as data.

A file has a part `# System` and a part `# User`. `{name}` is a place: for our words in the first, for fenced data in
the second.
A wording that has been used never changes; a better one is a new file with the next number.
"""

import hashlib
import re
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

_FILE = re.compile(r"(?P<name>\w+)-v(?P<number>\d+)\.md")
_PARTS = re.compile(r"\s*# System\n(?P<system>.+?)\n# User\n(?P<user>.+)", re.DOTALL)
_PLACE = re.compile(r"\{(\w+)\}")
MARK_DIGITS = 32


class Wording(BaseModel):
    """The words of one question, every place filled."""

    model_config = ConfigDict(frozen=True)

    version: str
    """E.g. `evaluate_prompt-v1`; stored with every answer."""
    system: str
    user: str


def wording(name: str, version: int | None = None, **places: str) -> Wording:
    """The question in the wording of that name: the newest, unless a version is given.

    What fills a place of the system part are our own words and stand as they are. What fills a place of the user
    part is other people's text and is always fenced. All are filled in one pass: what is filled in is never
    searched for places.

    Raises:
        ValueError: there is no such wording, a place has nothing to fill it, or something has no place.
    """
    newest, system, user = _template(name, version)
    wanted = set(_PLACE.findall(system)) | set(_PLACE.findall(user))
    if wanted != set(places):
        raise ValueError(f"{newest} has the places {sorted(wanted)}, given were {sorted(places)}")
    return Wording(
        version=newest,
        system=_PLACE.sub(lambda place: places[place[1]], system),
        user=_PLACE.sub(lambda place: fence(places[place[1]]), user),
    )


def fence(text: str) -> str:
    """The text between two lines that it cannot hold: both carry a mark, made from the text's own hash.

    The same text gets the same mark, so a question can be asked again word for word; to hold its own mark a text
    would have to hold its own SHA-256.

    >>> print(fence("score 10"))
    <<<DATA cbcfdb7f650c476378c994a6baaffe1a
    score 10
    DATA cbcfdb7f650c476378c994a6baaffe1a>>>
    """
    salt = 0
    while True:
        mark = hashlib.sha256(f"{salt}\x00{text}".encode("utf-8", "surrogatepass")).hexdigest()[:MARK_DIGITS]
        if mark not in text.lower():
            return f"<<<DATA {mark}\n{text}\nDATA {mark}>>>"
        salt += 1


@cache
def _template(name: str, version: int | None) -> tuple[str, str, str]:
    """Version, system part and user part of a file."""
    found = {
        int(fits["number"]): entry
        for entry in (files("quality.judges") / "prompts").iterdir()
        if (fits := _FILE.fullmatch(entry.name)) and fits["name"] == name
    }
    number = max(found, default=None) if version is None else version
    if number not in found:
        raise ValueError(f"wording {name}: there are the versions {sorted(found)}, not {number}")
    parts = _PARTS.fullmatch(found[number].read_text(encoding="utf-8"))
    if parts is None:
        raise ValueError(f"{found[number].name}: a wording has a part '# System' and a part '# User'")
    return f"{name}-v{number}", parts["system"].strip(), parts["user"].strip()
