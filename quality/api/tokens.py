"""Who sends a request over HTTP? Whoever has the owner's secret is the owner; a token is what its scopes say.

Both are compared in constant time, and every token with what was sent, so that neither an answer nor its time tells how near
a guess was. Only hashes are kept: 256 random bits need no slow one.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import UTC, date, datetime

from quality.errors import QualityError
from quality.roles import OWNER, TOKEN_ACTOR, Who
from quality.server_settings import TokenSettings

PREFIX = "qt_"
"""Of a token: a scanner for secrets, and a person, see what it is."""
RANDOM_BYTES = 32
SCHEME = "bearer"


class Unauthorised(QualityError):
    """Nobody that is known."""

    status = 401


def new_token() -> str:
    """A token that nobody can guess."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def hash_of(token: str) -> str:
    """What is kept of a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def who_sends(header: str, secret: str | None, tokens: Mapping[str, TokenSettings], today: date | None = None) -> Who:
    """Who the `Authorization` header speaks for.

    Args:
        secret: the owner's; `None` while this process serves nothing.

    Raises:
        Unauthorised: it is missing, unknown or expired; which of these, the answer does not say.
    """
    scheme, _, given = header.partition(" ")
    sent, known = hash_of(given), None
    day = today or datetime.now(UTC).date()
    for name, token in tokens.items():
        same = secrets.compare_digest(sent, token.sha256)
        if same and (token.expires is None or day <= token.expires):
            known = Who(f"{TOKEN_ACTOR}{name}", "reviewer", frozenset(token.scopes), token.on_behalf)
    owns = secret is not None and secrets.compare_digest(sent, hash_of(secret))
    found = OWNER if owns else known
    if found and scheme.lower() == SCHEME:
        return found
    raise Unauthorised(
        "the secret or token is missing, wrong or expired: send Authorization: Bearer TOKEN "
        "(python -m quality token new NAME --scope ingest makes one), or the secret of the owner file"
    )
