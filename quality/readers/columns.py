"""What does a table's header mean? Names → the columns of the ledger, and which of two shapes its rows have.

MODEL.md, "CSV for Tokq subscribers" and "Importing others' rows". Export-shaped rows hold a run with its
tiers side by side; rating-shaped rows hold one rating, whose tier `signal_source` names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from quality.errors import did_you_mean
from quality.observations import COORDINATE

ALIASES: dict[str, str] = {
    "model": "model_version",
    "source": "signal_source",
    "id": "source_id",
    "dispatch_rework": "rework_count",
    "rework_needed": "rework",
}
"""Seed names that are accepted → the name here. `rater` is the reviewer of a human row and the verifier agent of
a verifier's; camelCase of any name is accepted too. Where both are there, the alias is kept as an attribute."""

SIGNALS = (
    "test_pass_rate", "tests_total", "build_success", "verified_by_ci", "rework_count", "micro_rework",
    "pr_review_cycles", "duration_vs_estimate",
)  # fmt: skip
RUN_FACTS = ("run_id", "agent", "model_version", "attempt", "model_at_dispatch", "model_at_completion", "split_model")
STORY_FACTS = ("story_id", "title", *COORDINATE, "estimated_tokens", "done_criteria", "synthetic")
TIERS = ("quality_auto", "quality_verifier", "quality_human")
VERDICT = ("quality_verifier", "n_verifier", "verifier_agent", "verifier_model", "verifier_at")
OVERRIDE = ("quality_human", "n_human", "reviewer", "rater", "note", "human_at", "review_reason", "review_probability")
RATING = ("quality", "signal_source", "source_id", "raw", "rework", "correct", "ts")
COMPUTED = ("address", "signal_weight", "low_confidence", "coverage", "accepted", "caveats", "quality_auto")
"""Derived by the ledger, never taken from a file."""
KNOWN = tuple(
    dict.fromkeys((*STORY_FACTS, *RUN_FACTS, *SIGNALS, *VERDICT, *OVERRIDE, *RATING, *COMPUTED))
)  # fmt: skip

Shape = Literal["export", "rating"]


@dataclass(frozen=True)
class Layout:
    """Which column is what."""

    shape: Shape
    columns: dict[str, int] = field(default_factory=dict)
    """Name here → place in the table."""
    attributes: dict[str, int] = field(default_factory=dict)
    """Columns that the ledger has no place for: name as written → place in the table."""


def layout_of(header: Sequence[str]) -> Layout | str:
    """The layout, or in one sentence why the table cannot be read.

    >>> layout_of(["storyId", "model", "source", "quality", "mood"]).shape
    'rating'
    >>> layout_of(["story", "quality"])
    'there is no column story_id (there are: story, quality): name the column of story ids so. Did you mean: story?'
    """
    places: dict[str, list[int]] = {}
    aliased: dict[str, list[int]] = {}
    for place, name in enumerate(header):
        found = _plain(name)
        if found in KNOWN:
            places.setdefault(found, []).append(place)
        elif found in ALIASES:
            aliased.setdefault(ALIASES[found], []).append(place)
    for name, found_at in aliased.items():
        places.setdefault(name, found_at)
    for name, found_at in places.items():
        if len(found_at) > 1:
            written = ", ".join(header[place] for place in found_at)
            return f"{len(found_at)} columns say {name} ({written}): keep one of them, or rename the other"
    columns = {name: found_at[0] for name, found_at in places.items()}
    if "story_id" not in columns:
        return _no_story_id(header)
    used = set(columns.values())
    shape = _shape(set(columns))
    if shape is None:
        return (
            "a column story_id alone says nothing of a run: add a rating (quality and signal_source, quality_human, "
            "quality_verifier), a signal (test_pass_rate, …) or a part of the run (agent, model_version, attempt)"
        )
    rest = [(place, name.strip() or f"column_{place + 1}") for place, name in enumerate(header) if place not in used]
    return Layout(shape, columns, _distinct(rest))


def _shape(columns: set[str]) -> Shape | None:
    if "quality" in columns and not columns & {*TIERS, *SIGNALS}:
        return "rating"
    return "export" if columns & {*SIGNALS, *TIERS, *RUN_FACTS} else None


def _plain(name: str) -> str:
    """camelCase, blanks and capitals → snake_case.

    >>> _plain("modelVersion"), _plain(" Story ID")
    ('model_version', 'story_id')
    """
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s-]+", "_", snake).lower()


def _distinct(named: list[tuple[int, str]]) -> dict[str, int]:
    attributes: dict[str, int] = {}
    for place, name in named:
        unique, n = name, 1
        while unique in attributes:
            n += 1
            unique = f"{name}_{n}"
        attributes[unique] = place
    return attributes


def _no_story_id(header: Sequence[str]) -> str:
    names = [name.strip()[:40] for name in header]
    listed = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    near = did_you_mean("story_id", names) or did_you_mean("story", names)
    return f"there is no column story_id (there are: {listed}): name the column of story ids so.{near}"
