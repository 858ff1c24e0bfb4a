"""What would each dropped file say and change? The drop zone, a row a file, and one file opened."""

from datetime import datetime
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import allowed, data, evidence, process, show, states, viewer
from pages.components.ingesting_choice import Choice
from pages.components.ingesting_files import LISTED, Bag, Dropped, look
from quality.commands import ImportArtifact
from quality.preview import NAMES_NO_STORY, TESTS
from quality.readers.base import Target
from quality.readers.formats import UNRECOGNISED
from quality.resolution import OLDER_BY

COLUMNS = ("file", "status", "format", *(f"tests_{name}" for name in TESTS), "found", "goes_to", "rejects", "warnings")
REJECTS, SIGNALS, VERDICTS = ("line", "reason", "value"), ("signal", "raw", "line"), ("run", "rating", "line", "note")
MEGABYTE = 1024**2
MOST_WARNINGS, LONGEST_VALUE = 20, 200
ONE = {"errors": "error", "warnings": "warning", "hints": "hint", "passes": "pass", "findings": "finding"}
"""Kind of finding → what one is called."""
SEVERAL = {"signals": "readings", "verdicts": "verdicts", "overrides": "ratings"}
"""Count of a file with several runs → what it counts."""
WAITS, STORED, REFUSED, UNCHANGED, UNREADABLE, REJECTED, READY, MANIFEST = (
    "needs a story", "stored", "not stored", "unchanged", "cannot be read", "only rejects", "ready", "manifest",
)  # fmt: skip
NOT_TO_STORE = (WAITS, STORED, REFUSED, MANIFEST)


def drop(bag: Bag) -> None:
    """Take files, or a folder of them; the uploader is empty again afterwards, the list below keeps them.

    Who may not store has nothing to drop: what others stored is under Stories.
    """
    if bag.is_busy or not allowed.to(ImportArtifact, "Dropping files here"):
        return
    most = max(1, min(int(st.get_option("server.maxUploadSize")), _limit() // MEGABYTE))
    kind = st.segmented_control(
        "Drop", ["Files", "A folder"], default="Files", required=True, key="ingest_kind", label_visibility="collapsed"
    )
    key = f"ingest_drop_{kind}_{bag.drops}"
    st.file_uploader(
        "Test reports, logs, reviews, tables: any file",
        accept_multiple_files="directory" if kind == "A folder" else True,
        max_upload_size=most,
        key=key,
        on_change=lambda: bag.add(st.session_state[key] or []),
    )
    st.caption(
        f"Known by content, not by name. Up to {show.count(most)} MB a file here; larger ones from the command line. "
        "Nothing is stored before you say so."
    )


def examine(bag: Bag, choice: Choice) -> None:
    """Look at the files that have not been looked at, with a bar where there are several."""
    todo = bag.unseen(choice.target)
    place = st.empty()
    for done, file in enumerate(todo):
        if len(todo) > 1:
            with place:
                states.progress(done / len(todo), f"Reading file {show.count(done + 1)} of {show.count(len(todo))}")
        look(file, choice.target, process.ledger().settings)
    place.empty()


def ready(bag: Bag, choice: Choice) -> list[Dropped]:
    """The files that storing would send."""
    if any(file.is_manifest and file.fault for file in bag.files):
        return []
    known = _known(bag)
    return [file for file in bag.files if _status(file, choice, known) not in NOT_TO_STORE]


def files(bag: Bag, choice: Choice) -> Dropped | None:
    """A row a file; the ticked one, or the only one, is opened."""
    known = _known(bag)
    rows = [_row(file, choice, known) for file in bag.files]
    table = pa.table({name: pa.array([row[name] for row in rows], _kind(name)) for name in COLUMNS})
    st.caption(_summary(rows))
    shown = st.dataframe(
        table,
        column_config=show.columns(COLUMNS, viewer.zone(), pinned=("file",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content" if len(rows) < 12 else 420,
        on_select="rerun",
        selection_mode="single-row",
        key=f"ingest_files_{bag.drops}_{len(rows)}",
        alt="The dropped files: what was recognised, counted, and where it would go",
    )
    ticked = shown.selection.rows
    if len(rows) > 1 and not ticked:
        st.caption("Tick a row to see its signals with their lines, its rejects and its warnings.")
    return bag.files[ticked[0]] if ticked else bag.files[0] if len(rows) == 1 else None


def opened(bag: Bag, file: Dropped, choice: Choice) -> None:
    """Everything that was read from one file, and the way to leave it out."""
    with st.container(border=True):
        st.text(file.name)
        if file.fault:
            states.problem(_what_failed(file), file.fault)
        elif file.is_manifest:
            claimed = [other for other in bag.files if other.claim]
            st.caption(f"Says which run {show.count(len(claimed))} of the files are of. It is not stored itself.")
        if file.seen:
            _said(file.seen)
        if file.beside:
            st.text(f"Read together with {', '.join(map(show.isolated, file.beside))}")
        st.button(
            "Leave this file out",
            on_click=bag.remove,
            args=(file,),
            icon=":material/close:",
            key="ingest_out",
            disabled=bag.is_busy,
        )


def clear(bag: Bag) -> None:
    """The way to an empty list; what is stored stays so."""
    st.button(
        "Clear the list", on_click=bag.clear, disabled=bag.is_busy, icon=":material/delete_sweep:", type="tertiary",
        key="ingest_clear",
    )  # fmt: skip


def older(bag: Bag, choice: Choice) -> list[Dropped]:
    """Files whose report says a time well before their run began: stored, but not scored until confirmed."""
    if bag.is_busy:
        return []
    chosen = choice.started_at or (data.start_of_run(choice.target) if choice.target.story_id else None)
    began = {file: file.claim.started_at if file.claim else chosen if file.asks else None for file in bag.files}
    return [file for file in bag.files if file.is_open and (start := began[file]) and _is_older(file, start)]


def accept_older(files: list[Dropped]) -> bool:
    """Name what is older than its run, and ask whether it counts all the same."""
    if not files:
        return False
    states.warn(
        f"{show.count(len(files))} of the files report a time more than an hour before the run began. "
        "They are stored, and not scored until somebody confirms that they are of this run.",
        ":material/history:",
    )
    for file in files[:MOST_WARNINGS]:
        st.text(file.name)
    return st.checkbox("Store and count it all the same", key="ingest_accept_old")


def _what_failed(file: Dropped) -> str:
    if file.is_manifest:
        return "This manifest cannot be followed."
    return "This file was not stored." if file.seen else "This file cannot be read."


def _said(seen: dict[str, Any]) -> None:
    facts = (seen["format"], evidence.tests(seen["tests"]), f"sha256 {seen['sha256'][:8]}…")
    st.text("  ·  ".join(fact for fact in facts if fact))
    for text in [text for text in seen["warnings"] if text != NAMES_NO_STORY][:MOST_WARNINGS]:
        with st.container(horizontal=True, gap="xsmall"):
            st.badge("Warning", icon=":material/warning:", color="orange")
            st.text(text, width="stretch")
    _rejects(seen)
    if seen["diagnostics"]:
        st.text("Findings: " + ", ".join(_found(n, kind) for kind, n in seen["diagnostics"].items() if n))
    for name, value in seen["signals"].items():
        kept = [each for each in seen["evidence"] if each["signal"] == name]
        with st.expander(evidence.heading(name, value, kept), expanded=True, icon=":material/find_in_page:"):
            evidence.pieces(kept)
            if not kept:
                st.caption("A value of its own field; no lines were kept.")
    if not seen["signals"] and seen["readings"]:
        _readings(seen)
    _verdicts(seen)
    rest = [each for each in seen["evidence"] if each["signal"] not in (*seen["signals"], evidence.VERDICT)]
    if rest:
        with st.expander("Other lines that were kept", icon=":material/find_in_page:"):
            evidence.pieces(rest)


def _rejects(seen: dict[str, Any]) -> None:
    if not seen["rejects"]:
        return
    st.badge(f"{show.count(seen['counts']['rejects'])} rejected", icon=":material/block:", color="red")
    for reject in seen["rejects"][: evidence.MOST_PIECES]:
        place = f"line {show.count(reject['line'])}: " if reject["line"] else ""
        value = f" ({reject['value'][:LONGEST_VALUE]})" if reject["value"] else ""
        st.text(f"{place}{reject['reason']}{value}")
    if len(seen["rejects"]) > evidence.MOST_PIECES:
        _table(seen["rejects"], REJECTS, "Rejected records with line and reason", "ingest_rejects")


def _readings(seen: dict[str, Any]) -> None:
    names = [name for name in evidence.MEASURED if any(row[name] is not None for row in seen["readings"])]
    if not names:
        return
    rows = [
        {"run": evidence.run_key(row), "line": row["line"]}
        | {name: evidence.measured(name, row[name]) for name in names}
        for row in seen["readings"]
    ]
    _table(rows, ("run", *names, "line"), "Signals of each run", "ingest_readings", text=names)
    _of(seen, "signals")


def _verdicts(seen: dict[str, Any]) -> None:
    for kind, label in (("verdicts", "Verdicts"), ("overrides", "Human ratings")):
        rows = [{**row, "run": evidence.run_key(row), "rating": row["quality"]} for row in seen[kind]]
        if rows:
            st.text(label)
            _table(rows, VERDICTS, label, f"ingest_{kind}")
            _of(seen, kind)
    kept = [each for each in seen["evidence"] if each["signal"] == evidence.VERDICT]
    if kept:
        with st.expander("Where the verdict was read", expanded=True, icon=":material/find_in_page:"):
            evidence.pieces(kept)


def _of(seen: dict[str, Any], name: str) -> None:
    if seen["counts"][name] > LISTED:
        st.caption(f"The first {show.count(LISTED)} of {show.count(seen['counts'][name])}.")


def _table(
    rows: list[dict[str, Any]], names: tuple[str, ...], alt: str, key: str, text: list[str] | None = None
) -> None:
    kinds = {"line": pa.int64(), "rating": pa.float64()}
    config = show.columns(names, viewer.zone())
    config |= {name: st.column_config.TextColumn(show.label(name)) for name in text or ()}
    st.dataframe(
        pa.table({name: pa.array([row[name] for row in rows], kinds.get(name, pa.string())) for name in names}),
        column_config=config,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content" if len(rows) < 12 else 420,
        alt=alt,
        key=key,
    )


def _row(file: Dropped, choice: Choice, known: dict[str, list[Target]]) -> dict[str, Any]:
    seen = file.seen or {
        "format": None,
        "tests": None,
        "signals": {},
        "counts": {},
        "warnings": [],
        "diagnostics": None,
    }
    counts = seen["counts"]
    found = [f"{show.label(name)} {evidence.measured(name, value)}" for name, value in seen["signals"].items()]
    findings = seen["diagnostics"] or {}
    found += [_found(findings[kind], kind) for kind in ("errors", "warnings") if findings.get(kind)]
    if counts.get("runs", 0) > 1:
        found += [f"{show.count(counts[name])} {word}" for name, word in SEVERAL.items() if counts[name]]
    return {
        "file": file.name,
        "status": _status(file, choice, known),
        "format": None if seen["format"] == UNRECOGNISED else seen["format"],
        **{f"tests_{name}": (seen["tests"] or {}).get(name) for name in TESTS},
        "found": ", ".join(found) or None,
        "goes_to": _goes_to(file, choice),
        "rejects": counts.get("rejects"),
        "warnings": len([text for text in seen["warnings"] if text != NAMES_NO_STORY]) if file.seen else None,
    }


def _found(n: int, kind: str) -> str:
    """`1 error`, `2 errors`, `3 information`."""
    return f"{show.count(n)} {ONE.get(kind, show.words(kind)) if n == 1 else show.words(kind)}"


def _status(file: Dropped, choice: Choice, known: dict[str, list[Target]]) -> str:
    if file.answer:
        return REJECTED if file.answer.status == "rejected" else STORED
    if file.fault:
        return REFUSED
    if file.is_manifest:
        return MANIFEST
    if file.seen and not _is_useful(file.seen) and not file.asks:
        return UNREADABLE if file.seen["format"] == UNRECOGNISED else REJECTED
    if file.asks and not choice.target.story_id:
        return WAITS
    target = file.target(choice.target)
    return UNCHANGED if file.seen and target in known.get(file.seen["sha256"], []) else READY


def _is_useful(seen: dict[str, Any]) -> bool:
    return any(n for name, n in seen["counts"].items() if name != "rejects")


def _goes_to(file: Dropped, choice: Choice) -> str | None:
    runs = [run for run in file.runs if run["story_id"]]
    target = file.target(choice.target)
    if target.story_id and not runs:
        return " · ".join(show.isolated(str(part)) for part in vars(target).values() if part)
    named = (file.seen or {}).get("counts", {}).get("runs", 0)
    if len(runs) == 1 and named <= 1:
        return evidence.run_key(runs[0])
    return f"{show.count(named)} runs" if named and not file.asks else None


def _known(bag: Bag) -> dict[str, list[Target]]:
    return data.stored_files(sorted({file.seen["sha256"] for file in bag.files if file.seen}))


def _is_older(file: Dropped, began: datetime) -> bool:
    times = [row["occurred_at"] for row in (file.seen or {}).get("readings", []) if row["occurred_at"]]
    return any(began - at > OLDER_BY for at in times)


def _summary(rows: list[dict[str, Any]]) -> str:
    tally = {
        status: sum(row["status"] == status for row in rows) for status in dict.fromkeys(r["status"] for r in rows)
    }
    return "  ·  ".join(f"{status}: {show.count(n)}" for status, n in tally.items())


def _kind(name: str) -> pa.DataType:
    return pa.int64() if name in ("rejects", "warnings") or name.startswith("tests_") else pa.string()


def _limit() -> int:
    return process.ledger().settings.limits.artifact_bytes
