"""Which line was it read from? Kept lines with their numbers, the one that was read marked; always plain text."""

from typing import Any

import streamlit as st

from pages.components import show, viewer
from quality.definitions import define
from quality.observations import RUN_KEY
from quality.signals import SIGNALS

MARK = "▶"
"""Before the line that was read, so that nobody depends on a colour."""
MOST_PIECES, MOST_READINGS, HASH_DIGITS = 3, 5, 8
TEST_SIGNAL, VERDICT = "test_pass_rate", "verifier"
MEASURED = (*SIGNALS, "micro_rework")
COUNTED = ("passed", "failed", "errors", "skipped", "flaky")
NOT_KEPT = "The lines themselves were not kept."
ADDED_UP = "Several artifacts add up: a test that more than one of them names counts once, its newest attempt."


def numbered(text: str, first: int | None, line: int | None) -> str:
    """Each line behind its number; the one that was read behind a mark.

    >>> print(numbered("a\\nb", 9, 10))
       9 │ a
    ▶ 10 │ b
    """
    if first is None:
        return text
    rows = text.split("\n")
    width = len(str(first + len(rows) - 1))
    return "\n".join(
        f"{MARK if number == line else ' '} {number:>{width}} │ {row}" for number, row in enumerate(rows, first)
    )


def piece(found: dict[str, Any]) -> None:
    """One excerpt; it scrolls within its own box."""
    if not found["text"]:
        st.caption(NOT_KEPT)
        return
    if found["member"]:
        st.text(f"in {show.isolated(found['member'])}")
    if found["first_line"] is None:
        st.caption("What the source says there, not its lines:")
    st.code(numbered(found["text"], found["first_line"], found["line"]), language=None)


def pieces(found: list[dict[str, Any]]) -> None:
    """The first of several excerpts, and how many there are."""
    for each in found[:MOST_PIECES]:
        piece(each)
    if len(found) > MOST_PIECES:
        st.caption(f"The first {show.count(MOST_PIECES)} of {show.count(len(found))} places.")


def of_signals(run: dict[str, Any]) -> None:
    """For each signal that was measured: from which artifacts and lines."""
    named = [name for name in MEASURED if any(reading[name] is not None for reading in run["readings"])]
    findings = [each for each in run["evidence"] if each["signal"] not in (*MEASURED, VERDICT)]
    if not named and not findings:
        st.caption("No artifact was read for this run's signals.")
        return
    st.caption("Where each value was read; open one to see its line.")
    for name in named:
        readings = [reading for reading in run["readings"] if reading[name] is not None]
        kept = [each for each in run["evidence"] if each["signal"] == name and _same_artifact(each, readings[0])]
        several = len(readings) > 1
        title = heading(name, run[name], [] if several else [*kept, readings[0]])
        title = f"{title} · {_artifacts(readings)}" if several else title
        with st.expander(title, icon=":material/find_in_page:"):
            _readings(name, readings, run)
    if findings:
        with st.expander("Findings, no signal", icon=":material/find_in_page:"):
            pieces(findings)


def of_verdicts(run: dict[str, Any]) -> None:
    """For each verdict that was read from an artifact: its lines."""
    for verdict in run["verdicts"]:
        kept = [each for each in run["evidence"] if each["signal"] == VERDICT and _same_artifact(each, verdict)]
        if kept:
            heading = f"Verdict {show.number(verdict['quality'])} · {_line(verdict['line'])}"
            with st.expander(heading, icon=":material/find_in_page:"):
                st.text(_source(verdict))
                pieces([each for each in kept if each["line"] == verdict["line"]] or kept)


def measured(signal: str, raw: Any) -> str | None:
    """A raw value in its own unit; None where it was not measured.

    >>> measured("test_pass_rate", 0.5), measured("build_success", False), measured("rework_count", 0)
    ('50 %', 'no', '0')
    """
    if raw is None:
        return None
    if isinstance(raw, bool):
        return show.flag(raw)
    kind = define(signal).kind
    return show.share(raw) if kind == "share" else show.count(raw) if kind == "count" else show.number(raw)


def tests(counts: dict[str, int] | None) -> str | None:
    """How the tests ended, in words; None where none was counted.

    >>> tests({"passed": 3, "failed": 1, "errors": 0, "skipped": 0, "flaky": 1})
    '3 passed, 1 failed, 1 flaky'
    """
    if counts is None:
        return None
    return ", ".join(f"{show.count(counts[name])} {name}" for name in COUNTED if counts[name]) or "no tests"


def run_key(row: dict[str, Any]) -> str:
    """A run in one line, as far as the artifact names it."""
    return " · ".join(show.isolated(str(row[name])) for name in RUN_KEY if row.get(name) is not None)


def _readings(name: str, readings: list[dict[str, Any]], run: dict[str, Any]) -> None:
    if name == TEST_SIGNAL and run.get("tests") and run["tests"]["tests_passed"] is not None:
        st.text(_added_up(run["tests"], readings))
    if len(readings) > 1:
        st.caption(ADDED_UP if name == TEST_SIGNAL else "The latest counts; the ones below it are earlier.")
    newest = next((reading for reading in readings if not reading.get("is_older")), None)
    for reading in readings[:MOST_READINGS]:
        kept = [each for each in run["evidence"] if each["signal"] == name and _same_artifact(each, reading)]
        lines = [*(each["line"] for each in kept), reading["line"]]
        source = _source(reading | {"line": next(filter(None, lines), None)})
        said = measured(name, reading[name])
        if name == TEST_SIGNAL and reading["tests_passed"] is not None:
            said = tests({word: reading[f"tests_{word}"] or 0 for word in COUNTED})
        standing = "waits: older than the run" if reading.get("is_older") else None
        counts = _is_the_one(reading, run["tests"]) if name == TEST_SIGNAL and run.get("tests") else reading is newest
        if counts and len(readings) > 1:
            standing = "counts"
        st.text("  ·  ".join(part for part in (said, standing, source) if part))
        if not kept:
            st.caption(NOT_KEPT)
        pieces(kept)
    if len(readings) > MOST_READINGS:
        st.caption(f"The latest {show.count(MOST_READINGS)} of {show.count(len(readings))} readings.")


def _is_the_one(reading: dict[str, Any], counted: dict[str, int | None]) -> bool:
    """Whether the run's tests are this report's alone; where several add up, none stands out."""
    names = [f"tests_{word}" for word in COUNTED]
    return counted["reports"] == 1 and all((reading[name] or 0) == (counted[name] or 0) for name in names)


def _added_up(counted: dict[str, int | None], readings: list[dict[str, Any]]) -> str:
    """How many of the run's tests passed, and how many of its artifacts that is from."""
    passed, total = show.count(counted["tests_passed"]), show.count(counted["tests_total"])
    used, there = counted["reports"], len(readings)
    of = f" of {show.count(there)}" if used != there else ""
    return f"{passed} of {total} tests passed, from {show.count(used)}{of} artifact{'s' if there != 1 else ''}."


def heading(name: str, value: Any, kept: list[dict[str, Any]]) -> str:
    """A signal, its value and its first line: our own words and numbers only, for a label is markdown."""
    line = next((each["line"] for each in kept if each["line"]), None)
    return " · ".join(filter(None, (f"{define(name).label} {measured(name, value) or show.UNKNOWN}", _line(line))))


def _artifacts(readings: list[dict[str, Any]]) -> str:
    n = len({(reading["sha256"], reading["recorded_at"]) for reading in readings})
    return f"{show.count(n)} artifact{'s' if n != 1 else ''}"


def _same_artifact(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one["recorded_at"] == other["recorded_at"] and one["artifact"] == other["artifact"]


def _line(line: int | None) -> str:
    return f"line {show.count(line)}" if line else ""


def _source(found: dict[str, Any]) -> str:
    """Artifact, line, when it was given, and the beginning of its hash."""
    artifact = show.isolated(found["artifact"]) if found["artifact"] else ""
    digest = f"sha256 {found['sha256'][:HASH_DIGITS]}…" if found.get("sha256") else ""
    parts = (artifact, _line(found["line"]), show.instant(found["given_at"], viewer.zone()), digest)
    return "  ·  ".join(part for part in parts if part)
