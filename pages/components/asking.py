"""How is a judge asked without holding up the page? In a thread; the page looks in until it is done.

What is under way belongs to a place of the session. It goes on when its page is left, and its result is there on return.
Meanwhile only the button is disabled: a text area that is disabled and enabled again falls back to an older text.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.components import process, states
from quality.errors import QualityError
from quality.roles import Role

LOOK_IN_SECONDS = 0.5
NEEDS: Role = "reviewer"
"""Asking costs money."""
WHO = f"Asking a judge needs the role {NEEDS}: it costs money."
_log = logging.getLogger(__name__)


@dataclass
class Job:
    """Work in a thread, and how it ended."""

    doing: str
    result: Any = None
    fault: str | None = None
    """Why there is no result."""
    counted: Callable[[], tuple[int, int]] | None = None
    """Of several questions: how many are done, of how many."""
    began: float = field(default_factory=time.monotonic)
    finished: threading.Event = field(default_factory=threading.Event)

    def run(self, work: Callable[[], Any]) -> None:
        try:
            self.result = work()
        except QualityError as error:
            self.fault = str(error)
        except Exception as error:
            _log.exception("%s failed", self.doing)
            self.fault = f"unexpected fault ({type(error).__name__}): see the server's log"
        finally:
            self.finished.set()


def start(
    place: str, doing: str, work: Callable[[], Any], counted: Callable[[], tuple[int, int]] | None = None
) -> None:
    """Begin, unless something is under way there. `work` uses no Streamlit; `doing` is our own words."""
    if reason := process.lacking(NEEDS, "Asking a judge"):
        job = st.session_state[_key(place)] = Job(doing, fault=reason)
        job.finished.set()
    elif under_way(place) is None:
        job = st.session_state[_key(place)] = Job(doing, counted=counted)
        threading.Thread(target=job.run, args=(work,), name=f"ask-{place}", daemon=True).start()


def under_way(place: str) -> Job | None:
    """What is being worked on there."""
    job = st.session_state.get(_key(place))
    return job if job and not job.finished.is_set() else None


def done(place: str) -> Job | None:
    """What was finished there, once."""
    job = st.session_state.get(_key(place))
    return st.session_state.pop(_key(place)) if job and job.finished.is_set() else None


def progress(place: str) -> None:
    """That something is under way and for how long; draws the page anew when it is done. Nothing where nothing is.

    It keeps its place while nothing is under way, so that a look-in that comes late finds it.
    """
    st.fragment(_look_in, run_every=LOOK_IN_SECONDS if under_way(place) else None)(place)


def _look_in(place: str) -> None:
    if job := under_way(place):
        elapsed, most = time.monotonic() - job.began, process.ledger().settings.judges.total_seconds
        if job.counted:
            done, total = job.counted()
            states.progress(done / max(total, 1), f"{job.doing}, {done:,} of {total:,}, {elapsed:.0f} s")
        else:
            states.progress(elapsed / most, f"{job.doing}, {elapsed:.0f} s of at most {most:.0f} s")
        st.caption("You can go to another page meanwhile; the result is kept.")
    elif _key(place) in st.session_state:
        st.rerun()


def _key(place: str) -> str:
    return f"job:{place}"
