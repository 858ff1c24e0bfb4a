"""The frame of every screen: navigation, the filters they share, and what is shown while there is no ledger."""

from pathlib import Path

import streamlit as st

from pages.components import debug_panel, entrance, filters, model_choice, selection, states, viewer
from pages.components.process import HOME

STATIC = Path(__file__).parent / "static"
WITHOUT_FILTERS = (
    "Prompts",
    "Responses",
    "Candidates",
    "Activity",
    "Backup",
)  # screens that show no runs; a text of its own would be drawn here
st.set_page_config(page_title="Quality Tiers", page_icon=str(STATIC / "icon.svg"), layout="wide")
st.logo(str(STATIC / "logo.svg"), size="large")
HOME.start()
state = HOME.state

screens = st.navigation(
    [
        st.Page(
            "overview.py",
            title="Overview",
            icon=":material/leaderboard:",
            default=True,
            help="How each model does: automatic, verifier and human scores side by side.",
        ),
        st.Page(
            "models.py",
            title="Models",
            icon=":material/smart_toy:",
            help="One model in depth: its scores, kinds of work, caveats and stories; two side by side.",
        ),
        st.Page(
            "stories.py",
            title="Stories",
            icon=":material/fact_check:",
            help="Every run with its tiers; open one to see why it scores as it does, and rate it.",
        ),
        st.Page(
            "responses.py",
            title="Responses",
            icon=":material/forum:",
            help="How good single AI responses are, over time and by model, with regressions marked.",
        ),
        st.Page(
            "candidates.py",
            title="Candidates",
            icon=":material/rule:",
            help="Proposed changes scored and ranked; one opened to the way to its score, with a what-if.",
        ),
        st.Page(
            "ingest.py",
            title="Ingest",
            icon=":material/upload_file:",
            help="Drop files, see what would be read from them and from which line, then store it.",
        ),
        st.Page(
            "prompts.py",
            title="Prompts",
            icon=":material/edit_note:",
            help="A judge scores how well a prompt is written; its versions side by side.",
        ),
        st.Page(
            "export.py",
            title="Export",
            icon=":material/download:",
            help="The rows that fit the filters, as CSV, Parquet or JSON lines.",
        ),
        st.Page(
            "activity.py",
            title="Activity",
            icon=":material/history:",
            help="Every write to the ledger by whom and when; one opened with its request and answer.",
        ),
        st.Page(
            "backup.py",
            title="Backup",
            icon=":material/backup:",
            help="The whole ledger as one file while everybody works on, and the way back to one.",
        ),
    ],
    position="sidebar" if state.phase == "ready" and viewer.may_enter() else "hidden",
)

if not viewer.may_enter():
    entrance.door()
elif state.phase == "failed":
    states.failed(state.reason)
elif state.phase != "ready":
    states.opening()
else:
    with debug_panel.measured():
        model_choice.settle(screens.title)
        with st.sidebar:
            filters.sidebar(apply=screens.title not in WITHOUT_FILTERS)
            entrance.identity()
        entrance.open_door_banner()
        selection.current()
        if state.sample:
            states.sample_banner()
        screens.run()
