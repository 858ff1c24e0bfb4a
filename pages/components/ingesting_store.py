"""How do looked-at files get into the ledger? One by one in the background, and what each of them changed."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import allowed, ingesting_files, ingesting_job, page, process, show, states, viewer
from pages.components.evidence import run_key
from pages.components.ingesting_choice import Choice
from pages.components.ingesting_files import Bag, Dropped
from pages.components.ingesting_job import Storing, Task
from quality.commands import ImportArtifact, Imported, RunRef

MOST_LINKS = 20
SCREEN = "Ingest"
LOOK_IN_SECONDS, NOTICE_SECONDS = 0.5, 2.0
_WATCHED = "ingest_watched"
COUNTS = {
    **{f"new_{name}": name for name in ("stories", "runs", "signals", "verdicts", "overrides")},
    "duplicates": "duplicates",
    "rejects": "rejects",
}
"""Column → count of the ledger's answer."""
STORED = {"imported": "stored", "unchanged": "unchanged", "rejected": "only rejects"}
LEAVING = (
    "Each file is stored whole or not at all. You can leave this page, or close it: storing goes on, and what came of it is "
    "here when you come back."
)


def button(bag: Bag, ready: list[Dropped]) -> None:
    """Store; or while that is under way how far it is, and a way to stop."""
    busy = bag.is_busy
    if bag.job and not busy:
        bag.job.seen = True
    st.fragment(_look_in, run_every=LOOK_IN_SECONDS if busy else None)(bag)
    if busy:
        return
    _how_it_ended(bag)
    if not any(file.is_open for file in bag.files):
        return
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


def _why_not_all(bag: Bag, ready: list[Dropped]) -> None:
    waiting = sum(file.is_open for file in bag.files) - len(ready)
    if any(file.is_manifest and file.fault for file in bag.files):
        st.caption(
            ":material/block: A manifest is at fault: drop it corrected, or leave it out. Nothing is stored until then."
        )
    elif waiting:
        st.caption(f":material/info: Waiting for a story: {show.count(waiting)}.")


def store(bag: Bag, ready: list[Dropped], choice: Choice, accept_old: bool) -> None:
    """Begin to store what is ready, then draw the page anew: it goes on by itself, wherever the person goes."""
    bag.storing = False
    if not bag.is_busy and ready and not process.barred(ImportArtifact):
        tasks = [_task(file, command(file, choice, accept_old, viewer.reviewer())) for file in ready]
        bag.job = ingesting_job.start(tasks, keeps=bag)
    st.rerun()


def notice(screen: str) -> None:
    """On every other page, for who has left: that storing goes on, or that it has ended, with the way back."""
    bag = ingesting_files.known()
    job = (bag and bag.job) or ingesting_job.to_take_up()
    if screen == SCREEN or job is None or job.seen:
        return
    st.session_state[_WATCHED] = job.is_running
    st.fragment(_notice, run_every=NOTICE_SECONDS if job.is_running else None)(job)


def _notice(job: Storing) -> None:
    total = show.count(len(job.tasks))
    if not job.is_running and st.session_state.pop(_WATCHED, False):
        st.rerun()  # the page shows what is stored now
    if job.is_running:
        said = f"Storing file {show.count(min(job.done + 1, len(job.tasks)))} of {total}"
        page.link("ingest", said, ":material/progress_activity:")
    elif job.fault or job.left:
        page.link("ingest", f"Storing ended after {show.count(job.done)} of {total}", ":material/error:")
    else:
        page.link("ingest", f"Files stored: {total}", ":material/check_circle:")


def _look_in(bag: Bag) -> None:
    """The bar; once it is through, the page is drawn anew."""
    job = bag.job
    if job is None or job.seen:
        return
    if not job.is_running:
        job.seen = True
        st.rerun()
    place, total = min(job.done, len(job.tasks) - 1), show.count(len(job.tasks))
    read = f", {show.count(job.records)} records read" if job.records else ""
    states.progress(job.share, f"File {show.count(place + 1)} of {total}{read}, {job.seconds:.0f} s")
    st.text(job.tasks[place].name)
    st.button(
        "Stopping after this file" if job.stopping.is_set() else "Stop after this file",
        on_click=job.stopping.set, disabled=job.stopping.is_set(), icon=":material/stop:", key="ingest_stop",
    )  # fmt: skip
    st.caption(LEAVING)


def _how_it_ended(bag: Bag) -> None:
    """Said where it was not with the last file."""
    job = bag.job
    if job is None:
        return
    if job.fault:
        states.problem(f"Storing ended early; the {show.count(job.done)} files before are stored.", job.fault)
    elif job.left:
        states.note(f"Stopped. Not stored yet: {show.count(job.left)}.", ":material/stop:")


def _task(file: Dropped, asked: ImportArtifact) -> Task:
    def answered(answer: Imported) -> None:
        file.answer = answer

    def refused(reason: str) -> None:
        file.fault = reason

    return Task(file.name, file.path, asked, answered, refused)


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


def _start(bag: Bag) -> None:
    bag.storing = True
