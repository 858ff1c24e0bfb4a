"""What does SWE-bench say? Which instances a model's patches resolved.

The tests that decide it are not the project's own run of its suite, and a report states the outcome alone: so the
harness is a verifier, and an instance's rating is 10 (resolved) or 0 (unresolved, or no patch at all). What the
harness could not run, and what was never submitted, has no rating. An instance's own report.json lists its tests too:
they are counted as tests. The model is in the file's name only: name it with --model.
"""

from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import Document, Places, beginning, document, mapping, strings
from quality.readers.evals.scale import Rating
from quality.readers.evals.sheet import Sheet
from quality.readers.results import TestCounts

RATER = "SWE-bench"
RESOLVED, UNRESOLVED, EMPTY, ERROR = "resolved_ids", "unresolved_ids", "empty_patch_ids", "error_ids"
RATED = {RESOLVED: 10.0, UNRESOLVED: 0.0, EMPTY: 0.0}
TESTS = ("FAIL_TO_PASS", "PASS_TO_PASS")
"""Tests that have to pass; the other lists are not asked to."""


class SweBenchReader:
    """The report of a run, or of one instance."""

    format = "SWE-bench report"

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        return _is_run(value) or _is_instance(value)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        sheet.needs_model()
        found = document(artifact)
        if isinstance(found, str):
            sheet.reject(found, field=None)
        elif _is_run(found.value):
            _run(found, sheet)
        else:
            places = Places(found)
            for name, report in mapping(found.value).items():
                _instance(name, mapping(report), places.line(name), sheet)
        yield from sheet.take()


def _is_run(value: Any) -> bool:
    keys = set(mapping(value))
    return bool({"total_instances", "submitted_instances", "schema_version"} & keys) and (
        RESOLVED in keys or "completed_ids" in keys or "resolved_instances" in keys
    )


def _is_instance(value: Any) -> bool:
    reports = list(mapping(value).values())
    return bool(reports) and all(
        isinstance(report, dict) and "resolved" in report and ("patch_exists" in report or "tests_status" in report)
        for report in reports
    )


def _run(source: Document, sheet: Sheet) -> None:
    report = mapping(source.value)
    found: dict[str, list[str]] = {}
    for outcome in RATED:
        for name in dict.fromkeys(strings(report.get(outcome))):
            found.setdefault(name, []).append(outcome)
    places = {outcome: Places(source, after=outcome) for outcome in RATED}
    for name, outcomes in found.items():
        line = places[outcomes[0]].line(name)
        if len(outcomes) > 1:
            sheet.reject(f"listed as {' and as '.join(outcomes)}: a contradiction, no rating", name, line)
            continue
        place = sheet.run(name, line=line)
        shown = {outcomes[0]: [name]}
        resolved = outcomes[0] == RESOLVED
        note = "no patch was submitted" if outcomes[0] == EMPTY else ""
        rating = Rating(RATED[outcomes[0]], raw=outcomes[0].removesuffix("_ids"))
        sheet.rate(place, rating, RATER, rater_model=RATER, correct=resolved, note=note, line=line, shown=shown)
    n = {outcome: len(set(strings(report.get(outcome)))) for outcome in (*RATED, ERROR)}
    _state_denominators(report, n, sheet)


def _state_denominators(report: dict[str, Any], n: dict[str, int], sheet: Sheet) -> None:
    submitted, total = report.get("submitted_instances"), report.get("total_instances")
    sheet.warnings.append(
        f"{n[RESOLVED]} resolved of {_stated(submitted)} submitted, and of {_stated(total)} in the data set: "
        "instances that were not submitted have no rating"
    )
    if n[ERROR]:
        sheet.warnings.append(f"{n[ERROR]} instances could not be run by the harness: no rating")
    for outcome, count in n.items():
        declared = report.get(outcome.replace("_ids", "_instances"))
        if isinstance(declared, int) and declared != count:
            sheet.warnings.append(
                f"it declares {declared} {outcome.removesuffix('_ids')}, and lists {count}: the list counts"
            )


def _stated(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else "an unstated number"


def _instance(name: str, report: dict[str, Any], line: int | None, sheet: Sheet) -> None:
    resolved = report.get("resolved")
    place = sheet.run(name, line=line)
    if isinstance(resolved, bool):
        rating = Rating(10.0 if resolved else 0.0, raw="resolved" if resolved else "unresolved")
        shown = {name: {key: value for key, value in report.items() if key != "tests_status"}}
        sheet.rate(place, rating, RATER, rater_model=RATER, correct=resolved, line=line, shown=shown)
    else:
        sheet.reject("resolved is neither true nor false: no rating", resolved, line)
    status = mapping(report.get("tests_status"))
    sides = [mapping(status.get(kind)) for kind in TESTS]
    passed = sum(len(strings(side.get("success"))) for side in sides)
    failed = sum(len(strings(side.get("failure"))) for side in sides)
    if passed + failed:
        sheet.count(place, TestCounts(passed=passed, failed=failed), line=line, shown={"tests_status": status})
