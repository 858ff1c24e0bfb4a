"""Which lines is a signal or verdict read from? An excerpt that is safe to keep and to show.

DESIGN.md, Storage: ±5 lines, at most 4 KB, control codes stripped, common secret patterns masked.
"""

import re
from collections.abc import Sequence

AROUND = 5
"""Lines kept before and after."""
MOST_BYTES = 4096
MASK = "[secret]"
SECRETS = re.compile(
    r"""
    (?P<key>-----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z))
    | \b(?:gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,})
    | \bsk-[A-Za-z0-9_-]{16,}
    | \bxox[abposr]-[A-Za-z0-9-]{10,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b
    | \bAIza[A-Za-z0-9_-]{30,}
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*
    | (?<=://)[^/\s:@]+:[^/\s@]+(?=@)
    | (?i:(?<=bearer\ )[A-Za-z0-9._~+/=-]{12,})
    | (?i:(?:(?<=password)|(?<=passwd)|(?<=secret)|(?<=token)|(?<=api_key)|(?<=apikey)|(?<=api-key))\s*[=:]\s*["']?[^\s"']{4,})
    """,
    re.VERBOSE | re.DOTALL,
)
"""Keys and tokens by their usual shapes, credentials in addresses, and values named password, secret, token …"""
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Excerpt(str):
    """Consecutive lines of an artifact; joined to anything else it is only text.

    >>> kept = excerpt(["a", "b", "c"], 2, 2)
    >>> kept.at, kept.first_line(7)
    (1, 6)
    """

    __slots__ = ("at", "member", "time")

    def __new__(cls, text: str, at: int, member: str | None = None, time: str = "") -> "Excerpt":
        made = super().__new__(cls, text)
        made.at, made.member, made.time = at, member, time
        return made

    at: int
    """How many lines stand before the one that was read."""
    member: str | None
    """The file within an archive that the lines are of."""
    time: str
    """When the line that was read was written, as a CI service says it; empty where none does."""

    def first_line(self, line: int) -> int | None:
        """Number of the first line, where the one that was read is `line`."""
        return line - self.at if line > self.at else None


def excerpt(lines: Sequence[str], first: int, last: int) -> Excerpt:
    """The lines `first` … `last` (1-based) of an artifact with those around them.

    >>> excerpt(["ok", "token=abcd1234", "\\x1b[31mquality=7\\x1b[0m"], 3, 3)
    'ok\\ntoken[secret]\\nquality=7'
    """
    text = "\n".join(line.rstrip("\r\n") for line in lines[max(0, first - 1 - AROUND) : last + AROUND])
    text = SECRETS.sub(_masked, _CONTROL.sub("", _ANSI.sub("", text)))
    kept = text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")
    return Excerpt(kept, min(first - 1, AROUND))


def around(texts: dict[int, str], number: int) -> Excerpt:
    """The lines beside one as far as none between them is missing, as the echo of a command is.

    >>> around({1: "a", 3: "c", 4: "d", 5: "e"}, 4).split()
    ['c', 'd', 'e']
    """
    first = last = number
    while first - 1 in texts and number - first < AROUND:
        first -= 1
    while last + 1 in texts and last - number < AROUND:
        last += 1
    place = number - first + 1
    return excerpt([texts.get(line, "") for line in range(first, last + 1)], place, place)


def _masked(secret: re.Match[str]) -> str:
    """As many lines as the secret had, so that those behind it keep their numbers."""
    return MASK + "\n" * secret[0].count("\n")
