"""What does promptfoo say? One rating a result: a test, a prompt and a provider.

The score is a share 0–1 unless `readers.evaluations.promptfoo` states another scale. A result that ended in an error
has no rating, and neither has one whose grader failed. A grade that a person gave in promptfoo's viewer is a person's
rating. The story is the evaluation's description and the test's, the model is the provider; a test that one provider
answers several times (prompts, repeats) has as many attempts, in the order of the file.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import Document, Places, beginning, documents, mapping, objects, text
from quality.readers.evals.scale import SHARES, Rating, rating
from quality.readers.evals.sheet import HUMAN, Sheet

NAME = "promptfoo"
ERROR = 2
"""`failureReason`: not rejected by an assertion, but by some other error."""
BY_MODELS = (
    "answer-relevance", "context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "factuality",
    "g-eval", "llm-rubric", "model-graded-closedqa", "model-graded-factuality", "pi", "search-rubric", "select-best",
    "trajectory:goal-success",
)  # fmt: skip
"""Assertions that a model grades."""
MOST_TITLE = 200


class PromptfooReader:
    """`promptfoo eval --output results.json`, or `.jsonl`: a result a line."""

    format = "promptfoo results"
    takes_scales = True

    def recognises(self, artifact: Artifact) -> bool:
        value = mapping(beginning(artifact))
        listed = objects(_summary(value).get("results"))
        return any(map(_is_result, [*listed, value])) or ("evalId" in value and "results" in _summary(value))

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)

        def problem(line: int, reason: str, value: str) -> None:
            sheet.reject(reason, value, line, None)

        lines: _Results | None = None
        for each in documents(artifact, problem):
            value = mapping(each.value)
            if _is_result(value):
                lines = lines or _Results(each, artifact, sheet)
                lines.add(value, each.first_line)
                if sheet.full:
                    yield from sheet.take()
                continue
            results = _Results(each, artifact, sheet)
            for item in objects(_summary(value).get("results")):
                results.add(item)
                if sheet.full:
                    yield from sheet.take()
            results.close()
        yield from sheet.take()


def _is_result(item: dict[str, Any]) -> bool:
    return "success" in item and "score" in item and "provider" in item


def _summary(value: dict[str, Any]) -> dict[str, Any]:
    """The results with their totals: inside an evaluation, or by themselves."""
    inner = value.get("results")
    return inner if isinstance(inner, dict) else value


class _Results:
    """The results of one evaluation."""

    def __init__(self, source: Document, artifact: Artifact, sheet: Sheet) -> None:
        whole = mapping(source.value)
        self._places, self._scales, self._sheet = Places(source), artifact.evaluations, sheet
        self._summary = _summary(whole)
        config = mapping(whole.get("config"))
        self._suite = text(config.get("description")) or text(whole.get("evalId")) or NAME
        self._eval = text(whole.get("evalId"))
        self._default = mapping(mapping(config.get("defaultTest")).get("options")).get("provider")
        self._at = self._sheet.moment(self._summary.get("timestamp"))
        self._attempts: Counter[tuple[str, str]] = Counter()
        self._ends: Counter[str] = Counter()

    def add(self, item: dict[str, Any], line: int | None = None) -> None:
        """One result; `line` is where it stands, if that is known."""
        test = mapping(item.get("testCase"))
        about = text(test.get("description")) or text(item.get("description"))
        number = text(item.get("testIdx")) or text(len(self._attempts))
        story = f"{self._suite}/{about or f'test {number}'}"[:MOST_TITLE]
        provider = item.get("provider")
        model = text(provider) or text(mapping(provider).get("id")) or text(mapping(provider).get("label"))
        self._attempts[story, model] += 1
        line = line or self._line(item, about)
        grading = mapping(item.get("gradingResult"))
        if item.get("failureReason") == ERROR or (item.get("error") and not grading):
            self._ends["errors"] += 1
            self._sheet.reject(f"{story} ended in an error, not in a grade: no rating", item.get("error"), line)
            return
        if mapping(grading.get("metadata")).get("graderError"):
            self._ends["errors"] += 1
            self._sheet.reject(f"{story}: its grader failed: no rating", grading.get("reason"), line)
            return
        run = self._sheet.run(story, title=about, model=model, attempt=self._attempts[story, model], line=line)
        success = item.get("success")
        self._ends["successes" if success is True else "failures"] += 1
        self._rate(run, item, grading, success if isinstance(success, bool) else None, line)

    def _line(self, item: dict[str, Any], about: str) -> int | None:
        """By the result's id; up to version 2 it has none, and what it is about must do."""
        given = (text(value) for value in mapping(item.get("vars")).values())
        tried = (self._places.line(needle) for needle in (text(item.get("id")), about, *given))
        return next(filter(None, tried), None)

    def _rate(
        self, run: int, item: dict[str, Any], grading: dict[str, Any], success: bool | None, line: int | None
    ) -> None:
        parts = objects(grading.get("componentResults"))
        kinds = {text(mapping(part.get("assertion")).get("type")): part for part in parts}
        found = rating(item.get("score"), NAME, self._scales, SHARES)
        note = text(grading.get("reason"))
        if HUMAN in kinds:
            found = Rating(found.quality, HUMAN, found.reason, found.raw)
            note = text(grading.get("comment")) or text(kinds[HUMAN].get("comment")) or text(kinds[HUMAN].get("reason"))
        shown = {key: item.get(key) for key in ("id", "testIdx", "promptIdx", "success", "score", "gradingResult")}
        self._sheet.rate(
            run, found, "" if HUMAN in kinds else "+".join(sorted(filter(None, kinds))) or NAME, correct=success,
            rater_model=self._grader(item, kinds), note=note, at=self._at, line=line, shown=shown,
            source_id=text(item.get("id")) or ":".join((self._eval, text(item.get("testIdx")), text(item.get("promptIdx")))),
        )  # fmt: skip

    def _grader(self, item: dict[str, Any], kinds: dict[str, dict[str, Any]]) -> str | None:
        """The grading models where a model grades (`None` = not stated), else the kinds of assertions."""
        graded = [
            mapping(part.get("assertion")) for kind, part in kinds.items() if kind.removeprefix("not-") in BY_MODELS
        ]
        if not graded:
            return "+".join(sorted(filter(None, kinds))) or NAME
        usual = mapping(mapping(item.get("testCase")).get("options")).get("provider") or self._default
        stated = [assertion.get("provider") or usual for assertion in graded]
        names = [text(model) or text(mapping(model).get("id")) for model in stated]
        return "+".join(dict.fromkeys(filter(None, names))) or None

    def close(self) -> None:
        """Compare with the totals that the file declares."""
        stats = mapping(self._summary.get("stats"))
        for name in ("successes", "failures", "errors"):
            declared = stats.get(name)
            if isinstance(declared, int) and declared != self._ends[name]:
                self._sheet.warnings.append(
                    f"it declares {declared} {name}, and lists {self._ends[name]}: the list counts"
                )
