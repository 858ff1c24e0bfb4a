"""Who is the person that a login vouches for, and what may they do? Claims of an OIDC provider in, a `Who` out.

An e-mail counts only where the provider says that it was verified: otherwise anybody could claim an admin's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quality.roles import ROLES, TOKEN_ACTOR, Role, Who
from quality.server_settings import EVERYBODY_AT, RoleSettings

LONGEST_NAME = 200
SECONDS_AN_HOUR = 3600


@dataclass(frozen=True)
class Person:
    """What is made of a login."""

    who: Who | None
    """`None` where it opens nothing."""
    shown: str = ""
    """What the person calls themselves."""
    reason: str = ""
    """Why it opens nothing, with the remedy."""
    ended: bool = False
    """It did open something, and its time is over."""


def person_of(claims: Mapping[str, Any], roles: RoleSettings, now: datetime | None = None) -> Person:
    """The person of a login's claims.

    A login without a time of issue lasts until its own end, and one without either is over.
    """
    email = verified_email(claims, roles)
    shown = _words(claims.get("name")) or _words(claims.get("email")) or _words(claims.get("sub"))
    if _is_over(claims, roles, now or datetime.now(UTC)):
        return Person(None, shown, "Your login has ended: log in again.", ended=True)
    name = recorded_name(claims, roles)
    if not name:
        return Person(None, shown, "The login names nobody: it has neither an e-mail that was verified nor a sub.")
    found = granted(claims, email, roles)
    if found is None:
        unverified = (
            " Its e-mail was not verified, so it counts for nothing." if claims.get("email") and not email else ""
        )
        return Person(
            None,
            shown,
            f"Nobody has given {email or name} a role here.{unverified} Ask whoever keeps quality.toml for it.",
        )
    return Person(Who(name, found), shown)


def verified_email(claims: Mapping[str, Any], roles: RoleSettings) -> str | None:
    """The e-mail in lower case, if the provider vouches for it."""
    email, verified = _words(claims.get("email")), claims.get("email_verified")
    if verified is None:
        verified = roles.trust_unstated_email
    return email.casefold() if email and (verified is True or verified == "true") else None


def recorded_name(claims: Mapping[str, Any], roles: RoleSettings) -> str:
    """What the person's writes are recorded under: the claim that the settings name, else `sub`, which is unique."""
    claim = roles.name_claim
    name = verified_email(claims, roles) if claim == "email" else _words(_at(claims, claim))
    if not name or len(name) > LONGEST_NAME or name.startswith(TOKEN_ACTOR):
        name = _words(claims.get("sub"))[:LONGEST_NAME]
    return name


def granted(claims: Mapping[str, Any], email: str | None, roles: RoleSettings) -> Role | None:
    """The highest role that the settings give to the e-mail or to a value of the claim."""
    found: list[Role | str | None] = [roles.logged_in]
    if email:
        found += [roles.by_email.get(email), roles.by_email.get(f"{EVERYBODY_AT}{email.rpartition('@')[2]}")]
    if roles.claim:
        stated = _at(claims, roles.claim)
        values = [stated] if isinstance(stated, str) else stated if isinstance(stated, list | tuple) else []
        found += [roles.by_claim.get(value) for value in values if isinstance(value, str)]
    return max((role for role in ROLES if role in found), key=ROLES.index, default=None)


def _at(claims: Mapping[str, Any], path: str) -> Any:
    """The claim of that name, which may hold dots; else the one at that path (`realm_access.roles`)."""
    if path in claims:
        return claims[path]
    value: Any = claims
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _is_over(claims: Mapping[str, Any], roles: RoleSettings, now: datetime) -> bool:
    issued, ends, time = claims.get("iat"), claims.get("exp"), now.timestamp()
    if isinstance(issued, int | float):
        return not time - roles.login_hours * SECONDS_AN_HOUR <= issued
    return not (isinstance(ends, int | float) and time <= ends)


def _words(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
