"""Which ledger and which settings does a command line mean? Options that stand before the command."""

import os
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from getpass import getuser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from quality.client import Door, open_door
from quality.errors import QualityError
from quality.settings import LoadedSettings, load_settings

DEFAULT_LEDGER = Path("data/ledger.duckdb")
HELP = """One ledger for how good the work of AI agents is: automatic, verifier and human scores side by side.

With the dashboard open every command works too: it is sent to the process that holds the ledger.

Exit codes: 0 done · 1 something was rejected (what could be used is stored) · 2 wrong usage or unreadable input."""
EXAMPLES = """\b
Examples:
  python -m quality ingest results/ --json
  python -m quality score add STORY-7 8.5 --note "clean, small diff"
  python -m quality --ledger team.duckdb models --discipline backend
  python -m quality export --output rows.csv
"""

app = typer.Typer(
    help=HELP, epilog=EXAMPLES, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)  # fmt: skip


@dataclass
class Invocation:
    """What was said before the command."""

    ledger: Path
    config: Path | None

    @cached_property
    def loaded(self) -> LoadedSettings:
        return load_settings(self.ledger, self.config)

    def door(self, purpose: str, create: bool = False) -> AbstractContextManager[Door]:
        """A way into the ledger, whoever holds it."""
        return open_door(self.ledger, self.loaded.values, purpose=purpose, create=create)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(version("quality-tiers"))
        except PackageNotFoundError:
            typer.echo("a checkout that is not installed")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    ledger: Annotated[
        Path | None,
        typer.Option(help=f"The ledger file. Else QUALITY_LEDGER, else {DEFAULT_LEDGER}.", show_default=False),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="The settings file. Else QUALITY_CONFIG, else quality.toml beside the ledger or here.",
            show_default=False,
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    context.obj = Invocation(ledger or Path(os.environ.get("QUALITY_LEDGER") or DEFAULT_LEDGER), config)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def caller() -> str:
    """Who runs the command, for the audit: QUALITY_REVIEWER, else the user of the operating system."""
    if named := os.environ.get("QUALITY_REVIEWER"):
        return named
    try:
        return getuser()
    except (OSError, KeyError) as error:
        raise QualityError("the system does not say who you are: set QUALITY_REVIEWER, or give --reviewer") from error
