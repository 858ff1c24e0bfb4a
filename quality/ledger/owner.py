"""Who holds a ledger, and how is it reached? A file of mode 0600 beside it says so.

It carries the holder's process, purpose and, where it serves commands, its address and secret.
"""

import json
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError


class Holder(BaseModel):
    """What a holder says of itself."""

    pid: int
    purpose: str
    since: datetime
    address: str | None = None
    """Base URL it serves commands at; `None` while it serves none."""
    secret: str | None = None


class OwnerFile:
    """`<ledger>.owner`, written by whoever has the lock."""

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(ledger.name + ".owner")
        self._mine: Holder | None = None

    def announce(self, purpose: str) -> None:
        """Say who holds the ledger from now on."""
        self._write(Holder(pid=os.getpid(), purpose=purpose, since=datetime.now(UTC)))

    def serve_at(self, address: str) -> str:
        """Say that commands are served at `address`; returns the new secret they must carry."""
        assert self._mine is not None
        secret = secrets.token_urlsafe(32)
        self._write(self._mine.model_copy(update={"address": address, "secret": secret}))
        return secret

    @property
    def secret(self) -> str | None:
        """What requests to this process must carry; `None` while it serves nothing."""
        return self._mine.secret if self._mine else None

    def forget(self) -> None:
        """Remove the file, if it is still ours."""
        holder = self.read()
        if self._mine and holder and holder.pid == self._mine.pid and holder.since == self._mine.since:
            self.path.unlink(missing_ok=True)
        self._mine = None

    def read(self) -> Holder | None:
        """The present holder's word, `None` where there is none or it cannot be read."""
        try:
            return Holder.model_validate_json(self.path.read_bytes())
        except (OSError, ValidationError):
            return None

    def describe(self) -> str:
        """The holder in words for an error message."""
        holder = self.read()
        if holder is None:
            return "another process"
        return f"process {holder.pid} ({holder.purpose}, since {holder.since:%Y-%m-%d %H:%M:%S} UTC)"

    def _write(self, holder: Holder) -> None:
        self._mine = holder
        content: dict[str, Any] = holder.model_dump(mode="json")
        fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file)
        fresh.replace(self.path)
