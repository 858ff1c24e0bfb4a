"""What does SWE-bench say? Which instances a model's patches resolved.

The tests that decide it are not the project's own run of its suite, and a report states the outcome alone: so the
harness is a verifier, and an instance's rating is 10 (resolved) or 0 (unresolved, or no patch at all). What the
harness could not run, and what was never submitted, has no rating. An instance's own report.json lists its tests too:
they are counted as tests. The model is in the file's name only: name it with --model. Older harnesses list `resolved`
among `applied`, `generated` or `no_generation`: what they ran and did not resolve is unresolved, what could not be
applied, installed or tested has no rating.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
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
OLD_RAN = ("applied", "with_logs", "generated")
"""Lists of older harnesses of what was run, the most particular first."""
OLD_MARKS = (*OLD_RAN, "no_generation", "no_logs", "no_apply")
OLD_ERRORS = ("no_apply", "no_logs", "install_fail", "reset_failed", "test_errored", "test_timeout")
NO_NAME = "an instance without a name: no rating"
NO_LISTS = "it gives numbers and lists no instances: no rating"
TESTS = ("FAIL_TO_PASS", "PASS_TO_PASS")
"""Tests that have to pass; the other lists are not asked to."""


class SweBenchReader:
    """The report of a run, or of one instance."""

    format = "SWE-bench report"

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        return _is_run(value) or _is_instance(value) or _is_old(value)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        sheet.needs_model()
        found = document(artifact)
        if isinstance(found, str):
            sheet.reject(found, field=None)
        elif _is_run(found.value):
            _run(found, mapping(found.value), sheet)
        elif _is_old(found.value):
            _run(found, _as_new(found.value), sheet, _OLD_NAMES)
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


def _is_old(value: Any) -> bool:
    return isinstance(mapping(value).get("resolved"), list) and any(
        isinstance(value.get(key), list) for key in OLD_MARKS
    )


_OLD_NAMES = {RESOLVED: "resolved", EMPTY: "no_generation"}


def _as_new(report: dict[str, Any]) -> dict[str, Any]:
    """An older report in the words of the present one."""
    resolved, empty = (strings(report.get(_OLD_NAMES[kind])) for kind in (RESOLVED, EMPTY))
    errors = list(
        dict.fromkeys(name for key in OLD_ERRORS for name in strings(report.get(key)) if name not in resolved)
    )
    ran = next((names for key in OLD_RAN if (names := strings(report.get(key)))), [])
    known = {*resolved, *empty, *errors}
    unresolved = [name for name in ran if name not in known]
    return {RESOLVED: resolved, UNRESOLVED: unresolved, EMPTY: empty, ERROR: errors}


def _run(
    source: Document, report: dict[str, Any], sheet: Sheet, written: Mapping[str, str] = MappingProxyType({})
) -> None:
    """The instances of a run; `written` tells under which names the lists stand in the file, if under others."""
    if not any(isinstance(report.get(outcome), list) for outcome in (*RATED, ERROR)):
        sheet.reject(NO_LISTS, None, 1, None)
    found: dict[str, list[str]] = {}
    for outcome in RATED:
        for name in dict.fromkeys(strings(report.get(outcome))):
            found.setdefault(name, []).append(outcome)
    places = {outcome: Places(source, after=written.get(outcome, outcome)) for outcome in RATED}
    for name, outcomes in found.items():
        line = places[outcomes[0]].line(name)
        if not name.strip():
            sheet.reject(NO_NAME, name, line)
            continue
        if len(outcomes) > 1:
            sheet.reject(f"listed as {' and as '.join(outcomes)}: a contradiction, no rating", name, line)
            continue
        place = sheet.run(name, line=line)
        shown = {outcomes[0]: [name]}
        resolved = outcomes[0] == RESOLVED
        note = "no patch was submitted" if outcomes[0] == EMPTY else ""
        rating = Rating(RATED[outcomes[0]], raw=outcomes[0].removesuffix("_ids"))
        sheet.rate(place, rating, RATER, rater_model=RATER, correct=resolved, note=note, line=line, shown=shown)
    n = {
        outcome: len(set(strings(report.get(outcome)))) if isinstance(report.get(outcome), list) else None
        for outcome in (*RATED, ERROR)
    }
    _state_denominators(report, n, sheet)


def _state_denominators(report: dict[str, Any], n: dict[str, int | None], sheet: Sheet) -> None:
    resolved = report.get("resolved_instances") if n[RESOLVED] is None else n[RESOLVED]
    submitted, total = report.get("submitted_instances"), report.get("total_instances")
    sheet.warnings.append(
        f"{_stated(resolved)} resolved of {_stated(submitted)} submitted, and of {_stated(total)} in the data set: "
        "instances that were not submitted have no rating"
    )
    if n[ERROR]:
        sheet.warnings.append(f"{n[ERROR]} instances could not be run by the harness: no rating")
    for outcome, count in n.items():
        declared = report.get(outcome.replace("_ids", "_instances"))
        if isinstance(declared, int) and count is not None and declared != count:
            sheet.warnings.append(
                f"it declares {declared} {outcome.removesuffix('_ids')}, and lists {count}: the list counts"
            )


def _stated(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) else "an unstated number"


def _instance(name: str, report: dict[str, Any], line: int | None, sheet: Sheet) -> None:
    if not name.strip():
        sheet.reject(NO_NAME, name, line)
        return
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
