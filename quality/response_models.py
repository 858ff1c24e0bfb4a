"""What is known about one AI response? Its message metadata, the diagnostics around it, and what people did with it.

A *response* is what one model answered to one request, tool calls included. Counts that nobody took are `None`, never 0.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from quality.observations import Count, NonEmpty
from quality.response_settings import ResponseWeights

ToolStatus = Literal["success", "error", "unknown"]
Signal = Literal["accept", "revert", "redo", "edit_after_apply"]
SIGNALS: tuple[Signal, ...] = get_args(Signal)
"""What a person can do with a response, in the order of their columns."""
Level = Literal["error", "warning", "information", "hint", "unspecified"]
"""`unspecified`: the source states none; such a finding, like those below a warning, changes no score."""


def _utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _underscores(value: Any) -> Any:
    return value.strip().lower().replace("-", "_") if isinstance(value, str) else value


WrittenSignal = Annotated[Signal, BeforeValidator(_underscores)]
"""As people write it: `edit-after-apply` too."""
Instant = Annotated[datetime, AfterValidator(_utc)]
"""UTC; a naive time is taken as UTC."""
Tokens = Annotated[int, Field(ge=0, le=2**63 - 1)]


class _Record(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=())


class ToolResult(_Record):
    """How one tool call of the response ended."""

    name: NonEmpty
    status: ToolStatus
    """`unknown`: it was called, and how it ended is not recorded; such a call counts for nothing."""


class TokenUsage(_Record):
    """Tokens that the response took: stored and shown, not scored."""

    input: Tokens | None = None
    output: Tokens | None = None
    reasoning: Tokens | None = None
    cache_read: Tokens | None = None
    cache_write: Tokens | None = None


class MessageMetadata(_Record):
    """What the assistant's message says about itself.

    Tool calls are listed in `tool_results`, or only counted in `tools_ok` and `tools_failed`; listed ones set the
    counts, and counts that contradict them are refused.
    """

    response_id: NonEmpty | None = None
    """The source's own id of the response."""
    session_id: NonEmpty | None = None
    story_id: NonEmpty | None = None
    agent: NonEmpty | None = None
    provider: NonEmpty | None = None
    model: NonEmpty | None = None
    role: Literal["assistant"] = "assistant"
    occurred_at: Instant | None = None
    """When the response ended, by the source's clock."""
    tool_results: list[ToolResult] | None = None
    """In the order of the calls; `None` = they are only counted."""
    tools_ok: Count = 0
    tools_failed: Count = 0
    tools_unknown: Count = 0
    response_error: bool = False
    """The response itself ended in an error: refused, cut off, or failed on the way."""
    error: str | None = None
    """What the error said, as text."""
    tokens: TokenUsage = Field(default_factory=TokenUsage)

    @model_validator(mode="after")
    def _counts_are_of_the_list(self) -> "MessageMetadata":
        if self.tool_results is not None:
            found = Counter(result.status for result in self.tool_results)
            counts = {"tools_ok": found["success"], "tools_failed": found["error"], "tools_unknown": found["unknown"]}
            for name, count in counts.items():
                stated = getattr(self, name)
                if name in self.model_fields_set and stated != count:
                    raise ValueError(f"{name} is {stated}, but tool_results has {count}: leave {name} out")
                self.__dict__[name] = count
        if self.error is not None:
            if "response_error" in self.model_fields_set and not self.response_error:
                raise ValueError("error says what went wrong, but response_error is false: leave one of them out")
            self.__dict__["response_error"] = True
        return self


class Diagnostic(_Record):
    """One finding of a language server or linter."""

    file: str | None = None
    """Path or URI, as written."""
    severity: Level
    code: str | None = None
    source: str | None = None
    """The tool that found it."""
    message: str | None = None
    line: Annotated[int, Field(ge=0)] | None = None
    """Shown only: an edit above a finding moves it, which makes it no other finding."""

    @property
    def identity(self) -> tuple[str | None, ...]:
        """What tells two findings apart: file, severity, source, code and message. Alike ones count one by one."""
        return self.file, self.severity, self.source, self.code, self.message


class Diagnostics(_Record):
    """A snapshot of all diagnostics at one moment: counts, and the findings themselves where they are known."""

    errors: Count
    warnings: Count
    findings: list[Diagnostic] | None = None
    """Every one of them; `None` = only counted."""

    @model_validator(mode="before")
    @classmethod
    def _count(cls, value: Any) -> Any:
        """Findings given without counts are counted."""
        if isinstance(value, list):
            value = {"findings": value}
        if not isinstance(value, dict) or not isinstance(value.get("findings"), list):
            return value
        levels = Counter(f.severity if isinstance(f, Diagnostic) else _level(f) for f in value["findings"])
        return {"errors": levels["error"], "warnings": levels["warning"]} | value

    @model_validator(mode="after")
    def _counts_are_of_the_findings(self) -> "Diagnostics":
        if self.findings is not None:
            levels = Counter(f.severity for f in self.findings)
            for name, level in (("errors", "error"), ("warnings", "warning")):
                if getattr(self, name) != levels[level]:
                    raise ValueError(
                        f"{name} is {getattr(self, name)}, but findings has {levels[level]}: leave {name} out"
                    )
        return self


class FeedbackEvent(_Record):
    """What a person did with a response. The same event id twice is one event; without one, each is its own."""

    signal: WrittenSignal
    event_id: NonEmpty | None = None
    occurred_at: Instant | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:
        return {"signal": value} if isinstance(value, str) else value


class ResponseRecord(_Record):
    """A response with everything that its score depends on: what readers yield and the ledger keeps."""

    metadata: MessageMetadata
    lsp_before: Diagnostics | None = None
    lsp_after: Diagnostics | None = None
    feedback: list[FeedbackEvent] = []
    weights: ResponseWeights | None = None
    """In place of those of the settings."""


class ResponseScore(_Record):
    """A response's composite 0–100 with its explanation."""

    composite: float | None
    """0–100, 100 is best; `None` where no part that has weight is known."""
    sub_scores: dict[str, float | None]
    """`correctness`, `user_feedback`, `static_analysis`, each 0–100; `None` = missing."""
    effective_weights: dict[str, float]
    """Weight that each part present really had; they sum to 1."""
    missing: list[str]
    """Parts that are not known; their weight is shared out in proportion."""
    coverage: float
    """0–1, share of the weight whose parts are known."""
    contributions: dict[str, float]
    """What each part present adds to the composite; they sum to it."""

    def answer(self) -> dict[str, Any]:
        """The JSON of the command line: scores with two decimals, shares with four."""

        def short(value: float | None, digits: int) -> float | None:
            return None if value is None else round(value, digits)

        return {
            "composite": short(self.composite, 2),
            "sub_scores": {name: short(score, 2) for name, score in self.sub_scores.items()},
            "effective_weights": {name: short(weight, 4) for name, weight in self.effective_weights.items()},
            "missing": self.missing,
            "coverage": short(self.coverage, 4),
        }


def signal_counts(events: Iterable[FeedbackEvent | str]) -> dict[str, int]:
    """How often each signal was given, an event id counted once, whatever the order.

    Raises:
        ValueError: one event id with two different signals.

    >>> signal_counts(["accept", FeedbackEvent(signal="redo", event_id="a"), FeedbackEvent(signal="redo", event_id="a")])
    {'accept': 1, 'revert': 0, 'redo': 1, 'edit_after_apply': 0}
    """
    counts: dict[str, int] = dict.fromkeys(SIGNALS, 0)
    by_id: dict[str, str] = {}
    for given in events:
        event = FeedbackEvent.model_validate(given)
        if event.event_id is not None:
            known = by_id.setdefault(event.event_id, event.signal)
            if known != event.signal:
                both = " and ".join(sorted((known, event.signal)))
                raise ValueError(f"event id {event.event_id!r} stands for {both}: give each event an id of its own")
            by_id[event.event_id] = event.signal
        else:
            counts[event.signal] += 1
    for signal in by_id.values():
        counts[signal] += 1
    return counts


def _level(finding: Any) -> Any:
    return finding.get("severity") if isinstance(finding, dict) else None
