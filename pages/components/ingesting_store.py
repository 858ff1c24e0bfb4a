"""How do looked-at files get into the ledger? One by one, each whole or not at all, and what each of them changed."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import allowed, page, process, show, states, viewer
from pages.components.evidence import run_key
from pages.components.ingesting_choice import Choice
from pages.components.ingesting_files import Bag, Dropped
from quality.commands import ImportArtifact, RunRef
from quality.errors import QualityError

MOST_LINKS = 20
LEDGER_FAULT = 500
"""From this status on an error is about the ledger, not about one file."""
COUNTS = {
    **{f"new_{name}": name for name in ("stories", "runs", "signals", "verdicts", "overrides")},
    "duplicates": "duplicates",
    "rejects": "rejects",
}
"""Column → count of the ledger's answer."""
STORED = {"imported": "stored", "unchanged": "unchanged", "rejected": "only rejects"}
LEAVING = (
    "Each file is stored whole or not at all. Leave this page and storing pauses after the file in hand; come back and "
    "it goes on. After a reload drop the rest again: what is stored says so."
)


def button(bag: Bag, ready: list[Dropped]) -> Any:
    """Store, or while storing how far it is and a way to stop; returns the place of the progress bar."""
    if bag.storing:
        place = st.empty()
        st.button("Stop after this file", on_click=_stop, args=(bag,), icon=":material/stop:", key="ingest_stop")
        st.caption(LEAVING)
        return place
    if not any(file.is_open for file in bag.files):
        return st.empty()
    with st.container():
        _why_not_all(bag, ready)
    may = allowed.to(ImportArtifact, "Storing files")
    with st.container(horizontal=True, vertical_alignment="center"):
        several = f"{show.count(len(ready))} files" if len(ready) != 1 else "1 file"
        st.button(
            f"**Store {several}**",
            on_click=_start,
            args=(bag,),
            disabled=not ready or not viewer.reviewer() or not may,
            icon=":material/save:",
            key="ingest_store",
        )
        if name := viewer.reviewer():
            st.text(f"as {name}")
    if may and not viewer.reviewer():
        st.caption("Give your name first: what you store is recorded under it.")
    return st.empty()


def _why_not_all(bag: Bag, ready: list[Dropped]) -> None:
    waiting = sum(file.is_open for file in bag.files) - len(ready)
    if any(file.is_manifest and file.fault for file in bag.files):
        st.caption(
            ":material/block: A manifest is at fault: drop it corrected, or leave it out. Nothing is stored until then."
        )
    elif waiting:
        st.caption(f":material/info: Waiting for a story: {show.count(waiting)}.")


def store(bag: Bag, ready: list[Dropped], choice: Choice, accept_old: bool, place: Any) -> None:
    """Store what is ready, then draw the page anew. An answer is kept before anything else can interrupt."""
    try:
        for done, file in enumerate(ready):
            place.progress(done / len(ready), text=f"File {show.count(done + 1)} of {show.count(len(ready))}")
            _store_one(file, choice, accept_old)
    except QualityError as error:
        bag.storing = False
        with place.container():
            states.problem("The ledger did not answer; the files before this one are stored.", str(error))
        return
    except Exception:  # a page that is left or drawn anew raises no Exception: storing goes on then
        bag.storing = False
        raise
    bag.storing = False
    st.rerun()


def answers(bag: Bag) -> None:
    """What each stored file changed, and the runs it speaks of."""
    done = [file for file in bag.files if file.answer]
    if not done:
        return
    st.subheader("Stored", anchor=False)
    columns: dict[str, list] = {
        "file": [file.name for file in done],
        "status": [STORED[file.answer.status] for file in done if file.answer],
        **{name: [file.answer.counts.get(of) for file in done if file.answer] for name, of in COUNTS.items()},
    }
    names = ("file", "status", *COUNTS)
    st.dataframe(
        show.shown(pa.table({name: pa.array(columns[name]) for name in names}), names),
        column_config=show.columns(names, viewer.zone(), pinned=("file",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content" if len(done) < 12 else 420,
        alt="What each stored file changed",
        key="ingest_answers",
    )
    if any(file.answer.counts.get("rejects") for file in done if file.answer):
        st.caption(
            ":material/info: Rejects are kept in the ledger with line and reason; each file shows its own below."
        )
    _links([run for file in done if file.answer for run in file.answer.runs])


def _links(runs: list[RunRef]) -> None:
    """A link a run; the key beside it is other people's text."""
    unique = list({run.run_id: run for run in runs}.values())
    for place, run in enumerate(unique[:MOST_LINKS], 1):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            page.link("stories", f"Open run {show.count(place)}", ":material/open_in_new:", run=run.run_id)
            st.text(run_key(run.model_dump()), width="stretch")
    if len(unique) > MOST_LINKS:
        st.caption(f"{show.count(len(unique) - MOST_LINKS)} more runs are listed under Stories.")


def command(file: Dropped, choice: Choice, accept_old: bool, actor: str) -> ImportArtifact:
    """What storing the file asks of the ledger; the choice goes only with a file that needs it."""
    stated: dict[str, Any] = {}
    if file.claim:
        stated = file.claim.fields
    elif file.needs_story:
        stated = vars(choice.target) | {"story": choice.story, "started_at": choice.started_at}
    return ImportArtifact(actor=actor, path=str(file.path), label=file.name, accept_old=accept_old, **stated)


def _store_one(file: Dropped, choice: Choice, accept_old: bool) -> None:
    try:
        file.answer = process.execute(command(file, choice, accept_old, viewer.reviewer()))
    except QualityError as error:
        if error.status >= LEDGER_FAULT:
            raise
        file.fault = str(error)


def _start(bag: Bag) -> None:
    bag.storing = True


def _stop(bag: Bag) -> None:
    bag.storing = False
