"""How does a program get a token for HTTP? One is made and shown once; what is kept is its hash, pasted by a person."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from quality.api.tokens import hash_of, new_token
from quality.cli.output import print_json, say, tell
from quality.errors import QualityError
from quality.roles import SCOPES, Scope
from quality.server_settings import TokenName

NEW_EXAMPLES = """\b
Examples:
  python -m quality token new ci --scope ingest
  python -m quality token new bot --scope review --scope read --days 90
The token alone goes to standard output, so it can be handed on: python -m quality token new ci --scope ingest | vault …
"""
app = typer.Typer(help="Tokens, by which programs reach a running dashboard over HTTP.", no_args_is_help=True)


@app.command("new", epilog=NEW_EXAMPLES)
def new(
    name: Annotated[str, typer.Argument(help="What it writes is recorded under token:NAME.")],
    scope: Annotated[
        list[str],
        typer.Option(
            help="What it is good for, may be repeated: " + "; ".join(f"{s} = {w}" for s, w in SCOPES.items()) + "."
        ),
    ],
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="How long it lasts; for good by default.")] = None,
    on_behalf: Annotated[
        bool, typer.Option("--on-behalf", help="It may rate in the name of people; the audit names the token.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Make a token. It is shown once; the lines for quality.toml hold its hash only. Nothing is stored."""
    _check(name, scope)
    token = new_token()
    lines = [f"[server.tokens.{name}]", f'sha256 = "{hash_of(token)}"', f"scopes = {_toml(scope)}"]
    if on_behalf:
        lines.append("on_behalf = true")
    if days:
        lines.append(f"expires = {datetime.now(UTC).date() + timedelta(days=days)}")
    if as_json:
        print_json({"name": name, "token": token, "toml": "\n".join(lines)})
        return
    tell(f"The token {name}, shown this once: keep it where the program finds it.")
    say(token)
    tell("Put this into quality.toml, then start the dashboard anew:\n")
    tell("\n".join(lines))


def _check(name: str, scopes: list[str]) -> None:
    try:
        TypeAdapter(TokenName).validate_python(name)
    except ValidationError as error:
        raise QualityError(
            f"token {name[:80]!r}: not a name: give up to 64 of A–Z, a–z, 0–9, - and _, the first no - or _"
        ) from error
    for scope in scopes:
        try:
            TypeAdapter(Scope).validate_python(scope)
        except ValidationError as error:
            raise QualityError(f"--scope {scope[:80]}: no such scope: give {', '.join(SCOPES)}") from error


def _toml(scopes: list[str]) -> str:
    return "[" + ", ".join(f'"{scope}"' for scope in dict.fromkeys(scopes)) + "]"
