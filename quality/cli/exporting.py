"""How do the rows leave by the command line? `export`: rows, profiles or everything, the columns and the day chosen."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from quality import moments
from quality.cli.output import print_json, say, tell
from quality.cli.requests import build, with_filters
from quality.cli.root import Invocation, caller
from quality.commands import ExportRows, Filters
from quality.errors import QualityError
from quality.export import write_whole
from quality.export_columns import columns_of
from quality.export_dictionary import dictionary_csv

EXAMPLES = """\b
Examples:
  python -m quality export --output rows.csv
  python -m quality export --output rows.parquet --format parquet --tier human
  python -m quality export --output scores.csv --format excel --columns story_id,model_version,quality,note
  python -m quality export --output profiles.csv --profiles --as-of 2026-11-01 --dictionary columns.csv
  python -m quality export --output ledger.jsonl --format jsonl --full
"""


@with_filters
def export(
    context: typer.Context,
    filters: Filters,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; it appears whole or not at all.", show_default=False),
    ] = None,
    file_format: Annotated[str, typer.Option("--format", help="csv, excel (CSV for Excel), parquet or jsonl.")] = "csv",
    columns: Annotated[
        str | None,
        typer.Option("--columns", help="Names joined by commas, in the order of the file.", show_default=False),
    ] = None,
    profiles: Annotated[
        bool, typer.Option("--profiles", help="A row a kind of work and model instead of a row a run.")
    ] = False,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of", help="As it was known then: a date (its end in UTC) or a time with its zone.", show_default=False
        ),
    ] = None,
    dictionary: Annotated[
        Path | None,
        typer.Option("--dictionary", help="Also write what each column means, as CSV.", show_default=False),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Every observation (jsonl): importing it gives the same ledger.")
    ] = False,
    bom: Annotated[bool, typer.Option("--bom", help="Begin a CSV with a byte order mark.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Write the rows to a file, a row a run, all tiers side by side; or the profiles of models, or everything."""
    invocation: Invocation = context.obj
    moment = moments.as_of(as_of) if as_of is not None else None
    chosen = tuple(name.strip() for name in columns.split(",") if name.strip()) if columns is not None else None
    question = build(
        ExportRows, actor=caller(), format=file_format, full=full, bom=bom, profiles=profiles, columns=chosen, as_of=moment,
        filters=filters,
    )  # fmt: skip
    if output is None and dictionary is None:
        raise QualityError(
            "nothing to write: name the file (--output), or one for what the columns mean (--dictionary)"
        )
    if dictionary is not None:
        _explain(question, dictionary)
    rows = None
    if output is not None:
        with invocation.door("export") as door:
            rows = door.export(question, output)
    _report(question, rows, output, dictionary, moment, as_json)


def _explain(question: ExportRows, path: Path) -> None:
    if question.full:
        raise QualityError("--dictionary explains the columns of rows or profiles: leave --full out")
    write_whole(path, iter([dictionary_csv(columns_of(question.columns, question.profiles), question.format)]))


def _report(
    question: ExportRows, rows: int | None, output: Path | None, dictionary: Path | None, moment: datetime | None, as_json: bool
) -> None:  # fmt: skip
    if as_json:
        print_json({
            "output": output and str(output), "format": question.format, "full": question.full, "rows": rows,
            "profiles": question.profiles, "as_of": moment, "dictionary": dictionary and str(dictionary),
        })  # fmt: skip
        return
    what = "record" if question.full else "profile" if question.profiles else "row"
    then = f" as of {moment:%Y-%m-%d %H:%M:%S} UTC" if moment else ""
    if output is not None:
        remark = say if output.is_file() else tell  # to a device or a pipe, perhaps this very output
        remark(f"Wrote {rows:,} {what}{'' if rows == 1 else 's'}{then} to {output}")
    if dictionary is not None:
        (say if dictionary.is_file() else tell)(f"Wrote what the columns mean to {dictionary}")
