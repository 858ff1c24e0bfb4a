"""What has every request to a ledger in common? Who asks, and, where it writes, that sending it twice does it once."""

import secrets
import time
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from quality.observations import NonEmpty
from quality.roles import Role, Scope

T = TypeVar("T")


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value or None


AnyOf = Annotated[tuple[T, ...] | None, BeforeValidator(_several)]
"""Values of which any will do. A single one may stand for itself; none at all is not stated."""


LONGEST_REASON = 2_000
Reason = Annotated[NonEmpty, Field(max_length=LONGEST_REASON)]
"""Why something is corrected, in a person's words, for whoever asks later."""

Touched = Literal["runs", "scores", "apart"]
"""What a write can change of the rows: which runs there are and what is known of them; what they are worth; or nothing,
since it has tables of its own. What is cached of the rows is read anew accordingly."""


def new_key() -> str:
    """An idempotency key that nobody else makes, UUIDv7 of RFC 9562.

    It grows with time: the audit's column is sorted by it then, and DuckDB sees in its block statistics that a new key is
    not there (0.5 ms instead of 27 ms among a million rows).

    >>> UUID(new_key()).version
    7
    """
    milliseconds = time.time_ns() // 10**6
    return str(UUID(int=milliseconds << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)))


class Model(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=())


class Command(Model):
    """A request with who asks. The same `idempotency_key` again changes nothing and gets the same answer."""

    name: ClassVar[str]
    writes: ClassVar[bool] = True
    quiet: ClassVar[bool] = False
    """Leaves no row in the audit, so it is not in Activity, and sent twice it must change nothing by itself: for what
    nobody has decided yet, such as a draft of a rating."""
    touches: ClassVar[Touched] = "runs"
    rewrites: ClassVar[bool] = False
    """Afterwards the file is written afresh where words were taken out, so that they are not among its bytes: by a
    redaction, and by an import, since a full export may say what is to be forgotten."""
    needs: ClassVar[Role] = "admin"
    """The least role that may ask; a command that says nothing is for admins."""
    scope: ClassVar[Scope | None] = None
    """The scope by which a token may; `None` = no token may."""
    signed: ClassVar[tuple[str, ...]] = ("actor",)
    """Fields that hold the name of who asks, which is nobody else's."""
    actor: NonEmpty
    idempotency_key: str = Field(default_factory=new_key)

    def requires(self) -> Role:
        """The least role for what this one says."""
        return self.needs

    def for_audit(self) -> str:
        """The request as the audit keeps it, in JSON."""
        return self.model_dump_json()


class Question(Model):
    """A request that changes nothing."""

    name: ClassVar[str]
    writes: ClassVar[bool] = False
    needs: ClassVar[Role] = "viewer"
    scope: ClassVar[Scope | None] = "read"
    signed: ClassVar[tuple[str, ...]] = ()
    """Fields that must hold the name of who asks: of what is only for them."""
    actor: str = ""

    def requires(self) -> Role:
        """The least role for what this one asks."""
        return self.needs
