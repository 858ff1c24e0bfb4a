"""Model families and canonical ids."""

import pytest

from quality.catalogue import canonical_model, model_family


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5-codex", "openai"),
        ("openai/o3-mini", "openai"),
        ("claude-sonnet-4-6", "anthropic"),
        ("gemini-2.5-pro", "google"),
        ("grok-build", "xai"),
        ("Qwen2.5-Coder-32B", "alibaba"),
        ("unknown", None),
        ("best-tranx-rerank", None),
        ("Ornith-1.0-9B-4bit", None),
        (None, None),
    ],
)
def test_family_of_a_model(model, family):
    assert model_family(model) == family


def test_a_teams_own_patterns_come_first():
    assert model_family("gpt-neox", {"neox": "eleuther"}) == "eleuther"
    assert model_family("house-model", {}, {"house-model": "claude-sonnet-4-6"}) == "anthropic"


def test_only_the_provider_prefix_is_stripped():
    assert canonical_model("bedrock/anthropic/claude-sonnet-4-6@latest") == "claude-sonnet-4-6@latest"
    assert canonical_model("Claude-Sonnet") == "Claude-Sonnet"
