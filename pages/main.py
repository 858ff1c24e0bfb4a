"""The frame of every screen: navigation, the filters they share, and what is shown while there is no ledger."""

from pathlib import Path

import streamlit as st

from pages.components import (
    debug_panel,
    entrance,
    failed,
    filters,
    ingesting_store,
    looking_back,
    model_choice,
    sample,
    selection,
    states,
    viewer,
)
from pages.components.process import HOME

STATIC = Path(__file__).parent / "static"
WITHOUT_FILTERS = (
    "Prompts",
    "Responses",
    "Candidates",
    "Activity",
    "Backup",
    "Trust",
    "Route",
    "Review",
)  # screens that show no runs; a text of its own would be drawn here
st.set_page_config(page_title="Quality Tiers", page_icon=str(STATIC / "icon.svg"), layout="wide")
st.logo(str(STATIC / "logo.svg"), size="large")
st.html(STATIC / "widgets.css")
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
            "trust.py",
            title="Trust",
            icon=":material/balance:",
            help="How far verifiers, the automatic tier and reviewers agree with people.",
        ),
        st.Page(
            "route.py",
            title="Route",
            icon=":material/alt_route:",
            help="Which model to send a kind of work to, how sure that is, and what to review to be surer.",
        ),
        st.Page(
            "trend.py",
            title="Trend",
            icon=":material/trending_down:",
            help="How each model does week by week, and which have really dropped.",
        ),
        st.Page(
            "review.py",
            title="Review",
            icon=":material/rate_review:",
            help="What to look at next: runs drawn by lot for you, one at a time, rated by the keyboard.",
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
    expanded=True,
)

st.set_page_config(page_title=f"{screens.title} · Quality Tiers")
if not viewer.may_enter():
    entrance.door()
elif state.phase == "failed":
    failed.screen(state)
elif state.phase != "ready":
    states.opening()
else:
    with debug_panel.measured():
        model_choice.settle(screens.title)
        looking_back.begin()
        with st.sidebar:
            filters.sidebar(apply=screens.title not in WITHOUT_FILTERS)
            ingesting_store.notice(screens.title)
            entrance.identity()
        entrance.open_door_banner()
        selection.current()
        if state.sample:
            sample.banner(screens.title)
        screens.run()
