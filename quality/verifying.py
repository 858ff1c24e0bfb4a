"""What is a verifier asked about a run? Its diff, its done criteria and what was measured; and what is warned of.

The question only. The answer is a review, read by the reader of every other review (`readers/review.py`).
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from quality.catalogue import UNKNOWN, model_family
from quality.commands import AddVerdict
from quality.definitions import define
from quality.errors import QualityError
from quality.judge_json import clean
from quality.judging import JudgeReply, JudgeRequest
from quality.settings import ModelSettings
from quality.signals import SIGNALS

PURPOSE = "verifier_review"
MAX_TOKENS = 2048
TEMPERATURE = 0.3
NO_CRITERIA = "None are recorded."
NOT_MEASURED = "not measured"


def verification_request(run: Mapping[str, Any], story: Mapping[str, Any], diff: str) -> JudgeRequest:
    """The question to a verifier.

    Args:
        run: a ledger row; its signals are told, its scores are not, so that they do not lead the verifier.
        story: what is known of the story, `title` and `done_criteria` at least.
        diff: as `check_diff` lets it pass.
    """
    from quality.judges.wording import wording  # loaded where a judge is asked

    words = wording(PURPOSE, criteria=clean(criteria_text(story)), signals=signals_text(run), diff=clean(diff))
    return JudgeRequest(
        system=words.system, user=words.user, purpose=PURPOSE, prompt_version=words.version, max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
    )  # fmt: skip


def check_diff(diff: str, limit: int) -> str:
    """The diff, if it can be verified; it is never cut, since a verdict on a part would pass for one on the whole.

    Raises:
        QualityError: blank, no text, or longer than `limit` bytes of UTF-8.
    """
    if not diff.strip():
        raise QualityError("the diff is empty: give the diff or patch of the run")
    if "\0" in diff:
        raise QualityError("the diff is no text: give a diff or patch in UTF-8 or UTF-16")
    size = len(diff.encode("utf-8", "replace"))
    if size > limit:
        raise QualityError(
            f"the diff has {size:,} bytes, but limits.diff_bytes is {limit:,}: leave generated files and lock files out, "
            "or raise the limit"
        )
    return diff


def criteria_text(story: Mapping[str, Any]) -> str:
    """Title and done criteria, as far as they are known.

    >>> criteria_text({"title": "Fix it", "done_criteria": None})
    'Story: Fix it\\n\\nNone are recorded.'
    """
    title = f"Story: {story['title']}\n\n" if story.get("title") else ""
    return title + (story.get("done_criteria") or NO_CRITERIA)


def signals_text(run: Mapping[str, Any]) -> str:
    """A line a signal; what is unknown is said to be.

    >>> print(signals_text({"test_pass_rate": 0.95, "tests_total": 40, "build_success": True}).split(chr(10))[0])
    Test pass rate: 95 % of 40 tests
    """
    return "\n".join(f"{define(name).label}: {_measured(name, run)}" for name in SIGNALS)


def family_warning(builder: str, verifier: str, models: ModelSettings) -> str | None:
    """What to know about builder and verifier before leaning on the verdict; `None` if nothing.

    >>> family_warning("claude-sonnet-4-6", "claude-opus-4-5", ModelSettings())
    'builder claude-sonnet-4-6 and verifier claude-opus-4-5 share a model family (anthropic)'
    """
    if builder == UNKNOWN:
        return f"which model built the run is not recorded: whether {verifier} shares its family cannot be told"
    families = [model_family(model, models.families, models.aliases) for model in (builder, verifier)]
    if families[0] is None or families[0] != families[1]:
        return None
    return f"builder {builder} and verifier {verifier} share a model family ({families[0]})"


def verdict_command(
    reply: JudgeReply, request: JudgeRequest, run: Mapping[str, Any], diff: str, actor: str
) -> AddVerdict:
    """What is sent to the ledger once the verifier has answered about this run."""
    return AddVerdict(
        actor=actor, story_id=run["story_id"], run_id=run["run_id"], review=clean(reply.text), backend=reply.backend,
        verifier_model=clean(reply.model), prompt_version=request.prompt_version, truncated=reply.truncated,
        diff_sha256=hashlib.sha256(clean(diff).encode()).hexdigest(), input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens, latency_ms=reply.latency_ms, stop_reason=reply.stop_reason,
        cost_usd=reply.cost_usd,
    )  # fmt: skip


def _measured(name: str, run: Mapping[str, Any]) -> str:
    value = run.get(name)
    if value is None:
        return NOT_MEASURED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if define(name).kind == "share":
        total = run.get("tests_total")
        return f"{100 * value:.4g} %" + ("" if total is None else f" of {total:,} tests")
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}"
