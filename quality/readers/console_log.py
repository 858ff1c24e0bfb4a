"""What does a log say about tests and build? Any runner's console output, raw or as a CI service wraps it."""

from collections.abc import Iterator

from quality.observations import Batch
from quality.readers.base import SNIFF_BYTES, Artifact, Target
from quality.readers.console.scan import Scan, Scanner, conclude, scan
from quality.readers.lint.build_text import BuildWalk
from quality.readers.log_excerpts import excerpts
from quality.readers.log_lines import encoding_of_log, head_lines, log_lines
from quality.readers.results import test_batch
from quality.readers.text import UTF8, head_text

CI = ("##[group]", "##[section]", "Current runner version: ", "::group::", "section_start:")
"""What a CI service writes near the beginning of a raw log."""


class ConsoleLog:
    """Text in which a test runner says how it ended."""

    format = "console log"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        return is_log_text(artifact.head) and any(map(self._is_mine, _looks(artifact)))

    def _is_mine(self, found: Scan) -> bool:
        return found.tells_of_tests

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        scanner, build = Scanner(), BuildWalk()
        with artifact.path.open("rb") as file:
            for line in log_lines(file):
                scanner.see(line)
                build.see(line)
        result = conclude(scanner.found())
        with artifact.path.open("rb") as file:
            texts = excerpts(file, [line for _, line in result.evidence])
        evidence = [(signal, line, texts.get(line, "")) for signal, line in result.evidence]
        told = result.reading(text.time for text in texts.values())
        batch = test_batch(target, result.decision.counts, evidence, result.warnings, [], **told)
        batch.diagnostics = build.found().diagnostics
        yield batch


class JobLog(ConsoleLog):
    """Text without tests that says how a job ended, or that a CI service wrote: asked after all others."""

    format = "job log"

    def recognises(self, artifact: Artifact) -> bool:
        return is_log_text(artifact.head) and (is_ci(artifact.head) or super().recognises(artifact))

    def _is_mine(self, found: Scan) -> bool:
        return found.says_anything


def is_log_text(head: bytes) -> bool:
    """Whether it can be a program's output: text, and no markup document."""
    if head_text(head) is None and encoding_of_log(head) == UTF8:
        return False
    return bool(head) and not head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<")


def is_ci(head: bytes) -> bool:
    """Whether it begins as a CI service's log does."""
    text = head_text(head) or ""
    if any(mark in text for mark in CI):
        return True
    lines = head_lines(head)
    return bool(lines) and sum(1 for line in lines if line.job) > len(lines) // 2


def _looks(artifact: Artifact) -> Iterator[Scan]:
    """What the head says, the tail, and only then the whole."""
    yield scan(head_lines(artifact.head))
    if artifact.size <= SNIFF_BYTES:
        return
    with artifact.path.open("rb") as file:
        file.seek(artifact.size - SNIFF_BYTES)
        yield scan(head_lines(file.read()))
        file.seek(0)
        yield scan(log_lines(file))
