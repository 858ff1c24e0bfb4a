"""Which family does a model belong to, and which id is the canonical one?

A verifier of the builder's own family is a caveat, so families must be told apart; a model that no
pattern knows has no family and never equals another.
"""

import re
from collections.abc import Mapping

FAMILIES: tuple[tuple[str, str], ...] = (
    (r"(^|[/-])(gpt|o[134]|codex|davinci|chatgpt)\b", "openai"),
    (r"\bclaude\b", "anthropic"),
    (r"\b(gemini|gemma|palm)\b", "google"),
    (r"\bgrok\b", "xai"),
    (r"\b(llama|codellama)", "meta"),
    (r"\b(mistral|mixtral|codestral|devstral|magistral)", "mistral"),
    (r"\b(qwen|qwq)", "alibaba"),
    (r"\bdeepseek\b", "deepseek"),
    (r"\b(command-r|command-a|aya)\b", "cohere"),
    (r"\b(phi-\d)", "microsoft"),
    (r"\b(kimi|moonshot)\b", "moonshot"),
    (r"\b(glm|chatglm)", "zhipu"),
    (r"\b(nova)-(micro|lite|pro|premier)\b", "amazon"),
)
"""Ordered, first match wins: regular expression on the canonical id in lower case → family."""

UNKNOWN = "unknown"
"""The agent or model id that stands for "not recorded"."""


def canonical_model(model: str, aliases: Mapping[str, str] | None = None) -> str:
    """The id under which two spellings meet: an alias if listed, else without a `provider/` prefix.

    >>> canonical_model("anthropic/claude-sonnet-4-6")
    'claude-sonnet-4-6'
    >>> canonical_model("sonnet", {"sonnet": "claude-sonnet-4-6"})
    'claude-sonnet-4-6'
    """
    if aliases and model in aliases:
        return aliases[model]
    return model.rsplit("/", 1)[-1]


def model_family(
    model: str | None, families: Mapping[str, str] | None = None, aliases: Mapping[str, str] | None = None
) -> str | None:
    """The family of a model, `None` where no pattern matches.

    `families` (pattern → family) are tried before the built-in table.

    >>> model_family("gemini-2.5-pro"), model_family("openai/gpt-5-codex"), model_family("baseline")
    ('google', 'openai', None)
    """
    if not model or model == UNKNOWN:
        return None
    name = canonical_model(model, aliases).lower()
    table = [*(families or {}).items(), *FAMILIES]
    return next((family for pattern, family in table if re.search(pattern, name)), None)
