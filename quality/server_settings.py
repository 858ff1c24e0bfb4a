"""Who may reach the dashboard and what may they do there? The sections `[server]` and `[roles]` of `quality.toml`.

Nothing here is a secret: of a token only its SHA-256 is kept, and what a login needs stands in Streamlit's secrets.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from quality.roles import Role, Scope
from quality.setting_types import Positive, Section

TokenName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
EVERYBODY_AT = "*@"
"""An entry of `by_email` that begins so is about every address of the domain."""


class TokenSettings(Section):
    """A bearer token, made by `python -m quality token new NAME --scope …`, which prints it once and this."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", repr=False)]
    """Of the token, in hexadecimal."""
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1)]
    on_behalf: bool = False
    """May rate in the name of other people; the audit names the token all the same."""
    expires: date | None = None
    """Its last day, in UTC."""


class ServerSettings(Section):
    """Who may reach the dashboard (DESIGN.md, Safe by default)."""

    allowed_hosts: tuple[str, ...] = ()
    """Host names besides the loopback ones that a request may name."""
    allow_anonymous_ui: bool = False
    """Serve people who are not logged in, also where others than this machine reach the dashboard."""
    tokens: dict[TokenName, TokenSettings] = Field(default_factory=dict)
    """Name → token for HTTP."""


class RoleSettings(Section):
    """Which role has whom (README, Who may do what). Where several fit, the highest counts."""

    by_email: dict[str, Role] = Field(default_factory=dict)
    """E-mail, or `*@domain`, → role; only a verified e-mail counts."""
    claim: Annotated[str, Field(min_length=1)] | None = None
    """The claim of the login that lists groups or roles: its name, or its path with dots."""
    by_claim: dict[str, Role] = Field(default_factory=dict)
    """Value of that claim → role."""
    logged_in: Role | Literal["none"] = "none"
    """Whoever is logged in and not named above; `none` = may not look either."""
    anonymous: Role = "viewer"
    """Whoever is let in without a login by `server.allow_anonymous_ui`."""
    name_claim: Annotated[str, Field(min_length=1)] = "email"
    """The claim under which people are recorded; it must be one that they cannot change themselves. Else `sub`."""
    trust_unstated_email: bool = False
    """Count an e-mail as verified where the provider does not say; where it says no, it is never."""
    login_hours: Positive = 12.0
    """How long a login lasts."""

    @field_validator("by_email")
    @classmethod
    def _addresses(cls, by_email: dict[str, Role]) -> dict[str, Role]:
        for address in by_email:
            if "@" not in address or address.endswith("@"):
                raise ValueError(f"{address!r} is no e-mail: write name@domain or {EVERYBODY_AT}domain")
        return {address.casefold(): role for address, role in by_email.items()}

    @model_validator(mode="after")
    def _claim_is_named(self) -> "RoleSettings":
        if self.by_claim and self.claim is None:
            raise ValueError("by_claim needs claim: the name of the claim whose values are listed")
        return self
