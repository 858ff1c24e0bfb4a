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


def excerpt(lines: Sequence[str], first: int, last: int) -> str:
    """The lines `first` … `last` (1-based) of an artifact with those around them.

    >>> excerpt(["ok", "token=abcd1234", "\\x1b[31mquality=7\\x1b[0m"], 3, 3)
    'ok\\ntoken[secret]\\nquality=7'
    """
    text = "\n".join(line.rstrip("\r\n") for line in lines[max(0, first - 1 - AROUND) : last + AROUND])
    text = SECRETS.sub(MASK, _CONTROL.sub("", _ANSI.sub("", text)))
    return text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")
