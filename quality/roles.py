"""Who may ask what of a ledger? A role a person, scopes a token; each command says which of them it needs.

`Ledger.execute` asks `admit` before it does anything, so that a screen that hides a button is a courtesy and not the lock.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from quality.errors import QualityError

Role = Literal["viewer", "reviewer", "admin"]
Scope = Literal["ingest", "review", "read"]
ROLES: tuple[Role, ...] = ("viewer", "reviewer", "admin")
"""Lowest first; each may do what those before it may."""
SCOPES: dict[Scope, str] = {
    "ingest": "import artifacts, store responses and what people did with them, evaluations and rankings",
    "review": "rate, take ratings back, attest models, store verdicts, keep drafts",
    "read": "ask every question, export included",
}
"""What a token is good for."""
TOKEN_ACTOR = "token:"  # noqa: S105
"""Every write by a token is recorded under this and the token's name; nobody who logs in has such a name."""
REMEDY = "ask whoever keeps quality.toml for it (its [roles])"


class Forbidden(QualityError):
    """Known, and not allowed."""

    status = 403


class Asked(Protocol):
    """What `admit` looks at: a command or a question of `command_base.py`."""

    name: ClassVar[str]
    scope: ClassVar[Scope | None]
    signed: ClassVar[tuple[str, ...]]

    def requires(self) -> Role: ...


@dataclass(frozen=True)
class Who:
    """Somebody who asks, as the face has made sure of them."""

    name: str | None
    """What they are recorded as; `None` = whoever they say they are, which only the owner of the file may."""
    role: Role
    scopes: frozenset[Scope] | None = None
    """Of a token: nothing else is open to it; `None` = no token, the role alone counts."""
    on_behalf: bool = False
    """May rate in the name of other people; the audit names itself all the same."""

    def has(self, role: Role) -> bool:
        """Whether the role is at least this one."""
        return ROLES.index(self.role) >= ROLES.index(role)


OWNER = Who(None, "admin")
"""Whoever has the file itself: the command line, a script, the process that serves it."""
NOBODY = Who("", "viewer")
"""Somebody that a face says nothing about."""


def objection(who: Who, asked: Asked | type[Any], role: Role | None = None) -> str | None:
    """Why somebody may not ask this at all, whatever it says; `None` where they may.

    Args:
        asked: a command or question, or its class.
        role: what it requires, where that depends on what it says.
    """
    needed: Role = role or asked.needs  # type: ignore[union-attr]
    if who.scopes is not None and (asked.scope not in who.scopes or not who.has(needed)):
        has = ", ".join(sorted(who.scopes)) or "none"
        if asked.scope is None or not who.has(needed):
            return f"{asked.name} is open to no token, and {who.name} is one: an admin does it on screen or by command line"
        return f"{asked.name} needs the scope {asked.scope}, and {who.name} has {has}: use a token that has it"
    if not who.has(needed):
        if who is NOBODY:
            return (
                f"{asked.name} needs the role {needed}, and nobody is named who asks: a page writes by process.execute"
            )
        return f"{asked.name} needs the role {needed}, and {who.name or 'who asks'} is a {who.role}: {REMEDY}"
    return None


def admit(who: Who, asked: Asked) -> None:
    """Let somebody ask something, or say why not.

    Raises:
        Forbidden: the role or the scopes do not reach, or it is signed with another's name.
    """
    if reason := objection(who, asked, asked.requires()):
        raise Forbidden(reason)
    if who.name is None:
        return
    for field in asked.signed:
        written = getattr(asked, field)
        if written != who.name and not (who.on_behalf and field != "actor"):
            raise Forbidden(
                f"{asked.name}: {field} = {written[:80]!r}: {who.name or 'somebody without a name'} writes under no other name"
            )


class _Door(Protocol):
    def execute(self, command: Any, who: Who | None = None) -> Any: ...


@dataclass(frozen=True)
class As:
    """A ledger as one person, or the process itself (`OWNER`), sees it: for what is handed a door and knows of no roles."""

    door: _Door
    who: Who

    def execute(self, command: Any) -> Any:
        return self.door.execute(command, self.who)
