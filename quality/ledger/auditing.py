"""How does a write leave its row in the audit? Who, what, when, and the answer it got, in the write's own transaction."""

import json
from typing import Any

from pydantic import BaseModel

from quality.command_base import Command
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction

PROGRAM = "Quality Tiers"
"""Who writes what nobody asked for, such as a new schema."""


def record(tx: Transaction, command: Command, answer: BaseModel) -> None:
    """The row of a command."""
    _add(tx, command.name, command.actor, command.idempotency_key, command.for_audit(), answer.model_dump_json())


def record_own(tx: Transaction, name: str, key: str, request: dict[str, Any]) -> None:
    """The row of what the program did by itself; `key` stands for the one time that it is done."""
    _add(tx, name, PROGRAM, key, json.dumps(request), "{}")


def _add(tx: Transaction, name: str, actor: str, key: str, request: str, answer: str) -> None:
    entry = {"name": name, "actor": actor, "idempotency_key": key, "now": tx.now, "request": request, "answer": answer}
    tx.execute(load_sql("ratings")["add_audit"], entry)
