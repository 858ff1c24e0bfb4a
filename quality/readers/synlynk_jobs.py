"""What did synlynk's jobs do? One job a line: its exit code, the tail of its output, what it changed.

An agent's exit code 0 says that the agent ended, not that anything was built: 4 of the 8 jobs of synlynk's own
comparison exited 0 and did nothing. So 0 is no signal, and what shows that a job did nothing is told in warnings. Another
code is a failure. Tests that the tail reports are read as in any log.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from quality.observations import Batch, Reject, StoryFact
from quality.readers.base import Artifact, Target
from quality.readers.console.runner import said
from quality.readers.console.scan import conclude, scan
from quality.readers.evidence import excerpt
from quality.readers.log_lines import log_lines
from quality.readers.results import test_batch
from quality.readers.rows import SHOWN_VALUE
from quality.readers.text import head_text, physical_lines, shown

NO_STORY = "the job names no story: name it with --story, or give each job on its own"
_AGENT = re.compile(r"agent: +(?P<agent>\S+) {2,}story: +(?P<story>\S+)")
_REFUSED = re.compile(
    r"memory guard|prompt rejected|\b0 received\b|\b(?:BadRequest|Authentication|RateLimit|APIConnection)Error\b", re.I
)
_EDITED = re.compile(r"^Applied edit to \S", re.M)
_UNTOUCHED = re.compile(r"files: +0 touched")
_TOUCHED = re.compile(r"files: +[1-9]\d* touched")
MOST_TITLE = 500


@dataclass(frozen=True)
class _Job:
    line: int
    row: dict[str, Any]

    def text(self, name: str) -> str:
        value = self.row.get(name)
        return shown(value) if isinstance(value, str) else ""

    @property
    def exit_code(self) -> int | None:
        code = self.row.get("exit_code")
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def did_nothing(self) -> bool:
        """The model never answered, and nothing was edited."""
        tail = self.text("stdout_tail")
        return bool(_REFUSED.search(tail)) and not _EDITED.search(tail) and not _TOUCHED.search(tail)

    @property
    def touched_nothing(self) -> bool:
        tail = self.text("stdout_tail")
        return bool(_UNTOUCHED.search(tail)) and not _EDITED.search(tail)


class SynlynkJobs:
    """JSON lines with `exit_code` and `stdout_tail` or `git_diff_stat`; lines are those of the file."""

    format = "synlynk jobs"

    def recognises(self, artifact: Artifact) -> bool:
        head = head_text(artifact.head)
        if head is None or not head.lstrip().startswith("{"):
            return False
        lines = head.splitlines()
        whole = lines if artifact.size <= len(artifact.head) else lines[:-1] or lines
        return any(_is_job(_object(line)) for line in whole)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        zero = nothing = untouched = total = 0
        for number, line in enumerate(physical_lines(artifact.path), start=1):
            if line is not None and not line.strip():
                continue
            row = _object(line or "")
            if not _is_job(row):
                reason = (
                    "the line is no job: a JSON object with exit_code" if line is not None else "the line is too long"
                )
                yield Batch.of(Reject(line=number, reason=reason, value=shown(line or "")[:SHOWN_VALUE]))
                continue
            job = _Job(number, row)
            total += 1
            zero += job.exit_code == 0
            nothing += job.exit_code == 0 and job.did_nothing
            untouched += job.exit_code == 0 and not job.did_nothing and job.touched_nothing
            yield _batch(job, target)
        if zero:
            yield Batch.of(warnings=_told(total, zero, nothing, untouched))


def _told(total: int, zero: int, nothing: int, untouched: int) -> list[str]:
    warnings = [f"{zero:,} of {said(total, 'job')} exited 0: no build success rests on that alone"]
    if nothing:
        warnings.append(f"{nothing:,} of {said(total, 'job')} exited 0 and did nothing: the model never answered")
    if untouched:
        warnings.append(f"{untouched:,} more of {said(total, 'job')} exited 0 and touched 0 files")
    return warnings


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _is_job(row: dict[str, Any]) -> bool:
    return "exit_code" in row and ("stdout_tail" in row or "git_diff_stat" in row)


def _batch(job: _Job, target: Target) -> Batch:
    tail = job.text("stdout_tail")
    named = _AGENT.search(tail)
    story = job.text("story_id") or (named["story"] if named else "") or target.story_id
    if not story:
        return Batch.of(
            Reject(line=job.line, field="story_id", reason=NO_STORY, value=(job.text("label") or tail)[:SHOWN_VALUE])
        )
    stated = replace(
        target, story_id=story, agent=target.agent or job.text("agent") or (named["agent"] if named else None),
        model_version=target.model_version or job.text("model_id") or job.text("model_version") or None,
    )  # fmt: skip
    result = conclude(scan(log_lines(BytesIO(tail.encode("utf-8", "replace")))))
    code, lines = job.exit_code, tail.splitlines()
    success, evidence = result.build_success, []
    if code:
        success = False
        evidence.append(
            ("build_success", job.line, shown(f"exit_code {code}\n{excerpt(lines, len(lines), len(lines))}"))
        )
    elif result.outcome:
        evidence.append(("build_success", job.line, str(excerpt(lines, result.outcome.line, result.outcome.line))))
    warnings = [] if code is not None else [f"line {job.line}: exit_code is no number: unknown"]
    if job.did_nothing and code == 0:
        warnings.append(f"line {job.line}: exit code 0, but the job did nothing")
    if result.decision.counts:
        line = result.decision.used[-1].line
        evidence.append(("test_pass_rate", job.line, str(excerpt(lines, line, line))))
    decision = result.decision
    batch = test_batch(
        stated, decision.counts, evidence, warnings, [], named=decision.named, runner=decision.runner,
        occurred_at=decision.at, build_success=success,
    )  # fmt: skip
    title = job.text("prompt") or job.text("label")
    if title:
        batch.tables["stories"] = Batch.of(StoryFact(story_id=story, title=title[:MOST_TITLE], line=job.line)).tables[
            "stories"
        ]
    return batch
