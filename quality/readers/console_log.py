"""What does a log say about tests and build? Any runner's console output, raw or as a CI service wraps it."""

from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from quality.observations import Batch
from quality.readers.base import SNIFF_BYTES, Artifact, Target
from quality.readers.console.scan import conclude, excerpts, scan
from quality.readers.log_lines import encoding_of_log, head_lines, log_lines
from quality.readers.results import test_batch
from quality.readers.text import UTF8, head_text

CI = ("##[group]", "##[section]", "Current runner version: ", "::group::", "section_start:")
"""What a CI service writes near the beginning of a raw log."""


class ConsoleLog:
    """Text in which a test runner, a build tool or a CI service says how it ended."""

    format = "console log"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        if not is_log_text(artifact.head):
            return False
        if is_ci(artifact.head) or _says_anything(BytesIO(artifact.head)):
            return True
        with artifact.path.open("rb") as file:
            file.seek(max(0, artifact.size - SNIFF_BYTES))
            if _says_anything(BytesIO(file.read())):
                return True
            file.seek(0)
            return artifact.size > SNIFF_BYTES and _says_anything(file)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        with artifact.path.open("rb") as file:
            result = conclude(scan(log_lines(file)))
        with artifact.path.open("rb") as file:
            texts = excerpts(file, [line for _, line in result.evidence])
        evidence = [(signal, line, texts.get(line, "")) for signal, line in result.evidence]
        yield test_batch(
            target, result.decision.counts, evidence, result.warnings, [], build_success=result.build_success
        )


def is_log_text(head: bytes) -> bool:
    """Whether it can be a program's output: text, and no markup document."""
    if head_text(head) is None and encoding_of_log(head) == UTF8:
        return False
    return bool(head) and not head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<")


def is_ci(head: bytes) -> bool:
    """Whether it begins as a CI service's log does."""
    lines = head_lines(head)
    if any(line.text.startswith(CI) for line in lines):
        return True
    return bool(lines) and sum(1 for line in lines if line.job) > len(lines) // 2


def _says_anything(file: BinaryIO) -> bool:
    return scan(log_lines(file)).says_anything
