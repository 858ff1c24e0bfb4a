"""Where does a backend's service answer, and with which key? Both come from the usual environment names.

A key is asked for only at the provider's own address: a server of one's own (Ollama, vLLM, a gateway) may do without.
"""

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from quality.judging import Backend
from quality.readers.evidence import MASK, SECRETS

NO_KEY = "no-key-needed"
"""Sent to an own server when no key is set: the libraries insist on one."""
SHORTEST_SECRET = 6
"""A shorter key is not looked for in messages: it would mask ordinary words."""


@dataclass(frozen=True)
class _Names:
    address: str
    keys: tuple[str, ...]
    default: str
    host: str


NAMES: dict[str, _Names] = {
    "anthropic": _Names(
        "ANTHROPIC_BASE_URL",
        ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        "https://api.anthropic.com",
        "anthropic.com",
    ),
    "openai": _Names("OPENAI_BASE_URL", ("OPENAI_API_KEY",), "https://api.openai.com/v1", "openai.com"),
}
"""Backend → its environment names, the address without them, and the host at which a key is needed."""


@dataclass(frozen=True)
class Endpoint:
    """The address of a service and the key for it; the key is never shown."""

    backend: Backend
    address: str
    key: str | None = field(repr=False)
    key_name: str
    problem: str | None
    """Why nothing can be asked there, and what to set; `None` if it can."""
    local: bool
    """It is this machine: nobody bills for it."""
    own: bool = True
    """It is the provider's own service, not another that speaks like it."""

    @classmethod
    def of(cls, backend: Backend) -> "Endpoint":
        """What the environment says now."""
        names = NAMES[backend]
        address = os.environ.get(names.address, "").strip() or names.default
        key_name, key = next(
            ((name, value) for name in names.keys if (value := os.environ.get(name, "").strip())), (names.keys[0], None)
        )
        problem = _problem(names, address, key_name, key)
        host = None if problem and not _is_web(address) else urlsplit(address).hostname
        return cls(backend, address, key, key_name, problem, _is_local(host), _is_own(host, names))

    @property
    def masked_address(self) -> str:
        """The address without credentials in it."""
        return self.mask(self.address)

    def mask(self, text: str) -> str:
        """The text without this key, without anything of the shape of a key, on one line."""
        if self.key and len(self.key) >= SHORTEST_SECRET:
            text = text.replace(self.key, MASK)
        return " ".join(SECRETS.sub(MASK, text).split())


def _problem(names: _Names, address: str, key_name: str, key: str | None) -> str | None:
    if not _is_web(address):
        return f"{names.address} is no address: it starts with http:// or https:// and names a host"
    if "@" in urlsplit(address).netloc:
        return f"{names.address} holds a name or a password, which would end up in logs: give it as {key_name}"
    if key is None and _is_own(urlsplit(address).hostname, names):
        return f"no key: set {key_name}, or {names.address} to a server that needs none"
    if key is not None and not (key.isascii() and key.isprintable()):
        return f"{key_name} holds characters that no key has: copy it again"
    return None


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_own(host: str | None, names: _Names) -> bool:
    return host is not None and (host == names.host or host.endswith(f".{names.host}"))


def _is_local(host: str | None) -> bool:
    if host is None:
        return False
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
