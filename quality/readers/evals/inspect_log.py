"""What does an Inspect AI log say? One rating a sample and score, for the model that was evaluated.

Inspect's convention is used: C is 1, P is 0.5, I and N (no answer) are 0, and numbers are shares 0–1; a score on
another scale is a reject until `readers.evaluations` states it under the scorer's name. NaN means that the scorer
could not score: no rating. The story is task/sample, the attempt is the epoch, the rater is the scorer. The
verifier's model is the grader's where a model grades, and the model that was evaluated where the log names no other
(Inspect's default), else the scorer's name. Of a `.eval` archive the summaries are read first: they hold every score
without the transcripts; a sample that they miss is read by itself.
"""

import re
from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import Document, beginning, document, loads, mapping, objects, text
from quality.readers.evals.archive import MAGIC, Members, Unreadable, opened
from quality.readers.evals.scale import SHARES, rating
from quality.readers.evals.sheet import Sheet

HEADER, START, SUMMARIES = "header.json", "_journal/start.json", "summaries.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")
_START = re.compile(r'"id":\s*(?P<id>"(?:[^"\\]|\\.)*"|-?\d{1,18}),\s*"epoch":\s*(?P<epoch>\d{1,9})\b')
_SAMPLE = re.compile(r"samples/.{1,500}\.json")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
CORRECT = {1.0: True, 0.0: False}
GRADED = "model_graded"
NO_ANSWER = "no answer"
MOST_NAMED = 5


class InspectReader:
    """`.eval` archives and `.json` logs."""

    format = "Inspect log"
    takes_scales = True

    def recognises(self, artifact: Artifact) -> bool:
        if artifact.head.startswith(MAGIC):
            try:
                with opened(artifact.path) as members:
                    return HEADER in members.names or START in members.names
            except Unreadable:
                return START.encode() in artifact.head[:200]
        return _is_log(beginning(artifact))

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        if artifact.head.startswith(MAGIC):
            yield from _archive(artifact, sheet)
        else:
            found = document(artifact)
            if isinstance(found, str):
                sheet.reject(found, field=None)
            else:
                log = _Log(mapping(found.value), artifact, sheet)
                lines = _Lines(found)
                for sample in objects(mapping(found.value).get("samples")):
                    log.sample(sample, lines.of(sample))
                    if sheet.full:
                        yield from sheet.take()
                log.close()
        yield from sheet.take()


def _is_log(value: Any) -> bool:
    spec = mapping(mapping(value).get("eval"))
    return "task" in spec and "model" in spec


def _archive(artifact: Artifact, sheet: Sheet) -> Iterator[Batch]:
    try:
        with opened(artifact.path) as members:
            header = _first(members, (HEADER, START), sheet)
            if not _is_log(header):
                sheet.reject("its header.json does not say which task and model were evaluated", field=None)
                return
            log = _Log(header, artifact, sheet)
            for sample in _samples(members, sheet):
                log.sample(sample, None)
                if sheet.full:
                    yield from sheet.take()
            log.close()
    except Unreadable as error:
        sheet.reject(str(error), field=None)


def _samples(members: Members, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Each sample once: from the summaries, else from the journal's, and from its own file if both miss it."""
    journal = sorted((int(found[1]), name) for name in members.names if (found := _JOURNAL.fullmatch(name)))
    seen: set[str] = set()
    for name in [SUMMARIES] if SUMMARIES in members.names else [name for _, name in journal]:
        for sample in objects(_value(members, name, sheet)):
            if mapping(sample.get("scores")) or sample.get("error"):
                seen.add(_file_of(sample))
                yield sample
    for name in members.names:
        if _SAMPLE.fullmatch(name) and name not in seen and ".." not in name:
            sample = _value(members, name, sheet)
            if isinstance(sample, dict):
                yield sample


class _Lines:
    """Where each sample of a log begins, in one walk through its text."""

    def __init__(self, source: Document) -> None:
        self._source = source
        self._starts = _START.finditer(source.text)
        self._place, self._line = 0, source.first_line

    def of(self, sample: dict[str, Any]) -> int | None:
        for found in self._starts:
            if loads(found["id"]) == sample.get("id") and found["epoch"] == text(sample.get("epoch")):
                self._line += self._source.text.count("\n", self._place, found.start())
                self._place = found.start()
                return self._line
        return None


def _file_of(sample: dict[str, Any]) -> str:
    return f"samples/{text(sample.get('id'))}_epoch_{text(sample.get('epoch'))}.json"


def _first(members: Members, names: tuple[str, ...], sheet: Sheet) -> dict[str, Any]:
    found = (mapping(_value(members, name, sheet)) for name in names if name in members.names)
    return next((value for value in found if value), {})


def _value(members: Members, name: str, sheet: Sheet) -> Any:
    try:
        return loads(members.read(name).decode("utf-8-sig", "replace"))
    except Unreadable as error:
        sheet.reject(str(error), field=None)
    except ValueError as error:
        sheet.reject(f"{name}: no JSON ({error})", field=None)
    return None


class _Log:
    """The samples of one evaluation."""

    def __init__(self, header: dict[str, Any], artifact: Artifact, sheet: Sheet) -> None:
        self._spec = mapping(header.get("eval"))
        self._scales = artifact.evaluations
        self._sheet = sheet
        results = mapping(header.get("results"))
        self._scorers = {text(score.get("name")): score for score in objects(results.get("scores"))}
        self._listed = {_bare(text(scorer.get("name"))): scorer for scorer in objects(self._spec.get("scorers"))}
        stats = mapping(header.get("stats"))
        self._at = self._sheet.moment(stats.get("completed_at")) or self._sheet.moment(self._spec.get("created"))
        self._failed: list[str] = []
        self._unscored: list[str] = []
        status = text(header.get("status"))
        if status != "success":
            sheet.warnings.append(f"the evaluation's status is {status or 'not stated'}: samples may be missing")

    def sample(self, sample: dict[str, Any], line: int | None) -> None:
        name = text(sample.get("id"))
        task = text(self._spec.get("task"))
        if not name or not task:
            self._sheet.reject("a sample without an id, or of no task: no rating", name, line, "id")
            return
        scores = mapping(sample.get("scores")) or ({"score": sample["score"]} if mapping(sample.get("score")) else {})
        epoch = sample.get("epoch", 1)
        if not scores:
            (self._failed if sample.get("error") else self._unscored).append(f"{name} (epoch {text(epoch)})")
            return
        model = text(self._spec.get("model"))
        run = self._sheet.run(
            f"{task}/{name}", agent=_agent(self._spec.get("solver")), model="" if model == "none/none" else model,
            attempt=epoch if isinstance(epoch, int) else None, line=line,
        )  # fmt: skip
        for key, score in scores.items():
            self._score(run, sample, key, mapping(score) or {"value": score}, line)

    def _score(self, run: int, sample: dict[str, Any], key: str, score: dict[str, Any], line: int | None) -> None:
        value = score.get("value")
        for name, part in (
            ((f"{key}/{part}", item) for part, item in value.items()) if isinstance(value, dict) else [(key, value)]
        ):
            self._part(run, sample, key, name, part, score, line)

    def _part(
        self, run: int, sample: dict[str, Any], key: str, name: str, value: Any, score: dict[str, Any], line: int | None
    ) -> None:
        word = text(value)
        share = LETTERS.get(word, WORDS.get(word.lower(), value))
        known = name in self._scales or key in self._scales
        scales = {name: self._scales.get(name, self._scales.get(key, SHARES))}
        found = rating(value if known else share, name, scales, SHARES, label=word if isinstance(value, str) else "")
        if found.quality is not None and share is not value:
            found = type(found)(found.quality, found.tier, raw=word)
        note = text(score.get("explanation")) or (NO_ANSWER if word == "N" else "")
        source = ":".join((text(self._spec.get("run_id")), text(sample.get("id")), text(sample.get("epoch")), name))
        self._sheet.rate(
            run, found, key, rater_model=self._grader(key, score), note=note, source_id=source, line=line,
            correct=CORRECT.get(share) if isinstance(share, int | float) and word != "P" and not known else None,
            at=self._sheet.moment(sample.get("completed_at")) or self._at,
            shown={"id": sample.get("id"), "epoch": sample.get("epoch"), "scores": {key: score}},
        )  # fmt: skip

    def _grader(self, key: str, score: dict[str, Any]) -> str:
        """The grading model, or the scorer's name where no model grades."""
        result = mapping(self._scorers.get(key))
        scorer = _bare(text(result.get("scorer")) or key)
        listed = mapping(self._listed.get(scorer))
        params = {**mapping(listed.get("options")), **mapping(listed.get("params")), **mapping(result.get("params"))}
        role = mapping(self._spec.get("model_roles")).get("grader")
        graders = params.get("model") or (role if isinstance(role, str) else mapping(role).get("model"))
        names = [text(model.get("model") if isinstance(model, dict) else model) for model in _listed(graders)]
        is_graded = (
            scorer.startswith(GRADED) or "grading" in mapping(score.get("metadata")) or bool(params.get("model"))
        )
        if not is_graded:
            return scorer
        return "+".join(filter(None, names)) or text(self._spec.get("model")) or scorer

    def close(self) -> None:
        """Say what has no rating."""
        for samples, why in ((self._failed, "ended in an error"), (self._unscored, "were not scored")):
            if samples:
                more = f" and {len(samples) - MOST_NAMED} more" if len(samples) > MOST_NAMED else ""
                self._sheet.warnings.append(
                    f"{len(samples)} samples {why}: no rating: {', '.join(samples[:MOST_NAMED])}{more}"
                )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _bare(name: str) -> str:
    """Without the package: `inspect_ai/match` is `match`."""
    return name.rpartition("/")[2]


def _agent(solver: Any) -> str:
    return text(solver) or text(mapping(solver).get("solver")) or text(mapping(solver).get("name"))
