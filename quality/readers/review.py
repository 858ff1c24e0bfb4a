"""What does a verifier's review say? Its verdict, for the run that the caller names.

MODEL.md, Tier 2: `quality` is used as given, anything but 0–10 is a reject with the raw text kept, and the
verifier is never the author of the run.
"""

from collections.abc import Iterator
from io import BytesIO

import pyarrow as pa

from quality.catalogue import UNKNOWN
from quality.judging import SCRIPTED
from quality.observations import Batch, Reject, RunFact, StoryFact, Verdict
from quality.readers.base import Artifact, Target
from quality.readers.block import RATING
from quality.readers.console.scan import scan
from quality.readers.evidence import excerpt
from quality.readers.log_lines import log_lines
from quality.readers.numbers import ratings
from quality.readers.results import evidence_of
from quality.readers.rows import SHOWN_VALUE
from quality.readers.text import head_text, lines_in, shown, utf8_blocks
from quality.readers.verdicts import FENCE, MARKER, Block, find_blocks, yes_or_no

MAX_REVIEW = 4 * 1024 * 1024
"""Bytes of UTF-8; a larger text is not a review."""
NO_BLOCK = (
    "no verdict block in it: a review ends with the line `# synlynk-meta` and, below it, `quality=7` and the like"
)
NO_STORY = "the review does not say which story it is about: name it with --story (and --agent, --model, --attempt)"


class ReviewReader:
    """Free text with a verdict block in it."""

    format = "verifier review"
    names_no_story = True
    """The text does not say which story it is about: the caller must."""

    def recognises(self, artifact: Artifact) -> bool:
        text = head_text(artifact.head)
        if text is None or artifact.size > 2 * MAX_REVIEW:
            return False
        text = text if artifact.size <= len(artifact.head) else _whole_text(artifact) or text
        lines = lines_in(text)
        blocks = find_blocks(lines)
        return bool(blocks) and not _is_printed(blocks, lines)

    def why_not(self, artifact: Artifact, target: Target) -> str | None:
        text = head_text(artifact.head)
        is_prose = bool(text) and text.lstrip()[:1] not in ("<", "{", "[")
        return NO_BLOCK if is_prose and target.story_id else None

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        text = _whole_text(artifact)
        yield _too_long() if text is None else read_review(text, target)


def read_review(text: str, target: Target) -> Batch:
    """What a review says of the run that `target` names: story, run, verdict and evidence, or the reject."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_REVIEW:
        return _too_long()
    lines = lines_in(text)
    blocks = find_blocks(lines)
    standing = [block for block in blocks if not block.quoted]
    if not standing:
        reason = "its only verdict block is quoted from elsewhere: a review states its own" if blocks else NO_BLOCK
        return Batch.of(Reject(line=blocks[0].first if blocks else 1, reason=reason, value=text[:SHOWN_VALUE]))
    chosen = standing[-1]
    conflicting = chosen.contradicts_itself or any(block.content != chosen.content for block in blocks)
    return _verdict(chosen, conflicting, text, lines, target)


def _too_long() -> Batch:
    return Batch.of(Reject(reason=f"more than {MAX_REVIEW:,} bytes: no review is that long", value=None))


def _is_printed(blocks: list[Block], lines: list[str]) -> bool:
    """Whether the text is a log of tests whose programs printed what looks like a verdict.

    What stands in a fence is quoted. A review ends with its verdict: below the last test summary there is a meta block, or
    a JSON object that says more than a `quality`, such as `verifier_model`.
    """
    bare = [line if not fenced else "" for line, fenced in zip(lines, _fenced(lines))]
    found = scan(log_lines(BytesIO("\n".join(line.rstrip("\r\n") for line in bare).encode("utf-8", "replace"))))
    if not any(summary.supported for summary in found.summaries):
        return False
    last = max(summary.line for summary in found.summaries)
    below = [block for block in blocks if not block.quoted and block.first > last]
    return not any(MARKER.match(lines[block.first - 1]) or len(block.fields) > 1 for block in below)


def _fenced(lines: list[str]) -> list[bool]:
    """Whether each line stands in a fenced block; a fence that nobody closes fences nothing."""
    inside = [False] * len(lines)
    begin = -1
    for place, line in enumerate(lines):
        if not FENCE.match(line):
            continue
        if begin < 0:
            begin = place
        else:
            inside[begin : place + 1] = [True] * (place + 1 - begin)
            begin = -1
    return inside


def _verdict(block: Block, conflicting: bool, text: str, lines: list[str], target: Target) -> Batch:
    written = block.fields.get("quality")
    if not written:
        return Batch.of(_reject(block, "the verdict block has no quality: add quality=0 … 10", text[:SHOWN_VALUE]))
    rating = ratings(pa.array([written], pa.string()))
    quality = rating.values[0].as_py()
    if quality is None:
        return Batch.of(_reject(block, RATING, written))
    if not target.story_id:
        return Batch.of(_reject(block, NO_STORY, written))
    stated = block.fields.get("model_version", "")
    run = RunFact(
        story_id=target.story_id, agent=target.agent, attempt=target.attempt, line=block.first,
        model_version=target.model_version or (stated if stated.lower() not in ("", UNKNOWN) else None),
    )  # fmt: skip
    verdict = Verdict(
        run=0, line=block.first, quality=quality, raw=rating.raw[0].as_py() if rating.raw is not None else None,
        correct=yes_or_no(block.fields.get("correct")), rework=yes_or_no(block.fields.get("rework_needed")),
        note=text, verifier_agent=_name(block, "verifier_agent"), verifier_model=_name(block, "verifier_model"),
        conflicting=conflicting, simulated=_name(block, "verifier_model") == SCRIPTED,
    )  # fmt: skip
    evidence = evidence_of("verifier", block.first, excerpt(lines, block.first, block.last))
    return Batch.of(StoryFact(story_id=target.story_id), run, verdict, evidence)


def _name(block: Block, key: str) -> str | None:
    name = block.fields.get(key, "")
    return None if name.lower() in ("", UNKNOWN) else name


def _reject(block: Block, reason: str, value: str) -> Reject:
    return Reject(line=block.first, field="quality", reason=reason, value=value[:SHOWN_VALUE])


def _whole_text(artifact: Artifact) -> str | None:
    """The text, `None` if it is too long; what cannot be decoded is written as \\xNN."""
    raw = bytearray()
    for block in utf8_blocks(artifact.path, 1 << 20):
        raw += block
        if len(raw) > MAX_REVIEW:
            return None
    return shown(raw.decode("utf-8", "surrogateescape"))
