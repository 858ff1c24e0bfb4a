"""What does somebody do with a ledger of their own that is still empty? Three ways to fill it; gone once a run is there."""

from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components import process, states, viewer
from quality.connecting import INGEST, SYNLYNK, TOKEN, upload_command

NARROWEST = 260
"""Pixels of a way; narrower screens have them one below the other."""
LOOK_IN_SECONDS = 3.0
UNKNOWN_ADDRESS = "http://127.0.0.1:8501"


def what_next() -> None:
    """The ways, side by side."""
    _look_in(process.ledger().runs_version)
    with st.container(key="first_steps"):
        st.subheader(states.no_yet("runs"), anchor=False)
        st.caption("This ledger is empty. Three ways to fill it; what comes in shows here at once.")
        with st.grid(3, min_column_width=NARROWEST, gap="small"):
            with _way(":material/upload_file:", "Ingest a file"):
                st.write(
                    "Test reports, CI logs, reviews or tables: drop them and see what is read before it is stored."
                )
                st.page_link("ingest.py", label="Go to Ingest", icon=":material/arrow_forward:")
                st.caption("Or from the command line, also while this page is open:")
                st.code(INGEST, language=None, wrap_lines=True)
            with _way(":material/sync:", "Connect CI"):
                st.write(
                    "Each job sends its report. Make a token, put the lines it prints into quality.toml, start the "
                    "dashboard anew:"
                )
                st.code(TOKEN, language=None, wrap_lines=True)
                st.caption(
                    "Then, in the job after its tests, with the token as QUALITY_TOKEN and the story as STORY_ID:"
                )
                st.code(upload_command(address()), language=None, wrap_lines=True)
                if not viewer.others_reach_it():
                    st.caption("Only this machine reaches this address. For jobs elsewhere: README, Who may do what.")
            with _way(":material/hub:", "Import a synlynk workspace"):
                st.write(
                    "Its database has the stories, who did them, signals, verdicts and ratings. Run in its folder:"
                )
                st.code(SYNLYNK, language=None, wrap_lines=True)
                st.caption("Newer versions keep it under ~/.synlynk/projects/. It can be dropped on Ingest as well.")


@st.fragment(run_every=LOOK_IN_SECONDS)
def _look_in(version: int) -> None:
    """Draw the page anew once something came in, from wherever."""
    if process.ledger().runs_version != version:
        st.rerun()


def address() -> str:
    """Where people reach this dashboard: as this browser does, else as the command line is told."""
    seen, base = urlsplit(st.context.url or ""), (st.get_option("server.baseUrlPath") or "").strip("/")
    if seen.netloc:
        return f"{seen.scheme}://{seen.netloc}{f'/{base}' if base else ''}"
    holder = process.ledger().store.owner.read()
    return (holder and holder.address) or UNKNOWN_ADDRESS


def _way(icon: str, title: str) -> DeltaGenerator:
    way = st.container(border=True, height="stretch")
    way.markdown(f"{icon} **{title}**")
    return way
