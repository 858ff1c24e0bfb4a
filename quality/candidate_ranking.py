"""In which order, with which score and why? From the candidates of a run to its ranking: the one call of CLI and screen.

It reads no file and asks nobody: what is in the folders and what a judge answered is given to it. So the same call
answers what would be if a risk, a reference or the mode were another.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from quality.candidate_evidence import (
    DIMENSIONS,
    SKILL_LEVELS,
    STRUCTURE,
    VERDICTS,
    EvidenceScores,
    evidence_for,
)
from quality.candidate_folders import Folder, Folders
from quality.candidate_input import Candidate, CandidateFile, many_objects, named
from quality.candidate_judging import mean_verdict
from quality.candidate_notes import NO_VERDICT, blockers_of, notes_of, unknown_words
from quality.candidate_output import JudgeUse, Ranking, ScoredCandidate, Summary, Verdict
from quality.candidates import (
    BASE,
    DIGITS,
    MOST_REFS,
    PARTS,
    PROTECTED_PATHS,
    RECOMMENDATIONS,
    Columns,
    Floats,
    columns_of,
    is_protected,
)
from quality.panel import LABELS, REVIEWERS, PanelScores, Scored, panel, score

MODES = {
    (False, False): "heuristic-only", (True, False): "heuristic+evaluator-phase1", (False, True): "heuristic+llm-judge",
    (True, True): "heuristic+evaluator+llm-judge",
}  # fmt: skip
"""(evidence, judge) → critic_mode; the words that pipelines know."""
PANEL_MODE = "multi-reviewer-panel"
RESERVED = frozenset(ScoredCandidate.model_fields) - {"id"}
"""Names that a candidate's own field cannot have beside its score."""
MOST_WARNINGS = 20
TEN = 10.0
Verdicts = Sequence[Sequence[Verdict | None]]
"""n × 1, or n × 4 with a panel, in the order of `REVIEWERS`; `None` where a judge gave no answer."""


def callers(with_panel: bool) -> int:
    """How often a judge is asked about one candidate."""
    return len(REVIEWERS) if with_panel else 1


def rank(
    file: CandidateFile,
    *,
    with_panel: bool = False,
    folders: Folders | None = None,
    verdicts: Verdicts | None = None,
    judge: JudgeUse | None = None,
    protected_paths: Iterable[str] = PROTECTED_PATHS,
    source: str | None = None,
    sha256: str | None = None,
    warnings: Sequence[str] = (),
) -> Ranking:
    """The ranking of a run's candidates.

    Args:
        folders: of the candidates in their order, where evidence counts.
        verdicts: where a judge was asked.
        judge: who that was.
        source, sha256: the file, as it is to be named.

    Raises:
        ValueError: folders or verdicts are not one a candidate (and reviewer).
    """
    candidates = file.candidates
    _check_shape(len(candidates), with_panel, folders, verdicts)
    with many_objects():
        rows = _ranked(candidates, with_panel, folders, verdicts, tuple(protected_paths))
    counted = Counter(row.recommendation for row in rows)
    return Ranking(
        lane=file.lane, run_id=file.run_id,
        critic_mode=PANEL_MODE if with_panel else MODES[folders is not None, verdicts is not None],
        source_candidate_artifact=source, source_sha256=sha256, target=file.target.model_dump(exclude_unset=True),
        evaluator_evidence_enabled=folders is not None,
        backend_used=judge.backend_used if judge and judge.answered else None, llm_judge=judge,
        scored_candidates=rows,
        summary=Summary(**{name: counted[name] for name in RECOMMENDATIONS}),
        warnings=[*warnings, *_some(_warnings(candidates, verdicts))],
    )  # fmt: skip


def _ranked(
    candidates: Sequence[Candidate], with_panel: bool, folders: Folders | None, verdicts: Verdicts | None,
    patterns: Sequence[str],
) -> list[ScoredCandidate]:  # fmt: skip
    kinds = _kinds(candidates, folders, verdicts, patterns)
    first = {kind: place for place, kind in reversed(list(enumerate(kinds)))}
    places = list(first.values())
    scored = _scored(
        [candidates[place] for place in places],
        with_panel,
        None if folders is None else Folders([folders.found[place] for place in places]),
        None if verdicts is None else [verdicts[place] for place in places],
        patterns,
    )
    by_kind = dict(zip(first, scored))
    rows = [_beside(candidate, by_kind[kind]) for candidate, kind in zip(candidates, kinds)]
    return sorted(rows, key=lambda row: row.score, reverse=True)


def _kinds(
    candidates: Sequence[Candidate], folders: Folders | None, verdicts: Verdicts | None, patterns: Sequence[str]
) -> list[Hashable]:
    """What a score is made from, a candidate each: those that are alike are scored once, judged ones each."""
    if verdicts is not None:
        return list(range(len(candidates)))
    found: Sequence[Folder | None] = folders.found if folders else [None] * len(candidates)
    protected = cache(partial(is_protected, patterns=patterns))
    return [
        (
            one.category, one.risk_level, one.executor_support is True, min(len(one.source_refs or ()), MOST_REFS),
            protected(one.target_path), bool(one.proposed_change_summary),
            one.execution_plan and one.execution_plan.action, folder,
        )
        for one, folder in zip(candidates, found)
    ]  # fmt: skip


def _beside(candidate: Candidate, scored: ScoredCandidate) -> ScoredCandidate:
    """A score beside the fields that its candidate came with."""
    given = {name: value for name, value in candidate.given().items() if name not in RESERVED}
    return scored.model_copy(update=given)


def _scored(
    candidates: Sequence[Candidate], with_panel: bool, folders: Folders | None, verdicts: Verdicts | None,
    protected_paths: Sequence[str],
) -> list[ScoredCandidate]:  # fmt: skip
    columns = columns_of(candidates, protected_paths)
    evidence = evidence_for(columns, candidates, folders.structure) if folders is not None else None
    judged = None if verdicts is None else _scores_of(verdicts, callers(with_panel))
    support = (None, None) if evidence is None else (evidence.score, evidence.rejected)
    seen = panel(columns, judged, *support) if with_panel else score(
        columns, None if judged is None else judged[:, 0], *support
    )  # fmt: skip
    rows = _rows(candidates, columns, seen, evidence, folders, verdicts)
    return [ScoredCandidate.model_validate({**row, "id": one.id}) for one, row in zip(candidates, rows)]


def _check_shape(count: int, with_panel: bool, folders: Folders | None, verdicts: Verdicts | None) -> None:
    if folders is not None and len(folders.found) != count:
        raise ValueError(f"{len(folders.found)} folders for {count} candidates: give one each")
    asked = callers(with_panel)
    if verdicts is not None and (len(verdicts) != count or any(len(row) != asked for row in verdicts)):
        raise ValueError(f"verdicts for {count} candidates: give {asked} for each of them, None where there is none")


def _scores_of(verdicts: Verdicts, asked: int) -> Floats:
    """n × k, 0–10, NaN where there is none."""
    flat = [np.nan if verdict is None else verdict.score * TEN for row in verdicts for verdict in row]
    return np.array(flat, dtype=np.float64).reshape(-1, asked)


def _rows(
    candidates: Sequence[Candidate], columns: Columns, seen: Scored | PanelScores, evidence: EvidenceScores | None,
    folders: Folders | None, verdicts: Verdicts | None,
) -> list[dict[str, Any]]:  # fmt: skip
    proofs = [None] * len(candidates) if evidence is None else list(_proofs(evidence, folders))
    too_low = [False] * len(candidates) if evidence is None else evidence.level_too_low(columns).tolist()
    keep, protected = columns.keep.tolist(), columns.protected.tolist()
    written = list(_panels(seen, verdicts) if isinstance(seen, PanelScores) else _plain(seen, verdicts))
    rows = []
    for place, (candidate, proof, row) in enumerate(zip(candidates, proofs, written)):
        answers = () if verdicts is None else verdicts[place]
        verdict = mean_verdict(answers) if len(answers) > 1 else next(iter(answers), None)
        rejects = proof is not None and proof["verdict"] == "reject"
        judge_rejects = verdict is not None and verdict.decision == "reject"
        row["blockers"] = blockers_of(candidate, protected[place], keep[place], too_low[place], rejects, judge_rejects)
        label = row["panel"]["cognitive_label"] if "panel" in row else None
        row["judge_notes"] = [
            *(f"{words[0].upper()}{words[1:]}." for words in unknown_words(candidate)),
            *notes_of(row["recommendation"], row["blockers"], proof, answers, label),
        ]
        if proof is not None:
            row |= {"evidence": proof, "evaluator_score": evidence.score[place]}  # type: ignore[union-attr]
        if verdict is not None:
            row["llm_verdict"] = verdict
        rows.append(row)
    return rows


def _plain(scored: Scored, verdicts: Verdicts | None) -> Iterator[dict[str, Any]]:
    for parts, (value, recommendation) in zip(_parts(scored, verdicts is not None), _results(scored)):
        yield {
            "score": value, "recommendation": recommendation, "heuristic_score": parts["heuristic"],
            "risk_penalty": round(0.0 - parts["risk"] - parts["protection"], DIGITS), "parts": parts,
        }  # fmt: skip


def _panels(seen: PanelScores, verdicts: Verdicts | None) -> Iterator[dict[str, Any]]:
    reviews = [
        list(zip(_parts(scored, verdicts is not None), _results(scored), strict=True)) for scored in seen.reviews
    ]
    for place, (label, code, mean) in enumerate(
        zip(*map(np.ndarray.tolist, (seen.label, seen.recommendation, seen.aggregated)))
    ):
        written = []
        for number, reviewer in enumerate(REVIEWERS):
            parts, (value, recommendation) = reviews[number][place]
            review = {"reviewer": reviewer.name, "score": value, "recommendation": recommendation, "parts": parts}
            if verdicts is not None and (verdict := verdicts[place][number]) is not None:
                review |= {"llm_score": verdict.score, "llm_verdict": verdict}
            written.append(review)
        decided = RECOMMENDATIONS[code]
        yield {
            "score": mean, "recommendation": decided,
            "panel": {
                "panel_reviews": written, "cognitive_label": LABELS[label], "final_recommendation": decided,
                "aggregated_score": mean,
            },
        }  # fmt: skip


def _results(scored: Scored) -> Iterator[tuple[float, str]]:
    for value, code in zip(scored.blend.value.tolist(), scored.recommendation.tolist()):
        yield value, RECOMMENDATIONS[code]


def _parts(scored: Scored, judge_asked: bool) -> Iterator[dict[str, Any]]:
    """Each score from its beginning, as `candidate_output.Parts`."""
    found, blend = scored.heuristic, scored.blend
    columns = (found.bonus, found.refs, found.executor, found.risk, found.protection, found.penalty, found.score)
    blended = (blend.scores, blend.weights, blend.contributions, blend.value)
    for bonus, refs, executor, risk, protection, penalty, heuristic, scores, weights, adds, value in zip(
        *(column.tolist() for column in (*columns, *blended))
    ):
        there = [place for place, one in enumerate(scores) if one == one]
        yield {
            "base": BASE, "bonus": bonus, "refs": refs, "executor": executor, "risk": 0.0 - round(risk, DIGITS),
            "protection": 0.0 - round(protection, DIGITS),
            "clamp": round(heuristic - (BASE + bonus + refs + executor - penalty), DIGITS) + 0.0,
            "heuristic": heuristic,
            **{PARTS[place]: scores[place] for place in there[1:]},
            "blend": {
                "value": value, "weights": {PARTS[place]: weights[place] for place in there},
                "contributions": {PARTS[place]: adds[place] for place in there},
                "missing": ["judge"] if judge_asked and 1 not in there else [],
            },
        }  # fmt: skip


def _proofs(evidence: EvidenceScores, folders: Folders | None) -> Iterator[dict[str, Any]]:
    """The evidence as `candidate_output.Evidence`."""
    arrays = (evidence.structure, evidence.level, evidence.dims, evidence.weights, evidence.overall, evidence.verdict)
    found = folders.found if folders else []
    for folder, structure, level, dims, weights, overall, verdict in zip(found, *(array.tolist() for array in arrays)):
        yield {
            "skill_level": SKILL_LEVELS[level], "structure": dict(zip(STRUCTURE, structure)),
            "dims": {name: value for name, value in zip(DIMENSIONS, dims) if value == value},
            "weights": {name: weight for name, weight in zip(DIMENSIONS, weights) if weight},
            "overall": overall, "verdict": VERDICTS[verdict], "warnings": list(folder.warnings),
        }  # fmt: skip


def _warnings(candidates: Sequence[Candidate], verdicts: Verdicts | None) -> Iterator[str]:
    for place, candidate in enumerate(candidates):
        who = named({"id": candidate.id}, place)
        for words in unknown_words(candidate):
            yield f"{who}: {words}"
        if verdicts is not None and any(verdict is None for verdict in verdicts[place]):
            yield f"{who}: {NO_VERDICT[0].lower()}{NO_VERDICT[1:].rstrip('.')}"


def _some(warnings: Iterator[str]) -> list[str]:
    told = list(warnings)
    beyond = len(told) - MOST_WARNINGS
    return told if beyond <= 0 else [*told[:MOST_WARNINGS], f"… and {beyond:,} more of these, in the candidates' notes"]
