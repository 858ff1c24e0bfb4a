"""How are words taken out of what is kept? Whole values become a mark, JSON stays JSON, and names stay names."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

MARK = "[redacted]"
"""What stands where something was forgotten."""
LEAST_WITHIN = 12
"""Characters from which a text is also taken out of a longer one; a shorter one could stand there by chance."""
NAMES = frozenset({
    "key", "hash", "settings", "settings_hash", "idempotency_key", "name", "actor", "table", "sha256", "prompt_sha256",
    "diff_sha256", "source_sha256", "content_key", "keyed_hash", "format", "status", "kind", "id",
    "agent", "model", "model_version", "original", "model_at_dispatch", "model_at_completion", 
    "reviewer", "verifier_agent", "verifier_model", "verifier", "rater", "review_reason", "signal", "signal_source",
    "runner", "test_outcomes", "failure_code", "backend", "backend_used", "prompt_version", "stop_reason", "provider",
    "cause", "severity", "candidate_run", "candidate", "critic_mode", "category", "risk_level", "recommendation",
    "discipline", "org_domain", "industry", "phase", "survivor", "seen", "revision",
})  # fmt: skip
"""Columns, and fields of JSON, that hold names, kinds and hashes: numbers hang on them, and they are told to people."""
JSON = frozenset({
    "request", "answer", "before", "counts", "warnings", "target", "attributes", "dimensions", "suggestions", "weights",
    "tools", "head", "document", "protected_paths",
})  # fmt: skip
"""Columns whose text is JSON."""


def is_name(column: str) -> bool:
    """Whether it holds names, kinds, ids or hashes, and so nobody's words.

    >>> is_name("story_id"), is_name("reviewer"), is_name("note"), is_name("reason")
    (True, True, False, False)
    """
    return column in NAMES or column.endswith("_id")


@dataclass(frozen=True)
class Words:
    """Texts that are to be forgotten.

    >>> Words(("a secret note",)).taken_from("note", "see: a secret note!"), Words(("no",)).taken_from("note", "no, no")
    ('see: [redacted]!', 'no, no')
    >>> Words(('say "x"',)).taken_from("request", '{"note":"say \\\\"x\\\\"","rating":3}')
    '{"note":"[redacted]","rating":3}'
    """

    texts: tuple[str, ...]
    least: int = LEAST_WITHIN
    """Shorter ones are taken out only where they are all of a value."""

    @cached_property
    def needles(self) -> list[str]:
        """As the texts may be written: as they are, within JSON, and within JSON in JSON."""
        once = {form for text in self.texts for form in _forms(text)}
        return sorted(once | {form for text in once for form in _forms(text)}, key=len, reverse=True)

    def taken_from(self, column: str, value: str) -> str:
        """The value of a column without the texts; the same where none of them is in it."""
        if column in JSON:
            try:
                document = json.loads(value)
            except ValueError:
                return self._taken(value)
            taken = self._walk(document)
            return value if taken == document else json.dumps(taken, ensure_ascii=False, separators=(",", ":"))
        return self._taken(value)

    def _walk(self, part: Any) -> Any:
        if isinstance(part, dict):
            return {name: value if is_name(name) else self._walk(value) for name, value in part.items()}
        if isinstance(part, list):
            return [self._walk(value) for value in part]
        return self._taken(part) if isinstance(part, str) else part

    def _taken(self, value: str) -> str:
        if value in self._whole:
            return MARK
        for form in self._within:
            value = value.replace(form, MARK)
        return value

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(self.texts)

    @cached_property
    def _within(self) -> list[str]:
        """Longest first, so that a text within another does not cut it."""
        long = [text for text in self.texts if len(text) >= self.least]
        return sorted({form for text in long for form in _forms(text)}, key=len, reverse=True)


def words(texts: Iterable[str | None], least: int = LEAST_WITHIN) -> Words:
    """The texts that there are, each once; what was forgotten before is none.

    >>> words([None, "", "[redacted]", "a", "a"]).texts
    ('a',)
    """
    return Words(tuple(dict.fromkeys(text for text in texts if text and text.strip() and text != MARK)), least)


def _forms(text: str) -> tuple[str, str, str]:
    """A text as it is, and as it stands within JSON, of both habits.

    >>> _forms('"é')
    ('"é', '\\\\"é', '\\\\"\\\\u00e9')
    """
    return text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]
