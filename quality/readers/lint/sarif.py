"""What does a SARIF 2.1.0 log hold? Findings that stand, suppressed ones, and what the baseline knew.

The level of a result is its own, else that of the invocation's override, else that of its rule, else `warning`
(SARIF 2.1.0, 3.27.10). A result of another kind than `fail` is no finding: `pass` and `notApplicable` are counted
apart, `informational` is information, `open` and `review` are for a person to decide. A result is suppressed if at
least one of its suppressions was not rejected; one that is under review hides it too, as viewers do it. A run whose
`results` are null was not computed: its outcome is unknown, not clean.
"""

from collections.abc import Iterator
from typing import Any

from quality.readers.base import Artifact
from quality.readers.document import beginning, holds, mapping, objects, text
from quality.readers.instants import Clock
from quality.readers.lint.counts import INFORMATION, UNSPECIFIED, WARNING, Findings, severity_of
from quality.readers.lint.report import Report, ReportReader

NOT_FINDINGS = ("pass", "notApplicable")
UNDECIDED = ("open", "review")
NO_RUNS = "no run is recorded in it: the outcome of the analysis is unknown, not clean"
NO_RESULTS = "a run has no results: the analysis was not computed, its outcome is unknown"
ELSEWHERE = "results are kept in files of their own (externalPropertyFileReferences), which were not read"
FAILED_RUN = "the tool says that it did not run to its end: there may be more findings"
MOST_NAMES = 100_000


class SarifReader(ReportReader):
    """A static analyser's report."""

    format = "SARIF"

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        if not holds(value, ("runs",)) or not isinstance(value.get("runs"), list | None.__class__):
            return False
        stated = f"{text(value.get('$schema'))} {text(value.get('version'))}".lower()
        return "sarif" in stated or "2.1.0" in stated or any("tool" in run for run in objects(value["runs"]))

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        runs = objects(mapping(value).get("runs"))
        if not runs:
            warn.append(NO_RUNS)
        for run in runs:
            yield _report(run, warn)


def _report(run: dict[str, Any], warn: list[str]) -> Report:
    name = text(mapping(mapping(run.get("tool")).get("driver")).get("name"))
    if any(invocation.get("executionSuccessful") is False for invocation in objects(run.get("invocations"))):
        _once(warn, FAILED_RUN)
    if mapping(run.get("externalPropertyFileReferences")).get("results"):
        _once(warn, ELSEWHERE)
    if not isinstance(run.get("results"), list):
        _once(warn, NO_RESULTS)
        return Report(name, None)
    levels = _Levels(run)
    where = run.get("properties"), mapping(run.get("automationDetails")).get("properties")
    clock = Clock()
    for invocation in objects(run.get("invocations")):
        clock.note(text(invocation.get("endTimeUtc")))
    for fault in clock.warnings:
        _once(warn, fault)
    report = Report(name, Findings(), clock.latest, properties=where)
    for result in objects(run["results"]):
        _add(result, levels, report)
    return report


def _add(result: dict[str, Any], levels: "_Levels", report: Report) -> None:
    found = report.findings
    kind = text(result.get("kind")) or "fail"
    baseline = text(result.get("baselineState"))
    if baseline == "absent":
        found.absent += 1
    elif kind in NOT_FINDINGS:
        found.passes += 1
    elif any(text(item.get("status")) != "rejected" for item in objects(result.get("suppressions"))):
        found.suppressed += 1
    else:
        severity = INFORMATION if kind == "informational" else UNSPECIFIED if kind in UNDECIDED else levels.of(result)
        old = baseline == "unchanged"
        found.add(severity, new=baseline == "new", old=old, fixable=bool(objects(result.get("fixes"))))
        message = mapping(result.get("message"))
        report.remember(severity, text(result.get("ruleId")), text(message.get("text") or message.get("id")))


class _Levels:
    """Default levels of a run's rules."""

    def __init__(self, run: dict[str, Any]) -> None:
        tool = mapping(run.get("tool"))
        self._components = [mapping(tool.get("driver")), *objects(tool.get("extensions"))]
        self._invocations = objects(run.get("invocations"))
        self._by_name: list[dict[str, dict[str, Any]]] = []
        for component in self._components:
            rules = objects(component.get("rules"))[:MOST_NAMES]
            names = {text(rule.get(key)): rule for key in ("guid", "id") for rule in rules if text(rule.get(key))}
            self._by_name.append(names)

    def of(self, result: dict[str, Any]) -> str:
        """Kind of finding."""
        stated = text(result.get("level"))
        if stated:
            return severity_of(stated)
        place, rule = self._rule(result)
        level = self._override(result, place, rule) or text(mapping(rule.get("defaultConfiguration")).get("level"))
        return severity_of(level) if level else WARNING

    def _rule(self, result: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        reference = mapping(result.get("rule"))
        component = mapping(reference.get("toolComponent")).get("index")
        place = component + 1 if isinstance(component, int) and 0 <= component < len(self._components) - 1 else 0
        index = reference.get("index", result.get("ruleIndex", -1))
        rules = objects(self._components[place].get("rules"))
        if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(rules):
            return place, rules[index]
        for name in (text(reference.get("guid")), text(reference.get("id")), text(result.get("ruleId"))):
            while name:  # a hierarchical id, CA1000/1, is a case of the rule CA1000
                for at in (place, *range(len(self._components))):
                    if name in self._by_name[at]:
                        return at, self._by_name[at][name]
                name = name.rpartition("/")[0]
        return place, {}

    def _override(self, result: dict[str, Any], place: int, rule: dict[str, Any]) -> str:
        index = mapping(result.get("provenance")).get("invocationIndex", 0 if len(self._invocations) == 1 else -1)
        if not isinstance(index, int) or not 0 <= index < len(self._invocations) or not rule:
            return ""
        for override in objects(self._invocations[index].get("ruleConfigurationOverrides")):
            descriptor = mapping(override.get("descriptor"))
            if text(descriptor.get("id")) and text(descriptor.get("id")) == text(rule.get("id")):
                return text(mapping(override.get("configuration")).get("level"))
        return ""


def _once(warn: list[str], sentence: str) -> None:
    if sentence not in warn:
        warn.append(sentence)
