"""Which columns can an export have, which may be chosen together, and what of it comes back when it is imported?"""

from collections.abc import Sequence

from quality.errors import QualityError, did_you_mean
from quality.profiles import PROFILE_COLUMNS

SUBSCRIBER = (
    "run_id", "address", "story_id", "title", "agent", "model_version", "attempt", "discipline", "org_domain", "industry",
    "phase", "signal_source", "signal_weight", "quality", "low_confidence", "caveats", "quality_auto", "test_pass_rate",
    "tests_total", "build_success", "verified_by_ci", "rework_count", "pr_review_cycles", "duration_vs_estimate",
    "micro_rework", "coverage", "quality_verifier", "n_verifier", "verifier_agent", "verifier_model", "verifier_at",
    "quality_human", "n_human", "reviewer", "note", "rework", "correct", "human_at", "review_reason", "review_probability",
    "split_model", "ts",
)  # fmt: skip
"""MODEL.md, CSV for Tokq subscribers, in its order: the default."""
BESIDES = (
    "model", "accepted", "synthetic", "model_at_dispatch", "model_at_completion", "started_at", "recorded_at",
    "settings_hash",
)  # fmt: skip
"""What else a row of the ledger says of a run."""
ROW_COLUMNS = (*SUBSCRIBER, *BESIDES)
KEYS = ("story_id", "agent", "model_version", "attempt")
"""Which run a row is about; without all of them an import cannot tell it."""
SCORES = (
    "run_id", *KEYS, "signal_source", "quality", "quality_auto", "quality_verifier", "quality_human", "low_confidence",
    "accepted", "ts",
)  # fmt: skip
PRESETS: dict[str, tuple[str, ...]] = {"Subscriber": SUBSCRIBER, "All": ROW_COLUMNS, "Scores only": SCORES}
"""Name → its columns in order, the default first."""
DERIVED = ("address", "signal_weight", "quality", "low_confidence", "quality_auto", "coverage", *BESIDES)
"""What an import works out by itself, or does not need."""
_SHAPE = (
    "quality_auto", "quality_verifier", "quality_human", "test_pass_rate", "tests_total", "build_success",
    "verified_by_ci", "rework_count", "micro_rework", "pr_review_cycles", "duration_vs_estimate",
)  # fmt: skip
"""A table with `quality` and none of these is read as a list of ratings."""


def columns_of(chosen: Sequence[str] | None, profiles: bool = False) -> tuple[str, ...]:
    """The columns of an export: those chosen, in their order, else the default ones.

    >>> columns_of(["quality", "story_id"])
    ('quality', 'story_id')

    Raises:
        QualityError: none, one that is not known, or one twice; names those that are meant.
    """
    known = PROFILE_COLUMNS if profiles else ROW_COLUMNS
    if chosen is None:
        return PROFILE_COLUMNS if profiles else SUBSCRIBER
    if not chosen:
        raise QualityError(
            "no column is chosen: name at least one, or leave the choice out for all of the default ones"
        )
    for place, name in enumerate(chosen):
        if name not in known:
            near = did_you_mean(name[:80], list(known)) or f" There are: {', '.join(known)}"
            raise QualityError(f"{name[:80]}: no such column of {'profiles' if profiles else 'the rows'}.{near}")
        if name in chosen[:place]:
            raise QualityError(f"{name}: is chosen twice: name it once")
    return tuple(chosen)


def comes_back(columns: Sequence[str]) -> str:
    """What importing a file of these columns into an empty ledger gives, in one sentence.

    >>> comes_back(SUBSCRIBER)
    'Imported into an empty ledger it gives the same rows back.'
    >>> comes_back(["story_id", "quality"])
    'It cannot be imported as the same runs: that needs agent, model_version, attempt.'
    """
    if missing := [name for name in KEYS if name not in columns]:
        return f"It cannot be imported as the same runs: that needs {', '.join(missing)}."
    if "quality" in columns and not set(columns) & set(_SHAPE):
        return "It cannot be imported as the same runs: effective scores without those of a tier are read as ratings."
    lost = [name for name in SUBSCRIBER if name not in columns and name not in DERIVED]
    if not lost:
        return "Imported into an empty ledger it gives the same rows back."
    return f"Imported into an empty ledger it gives the runs back without {', '.join(lost)}."
