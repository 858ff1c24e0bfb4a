"""What does a resolved run score? The one path from resolved observations to a ledger row.

Arrow columns in, Arrow columns out: one run or a million are the same call, and a batch engine can call it
on its own partitions. It knows no file, no database and no screen.
"""

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from quality.catalogue import UNKNOWN, canonical_model, model_family
from quality.composite import ROUNDING
from quality.settings import ModelSettings, ScoringSettings
from quality.signals import SIGNALS, auto_score
from quality.tiers import CAVEATS, TIERS, caveat_mask, caveats_of, resolve

COMPUTED = (
    "model", "quality_auto", "coverage", "quality", "signal_source", "signal_weight", "low_confidence", "rework", "correct",
    "accepted", "caveats", "ts", "settings_hash",
)  # fmt: skip
"""What this module adds to a resolved run."""


@cache
def _caveat_lists() -> pa.Array:
    """Mask → caveats. Made when first needed: Arrow loads pandas before it takes its first list, a third of a command's start."""
    return pa.array([caveats_of(mask) for mask in range(1 << len(CAVEATS))], pa.list_(pa.string()))


def score_runs(resolved: pa.Table, settings: ScoringSettings) -> pa.Table:
    """Resolved runs → ledger rows: the auto composite, the effective tier and the caveats are added.

    Args:
        resolved: one row a run, the columns of `resolution.resolve_runs`. Shape n.
        settings: weights, caps and thresholds; their hash is written to each row.

    Returns:
        The same rows with the columns `COMPUTED` added. Scores are 0–10, null = unknown.
    """
    auto = auto_score(
        {name: _floats(resolved, name) for name in SIGNALS}, _floats(resolved, "tests_total"), settings.auto
    )
    verifier, human = _floats(resolved, "quality_verifier"), _floats(resolved, "quality_human")
    effective = resolve(auto.value, verifier, human, settings.tiers)
    spread = np.maximum(_floats(resolved, "verifier_spread"), _floats(resolved, "human_spread"))
    mask = caveat_mask({
        "few_tests": auto.few_tests,
        "low_coverage": auto.low_coverage,
        "conflicting_verdicts": _flags(resolved["conflicting"]),
        "raters_disagree": _flags(resolved["verifier_disagree"]) | _flags(resolved["human_disagree"])
        | (spread >= settings.tiers.disagree_points - ROUNDING),
        "tiers_disagree": effective.tiers_disagree,
        "same_family_verifier": _same_family(resolved, settings.models),
        "split_model": _flags(resolved["split_model"]),
        "unknown_model": _flags(pc.equal(resolved["model_version"], UNKNOWN)),
        "synthetic": _flags(resolved["synthetic"]),
        "results_disagree": _flags(resolved["results_disagree"]),
        "older_report": _flags(resolved["older_report"]),
    })  # fmt: skip
    scored = effective.source >= 0
    tier = pa.array(np.where(scored, effective.source, 0), pa.int8(), mask=~scored)
    rework = pc.coalesce(resolved["human_rework"], resolved["verifier_rework"])
    added = {
        "model": _canonical(resolved["model_version"], settings.models),
        "quality_auto": _nullable(auto.value),
        "coverage": pa.array(auto.coverage),
        "quality": _nullable(effective.value),
        "signal_source": pa.array(TIERS).take(tier),
        "signal_weight": _nullable(effective.weight),
        "low_confidence": pa.array(effective.low_confidence == 1.0, mask=~scored),
        "rework": rework,
        "correct": pc.coalesce(resolved["human_correct"], resolved["verifier_correct"], resolved["verified_by_ci"]),
        "accepted": pa.array(
            (effective.value >= settings.tiers.accepted_quality - ROUNDING) & ~_flags(rework), mask=~scored
        ),
        "caveats": _caveat_lists().take(pa.array(mask)),
        "ts": _effective_at(resolved, tier),
        "settings_hash": pa.repeat(pa.scalar(settings.hash), resolved.num_rows),
    }
    return pa.table({**{name: resolved[name] for name in resolved.column_names}, **added})


def _effective_at(resolved: pa.Table, tier: pa.Array) -> pa.ChunkedArray | pa.Array:
    """When the effective score was given; for a run without a score, when it happened, else was recorded."""
    times = [resolved[name].combine_chunks() for name in ("auto_at", "verifier_at", "human_at")]
    given = pc.choose(tier, *times) if len(tier) else times[0]
    return pc.coalesce(given, *(resolved[name].combine_chunks() for name in ("occurred_at", "recorded_at")))


def _floats(table: pa.Table, name: str) -> NDArray[np.float64]:
    """A numeric or boolean column as floats, NaN where null."""
    column = table[name]
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    return column.to_numpy().astype(np.float64, copy=False)


def _flags(column: pa.ChunkedArray) -> NDArray[np.bool_]:
    """A boolean column, false where null."""
    return column.fill_null(False).to_numpy(zero_copy_only=False).astype(bool)


def _nullable(values: NDArray[np.float64]) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))


def _same_family(table: pa.Table, models: ModelSettings) -> NDArray[np.bool_]:
    """Whether the builder and one of the verifiers that count belong to one family; a name is looked up once."""
    builders, builder = _codes(table["model_version"])
    verifiers, verifier = _codes(table["verifier_model"])
    builder_families = [_families(name, models) for name in builders]
    verifier_families = [_families(name, models) for name in verifiers]
    pairs, pair_of_row = np.unique(builder * len(verifiers) + verifier, return_inverse=True)
    shared = [bool(builder_families[p // len(verifiers)] & verifier_families[p % len(verifiers)]) for p in pairs]
    return np.array(shared, dtype=bool)[pair_of_row] if len(pairs) else np.zeros(0, dtype=bool)


def _codes(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int64]]:
    """Distinct names, "" for null, and the index of each row's name among them."""
    encoded = pc.fill_null(column, "").combine_chunks().dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)


def _canonical(column: pa.ChunkedArray, models: ModelSettings) -> pa.Array:
    names, code = _codes(column)
    return pa.array([canonical_model(name, models.aliases) for name in names], pa.string()).take(pa.array(code))


def _families(names: str, models: ModelSettings) -> set[str]:
    """The known families of one model, or of several joined by "; " (a panel of verifiers)."""
    return {f for name in names.split("; ") if (f := model_family(name, models.families, models.aliases))}
