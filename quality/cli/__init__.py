"""How is a ledger used from a terminal, a script or a CI job? `python -m quality`.

One file a group of commands. Every failure is one line on stderr, `error: …`, never a traceback.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from typer.exceptions import Abort, TyperException

from quality.cli import (
    activity,
    backups,
    care,
    correcting,
    discriminate,
    drawing,
    exporting,
    ingest,
    models,
    prompt,
    reading,
    redacting,
    respond,
    responding,
    responding_prune,
    route,
    scores,
    stories,
    token,
    verify,
)
from quality.cli.output import complain, print_json
from quality.cli.root import app
from quality.errors import QualityError
from quality.problems import one_line

app.command("ingest", epilog=ingest.INGEST_EXAMPLES)(ingest.ingest)
app.command("inspect", epilog=ingest.INSPECT_EXAMPLES)(ingest.inspect)
app.command("show", epilog=reading.SHOW_EXAMPLES)(reading.show)
app.command("models", epilog=models.EXAMPLES)(models.models)
app.command("route", epilog=route.EXAMPLES)(route.route)
app.add_typer(scores.app, name="score")
app.add_typer(drawing.app, name="review")
app.command("export", epilog=exporting.EXAMPLES)(exporting.export)
app.command("prompt", epilog=prompt.EXAMPLES)(prompt.prompt)
respond.app.command("feedback", epilog=responding.FEEDBACK_EXAMPLES)(responding.feedback)
respond.app.command("stats", epilog=responding.STATS_EXAMPLES)(responding.stats)
respond.app.command("prune", epilog=responding_prune.EXAMPLES)(responding_prune.prune)
app.add_typer(respond.app, name="respond")
app.command("verify", epilog=verify.EXAMPLES)(verify.verify)
app.command("discriminate", epilog=discriminate.EXAMPLES)(discriminate.discriminate)
app.command("activity", epilog=activity.EXAMPLES)(activity.activity)
app.command("imports", epilog=correcting.IMPORTS_EXAMPLES)(correcting.imports)
app.command("withdraw", epilog=correcting.WITHDRAW_EXAMPLES)(correcting.withdraw)
app.command("reinstate", epilog=correcting.REINSTATE_EXAMPLES)(correcting.reinstate)
app.add_typer(stories.app, name="story")
app.command("redact", epilog=redacting.EXAMPLES)(redacting.redact)
app.command("backup", epilog=backups.BACKUP_EXAMPLES)(backups.backup)
app.command("restore", epilog=backups.RESTORE_EXAMPLES)(backups.restore)
app.command("rebuild", epilog=care.REBUILD_EXAMPLES)(care.rebuild)
app.add_typer(token.app, name="token")
app.command("doctor", epilog=care.DOCTOR_EXAMPLES)(care.doctor)

USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns its exit code: 0 done, 1 something was rejected, 2 wrong usage or input."""
    _have_output()
    given = list(sys.argv[1:] if arguments is None else arguments)
    code = 0
    try:
        code = _run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _reader_gone()
    except OSError as error:
        if code == 0:
            complain(_unwritten(error))
        _reader_gone()
        return USAGE
    except SystemExit as left:  # typer leaves so when the reader of its own output is gone
        return _reader_gone() if left.code == 1 else int(left.code or 0)


def _have_output() -> None:
    """Started with a closed output (`>&-`), a file opened later would take its place and our text."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _run(given: list[str]) -> int:
    try:
        return app(args=given, prog_name="python -m quality", standalone_mode=False) or 0
    except QualityError as error:
        return _fail(str(error), error.exit_code, given)
    except TyperException as error:
        return _fail(f"{error.format_message()} See --help", USAGE, given)
    except (Abort, KeyboardInterrupt):
        return _fail("interrupted: what was not finished is not stored", INTERRUPTED, given)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _fail(_unwritten(error), USAGE, given)
    except Exception as error:
        return _fail(f"unexpected fault ({type(error).__name__}: {error}): please report it", USAGE, given)


def _fail(text: str, code: int, given: list[str]) -> int:
    """The error for people on stderr and, where a program listens, as the one JSON document on stdout."""
    complain(one_line(text))
    if "--json" in given:
        with suppress(OSError):  # the output may be what failed
            print_json({"error": one_line(text), "exit_code": code})
    return code


def _unwritten(error: OSError) -> str:
    return f"{error.filename or 'output'}: {error.strerror or error}: check permissions and space"


def _reader_gone() -> int:
    """`… | head`: whoever read our output has enough. Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
