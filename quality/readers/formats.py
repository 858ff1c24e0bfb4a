"""Which reader reads an artifact? The first in this list that recognises its bytes."""

from codecs import BOM_UTF8
from collections.abc import Iterator

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Explains, Reader, Reading, Target
from quality.readers.ci.github import GithubReader
from quality.readers.console_log import ConsoleLog, JobLog
from quality.readers.evals.inspect_log import InspectReader
from quality.readers.evals.otel import OtelReader
from quality.readers.evals.promptfoo import PromptfooReader
from quality.readers.evals.swebench import SweBenchReader
from quality.readers.evals.terminal_bench import TerminalBenchReader
from quality.readers.full_jsonl import FullJsonl
from quality.readers.go_json import GoJsonReader
from quality.readers.lint.build_text import BuildTextReader
from quality.readers.lint.json_tools import CargoReader, EslintReader, GccReader, MypyReader, PyrightReader, RuffReader
from quality.readers.lint.lsp import LspReader
from quality.readers.lint.sarif import SarifReader
from quality.readers.responses.formats import TRANSCRIPTS, response_format
from quality.readers.review import ReviewReader
from quality.readers.rows import SHOWN_VALUE
from quality.readers.synlynk import SynlynkReader
from quality.readers.synlynk_jobs import SynlynkJobs
from quality.readers.tables import CsvReader, JsonlReader, ParquetReader
from quality.readers.tap import TapReader
from quality.readers.test_json import TestJson
from quality.readers.text import head_text, shown
from quality.readers.xml_tests.junit import JUnitReader
from quality.readers.xml_tests.nunit import NUnitReader
from quality.readers.xml_tests.testng import TestNgReader
from quality.readers.xml_tests.trx import TrxReader
from quality.readers.xml_tests.xunit import XUnitReader
from quality.readers.zip_log import ZipLog

REPORTS: tuple[Reader, ...] = (
    SarifReader(), PyrightReader(), EslintReader(), RuffReader(), MypyReader(), GccReader(), CargoReader(), LspReader(),
    GithubReader(), InspectReader(), PromptfooReader(), SweBenchReader(), TerminalBenchReader(), OtelReader(),
    JUnitReader(), TrxReader(), NUnitReader(), XUnitReader(), TestNgReader(),
)  # fmt: skip
"""Reports of one tool."""
TEST_OUTPUT: tuple[Reader, ...] = (GoJsonReader(), TapReader(), TestJson())
READERS: tuple[Reader, ...] = (
    FullJsonl(), SynlynkReader(), ParquetReader(), SynlynkJobs(), *REPORTS,
    JsonlReader(), CsvReader(), *TEST_OUTPUT, ZipLog((*REPORTS, *TEST_OUTPUT)),
    ReviewReader(), ConsoleLog(), BuildTextReader(), JobLog(),
)  # fmt: skip
"""In the order they are asked: the most particular first."""

UNRECOGNISED = "unrecognised"
KINDS: tuple[tuple[bytes, str], ...] = (
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<", "XML"),
    (b"\x89png", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"gif8", "a GIF image"),
    (b"%pdf-", "a PDF document"),
    (b"pk\x03\x04", "a ZIP archive (or an office document)"),
    (b"\x1f\x8b", "a gzip archive"),
)
"""First bytes in lower case → what they begin."""


def reader_of(artifact: Artifact) -> Reader | None:
    """The reader that recognises the artifact; none for a transcript, whatever its texts quote from logs and reviews."""
    if any(transcript.recognises(artifact) for transcript in TRANSCRIPTS):
        return None
    return next((reader for reader in READERS if reader.recognises(artifact)), None)


def read_artifact(artifact: Artifact, target: Target) -> Reading:
    """What the artifact says; an unrecognised one is a single reject that names what could be read."""
    reader = reader_of(artifact)
    if reader is None:
        return Reading(UNRECOGNISED, _refusal(artifact, target))
    return Reading(reader.format, reader.read(artifact, target))


def _refusal(artifact: Artifact, target: Target) -> Iterator[Batch]:
    formats = ", ".join(dict.fromkeys(reader.format for reader in READERS))
    if not artifact.size:
        yield Batch.of(Reject(line=None, reason=f"the file is empty: give one of {formats}", value=None))
        return
    responses = response_format(artifact)
    if responses:
        reason = (
            f"the content is of AI responses ({responses}), not of runs: score it with python -m quality respond FILE"
        )
        yield Batch.of(Reject(line=None, reason=reason, value=None))
        return
    explaining = (reader.why_not(artifact, target) for reader in READERS if isinstance(reader, Explains))
    near = next(filter(None, explaining), None)
    what = near or _kind(artifact.head) or "the content is of no format that can be read"
    start = (head_text(artifact.head) or "")[:SHOWN_VALUE]
    yield Batch.of(Reject(line=None, reason=f"{what}. What can be read: {formats}", value=shown(start) or None))


def _kind(head: bytes) -> str | None:
    """What the content is instead, by its first bytes."""
    start = head.removeprefix(BOM_UTF8).lstrip()[:64].lower()
    kind = next((kind for magic, kind in KINDS if start.startswith(magic)), None)
    return kind and f"the content is {kind}, whatever the file's name says"
