"""What do the rows of a table say? Columns → observations and rejects, a block of rows at a time.

Every cell is used, rejected with line and reason, derived by the ledger itself (`COMPUTED`), or kept as an
attribute. A bad cell takes with it only the record it is part of: a row's signals stand without its rating.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from quality.catalogue import UNKNOWN
from quality.observations import COORDINATE, Batch, with_all_columns
from quality.readers.attributes import attributes_json
from quality.readers.base import Target
from quality.readers.block import Block, Mask, Tally, valid
from quality.readers.columns import SIGNALS, Layout
from quality.readers.instants import INSTANT
from quality.readers.numbers import Parsed
from quality.readers.rows import Rows

REASONS = ("random", "queue", "choice")
UUID = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"


def observe(rows: Rows, layout: Layout, target: Target, tally: Tally) -> Batch:
    """The observations of a block of rows. Every part of the run key is stated, from the row or the target."""
    block = _with_key(Block.of(rows, layout, tally), target)
    if layout.shape == "rating":
        block, tables = _ratings(block)
    else:
        tables = _tiers(block)
    if block.n:
        tables["runs"] = _runs(block, target)
        tables["stories"] = _stories(block)
    rejects = block.rejects.table()
    if rejects is not None:
        tables["rejects"] = rejects
    return Batch({name: table for name, table in tables.items() if table.num_rows}, list(rows.warnings))


def _with_key(block: Block, target: Target) -> Block:
    """The rows that name a story and an attempt; empty rows are passed over."""
    story = block.named("story_id")
    if target.story_id:
        story = story.fill_null(target.story_id)
    named = _not_blank(story)
    if not named.all():
        empty = ~named & ~np.any([valid(c) for c in (*block.columns.values(), *block.extra.values())], axis=0)
        block.refuse("story_id", "the story is not named: give its id", ~named & ~empty)
    block.columns["story_id"] = story
    attempt = block.read("attempt", among=named)
    return block.keep(named if attempt.bad is None else named & ~attempt.bad)


def _not_blank(column: pa.Array) -> Mask:
    return pc.not_equal(pc.utf8_trim_whitespace(column), "").fill_null(False).to_numpy(zero_copy_only=False)


def _ratings(block: Block) -> tuple[Block, dict[str, pa.Table]]:
    """Rating-shaped rows: `quality` goes to the tier that `signal_source` names. A row that cannot be used says nothing."""
    source = pc.utf8_lower(pc.utf8_trim_whitespace(block.named("signal_source"))).fill_null("")
    tiers = {name: pc.equal(source, name).to_numpy(zero_copy_only=False) for name in ("auto", "verifier", "human")}
    rated = tiers["verifier"] | tiers["human"]
    block.refuse(
        "signal_source",
        "auto is computed from signals, never given: give the signals (test_pass_rate, build_success, …) instead",
        tiers["auto"],
    )
    block.refuse(
        "signal_source", "the source of a rating is human or verifier: name one of them", ~rated & ~tiers["auto"]
    )
    quality = block.read("quality", among=rated)
    raw = getattr(quality, "raw", None)
    empty = ~valid(quality.values) if quality.bad is None else ~valid(quality.values) & ~quality.bad
    block.refuse("quality", "the rating is empty: give a number from 0 to 10", empty & rated)
    usable = rated & valid(quality.values)
    for name in ("ts", "human_at", "verifier_at"):
        bad = block.read(name, among=usable).bad
        usable = usable if bad is None else usable & ~bad
    if raw is not None:
        block.columns["raw"] = pc.coalesce(block.named("raw"), raw)
    block.columns["is_human"] = pa.array(tiers["human"])
    block = block.keep(usable)

    human = block.columns.pop("is_human").to_numpy(zero_copy_only=False)
    rater, model = block.named("rater"), block.named("verifier_model")
    speaks = pc.and_(pa.array(~human), model.is_null())
    _keep_unused(block, {
        "rater": ~human & valid(model), **dict.fromkeys(("reviewer", "review_reason", "review_probability"), ~human),
        **dict.fromkeys(("verifier_agent", "verifier_model"), human),
    })  # fmt: skip
    common = {
        "source_id": block.named("source_id"), "quality": block.read("quality").values, "raw": block.named("raw"),
        "correct": block.read("correct").values, "rework": block.read("rework").values, "note": block.text("note"),
    }  # fmt: skip
    ts = block.read("ts").values
    verdict = {
        **common, "occurred_at": pc.coalesce(ts, block.read("verifier_at").values), "verifier_model": model,
        "verifier_agent": pc.coalesce(block.named("verifier_agent"), pc.if_else(speaks, rater, pa.scalar(None, pa.string()))),
    }  # fmt: skip
    override = {
        **common, "occurred_at": pc.coalesce(ts, block.read("human_at").values),
        "reviewer": pc.coalesce(block.named("reviewer"), rater), **_review(block, human),
    }  # fmt: skip
    return block, {
        "verdicts": _picked("verdicts", block, verdict, ~human),
        "overrides": _picked("overrides", block, override, human),
    }


def _tiers(block: Block) -> dict[str, pa.Table]:
    """Export-shaped rows: signals, verdict and override side by side."""
    ts = block.read("ts")
    source = block.named("signal_source")
    caveat = {name: _has_caveat(block, name) for name in ("raters_disagree", "conflicting_verdicts")}
    human, verifier = (_tier(block, tier, ts, source) for tier in ("human", "verifier"))
    several = {tier: part.has & (part.n_ratings > 1) for tier, part in (("human", human), ("verifier", verifier))}
    to_human = caveat["raters_disagree"] & (several["human"] | (human.has & ~several["verifier"]))
    correct, rework = _judgement(block, human, verifier)
    on_human = pa.array(human.has)
    nothing = pa.scalar(None, pa.bool_())
    override = {
        **human.columns, "raters_disagree": pa.array(to_human),
        "reviewer": pc.coalesce(block.named("reviewer"), block.named("rater")),
        "note": block.text("note"), "correct": correct, "rework": rework, **_review(block, human.has),
    }  # fmt: skip
    verdict = {
        **verifier.columns, "raters_disagree": pa.array(caveat["raters_disagree"] & ~to_human),
        "verifier_agent": block.named("verifier_agent"), "verifier_model": block.named("verifier_model"),
        "conflicting": pa.array(caveat["conflicting_verdicts"]),
        "correct": pc.if_else(on_human, nothing, correct), "rework": pc.if_else(on_human, nothing, rework),
    }  # fmt: skip
    _keep_unused(block, {
        **dict.fromkeys(("note", "reviewer", "rater", "review_reason", "review_probability", "human_at"), ~human.has),
        **dict.fromkeys(("verifier_agent", "verifier_model", "verifier_at"), ~verifier.has),
        "source_id": np.ones(block.n, dtype=bool), "raw": np.ones(block.n, dtype=bool),
    })  # fmt: skip
    return {
        "signals": _signals(block, ts),
        "verdicts": _picked("verdicts", block, verdict, verifier.has),
        "overrides": _picked("overrides", block, override, human.has),
    }


@dataclass(frozen=True)
class _Tier:
    has: Mask
    n_ratings: NDArray[np.int64]
    columns: dict[str, pa.Array]


def _tier(block: Block, tier: str, ts: Parsed, source: pa.Array) -> _Tier:
    """The rating of one tier, its time and how many ratings it stands for; a bad one of them is a reject of all three."""
    quality = block.read(f"quality_{tier}")
    given = valid(quality.values)
    n_ratings, at = block.read(f"n_{tier}", among=given), block.read(f"{tier}_at", among=given)
    falls_back = pc.or_kleene(source.is_null(), pc.equal(source, tier)).fill_null(True)
    undated = ~valid(at.values) & falls_back.to_numpy(zero_copy_only=False)
    has = given
    for bad in (n_ratings.bad, at.bad, None if ts.bad is None else ts.bad & undated):
        has = has if bad is None else has & ~bad
    occurred = at.values
    if undated.any():
        occurred = pc.coalesce(at.values, pc.if_else(falls_back, ts.values, pa.scalar(None, INSTANT)))
    n = n_ratings.values.fill_null(1)
    columns = {"quality": quality.values, "n_ratings": n, "occurred_at": occurred}
    if (raw := getattr(quality, "raw", None)) is not None:
        columns["raw"] = raw
    return _Tier(has, n.to_numpy(), columns)


def _judgement(block: Block, human: _Tier, verifier: _Tier) -> tuple[pa.Array, pa.Array]:
    """`correct` and `rework` of the highest tier that rated. Without a rating nobody has said so: a reject.

    `correct` that only repeats `verified_by_ci` is not a rater's word.
    """
    rated = human.has | verifier.has
    offered = np.zeros(block.n, dtype=bool)
    for tier in ("human", "verifier"):
        offered |= block.stated(f"quality_{tier}")
    correct, ci = block.read("correct").values, block.read("verified_by_ci").values
    own = pc.if_else(pc.equal(correct, ci).fill_null(False), pa.scalar(None, pa.bool_()), correct)
    rework = block.read("rework").values
    for name, column in (("correct", own), ("rework", rework)):
        reason = f"{name} is said by a reviewer or a verifier, and the row has no rating: give the rating too"
        block.refuse(name, reason, valid(column) & ~rated & ~offered)
    return own, rework


def _review(block: Block, among: Mask) -> dict[str, pa.Array]:
    """Why the run was reviewed, and with what probability it was drawn."""
    reason = block.named("review_reason")
    allowed = pc.is_in(reason, pa.array(REASONS))
    if block.stated("review_reason").any():
        other = valid(reason) & among & ~allowed.to_numpy(zero_copy_only=False)
        block.refuse(
            "review_reason", f"a reason for a review is one of {', '.join(REASONS)}: use one or leave it empty", other
        )
        reason = pc.if_else(allowed, reason, pa.scalar(None, pa.string()))
    return {"review_reason": reason, "review_probability": block.read("review_probability", among=among).values}


def _has_caveat(block: Block, name: str) -> Mask:
    if "caveats" not in block.columns:
        return np.zeros(block.n, dtype=bool)
    return pc.match_substring(block.text("caveats"), name).fill_null(False).to_numpy(zero_copy_only=False)


def _signals(block: Block, ts: Parsed) -> pa.Table:
    signals = {name: block.read(name).values for name in SIGNALS if name in block.columns}
    known = np.any([valid(column) for column in signals.values()], axis=0) if signals else np.zeros(block.n, dtype=bool)
    caveat = {name: _has_caveat(block, name) for name in ("results_disagree", "older_report")}
    known |= caveat["older_report"]
    if ts.bad is not None:
        known &= ~ts.bad
    columns = {**signals, **{name: pa.array(said) for name, said in caveat.items()}, "occurred_at": ts.values}
    return _picked("signals", block, columns, known)


def _picked(table: str, block: Block, columns: dict[str, pa.Array], mask: Mask) -> pa.Table:
    """The rows of the mask as a table of observations, each with its run and line."""
    run = np.flatnonzero(mask)
    columns = {**columns, "line": block.lines}
    if len(run) < block.n:
        columns = {name: column.filter(pa.array(mask)) for name, column in columns.items()}
    return with_all_columns(table, {**columns, "run": pa.array(run, pa.int64())}, len(run))


def _keep_unused(block: Block, unused: dict[str, Mask]) -> None:
    """Cells that no record of their row has a place for become attributes."""
    for name, mask in unused.items():
        found = mask & block.stated(name) if name in block.columns else None
        if found is not None and found.any():
            block.extra[block.header[name]] = pc.if_else(
                pa.array(found), block.text(name), pa.scalar(None, pa.string())
            )


def _runs(block: Block, target: Target) -> pa.Table:
    run_id = block.named("run_id")
    if "run_id" in block.columns:
        is_uuid = pc.match_substring_regex(run_id, UUID).fill_null(False)
        _keep_unused(block, {"run_id": ~is_uuid.to_numpy(zero_copy_only=False)})
        run_id = pc.if_else(is_uuid, run_id, pa.scalar(None, pa.string()))
    at_dispatch, at_completion = block.known("model_at_dispatch"), block.known("model_at_completion")
    split = block.read("split_model").values
    if not {"model_at_dispatch", "model_at_completion"} & set(block.columns):
        split = pc.if_else(split, split, pa.scalar(None, pa.bool_()))  # false is what an unstated one is
    columns = {
        "story_id": block.text("story_id"),
        "agent": block.named("agent").fill_null(target.agent or UNKNOWN),
        "model_version": block.named("model_version").fill_null(target.model_version or UNKNOWN),
        "attempt": block.read("attempt").values.fill_null(target.attempt or 1),
        "run_id": run_id, "model_at_dispatch": at_dispatch, "model_at_completion": at_completion, "split_model": split,
        "line": block.lines,
    }  # fmt: skip
    if {"ts", "signal_source"} <= set(block.columns):  # a run without a score has its own time there
        unscored = block.named("signal_source").is_null()
        columns["occurred_at"] = pc.if_else(unscored, block.read("ts").values, pa.scalar(None, INSTANT))
    attributes = attributes_json(block.extra, block.n)
    if attributes is not None:
        columns["attributes"] = attributes
    return with_all_columns("runs", columns, block.n)


def _stories(block: Block) -> pa.Table:
    synthetic = block.read("synthetic").values
    marked = _has_caveat(block, "synthetic")
    if marked.any():
        synthetic = pc.if_else(pa.array(marked), True, synthetic)
    columns = {
        "story_id": block.text("story_id"), "title": block.named("title"), "done_criteria": block.named("done_criteria"),
        **{name: block.known(name) for name in COORDINATE}, "synthetic": synthetic,
        "estimated_tokens": block.read("estimated_tokens").values, "line": block.lines,
    }  # fmt: skip
    return with_all_columns("stories", columns, block.n)
