"""What did a judge make of a prompt? Overall, four dimensions, suggestions, and who judged; or why there is no score."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, judging, opened_prompt, prompt_draft, show, states, viewer
from quality.definitions import define
from quality.dimensions import DIMENSIONS

PARTS = ("dimension", "dimension_score", "dimension_weight")
LOOKS = {
    "green": ("green", ":material/check_circle:"),
    "yellow": ("yellow", ":material/thumb_up:"),
    "orange": ("orange", ":material/warning:"),
    "red": ("red", ":material/cancel:"),
}
"""Colour of the model (MODEL.md, Prompts) → colour of the theme, and a shape besides."""
LABELS = {d.key: d.label for d in DIMENSIONS}
UNREADABLE = "No score: the judge's answer cannot be read. Nothing is guessed."
MEASURED = ("prompt_version", "input_tokens", "output_tokens", "latency_ms")


def heading(found: dict[str, Any]) -> None:
    """Which prompt, which version, judged when."""
    versions = f"version {show.count(found['version'])} of {show.count(found['versions'])}"
    at = show.instant(found["recorded_at"], viewer.zone())
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Evaluation", anchor=False, width="content")
        st.button(
            "Edit this text", key="edit_text", icon=":material/edit:", type="tertiary", on_click=prompt_draft.fill,
            args=(found["text"], found["name"], found["story_id"]),
        )  # fmt: skip
    st.text(f"{show.isolated(opened_prompt.named(found))}  ·  {versions}  ·  {at}")


def result(found: dict[str, Any]) -> None:
    """The score with its explanation, or the failure."""
    if found["metadata"]["scripted"]:
        judging.no_judgement()
    if found["failure"]:
        failed(found)
    else:
        overall(found)
        dimensions(found)
        suggestions(found)
    for warning in found["warnings"]:
        st.caption(":material/info: Note")
        st.text(warning)
    details(found)


def overall(found: dict[str, Any]) -> None:
    """The number, and its label with its colour and a shape."""
    colour, icon = LOOKS[found["colour"]]
    definition = define("overall")
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="medium"):
        st.metric(definition.label, show.score(found["overall"]), help=definition.tooltip, width="content")
        st.badge(
            f"{found['label']} · {found['colour']}", icon=icon, color=colour, help=define("label").tooltip,
        )  # fmt: skip


def dimensions(found: dict[str, Any]) -> None:
    """The radar and the table, then the judge's words on each."""
    with st.grid(2, min_column_width=280, gap="small"):
        chart, table = st.container(), st.container()
    with chart:
        said = ", ".join(f"{LABELS[part['key']]} {show.score(part['score'])}" for part in found["dimensions"])
        figure = charts.radar({"": {LABELS[part["key"]]: part["score"] for part in found["dimensions"]}})
        st.plotly_chart(figure, config=charts.STILL, alt=f"Scores from 0 to 10 on a radar: {said}", key="radar")
    with table:
        st.dataframe(
            parts_table(found), column_config=show.columns(PARTS, viewer.zone()), hide_index=True, height="content",
            alt="Score and weight of each dimension", key="dimensions",
        )  # fmt: skip
    for part in found["dimensions"]:
        with st.container(border=True, gap="xsmall", height=show.room(part["feedback"])):
            st.markdown(f"**{LABELS[part['key']]}** {show.score(part['score'])}")
            st.text(part["feedback"])


def parts_table(found: dict[str, Any]) -> pa.Table:
    """A row a dimension."""
    parts = found["dimensions"]
    return pa.table({
        "dimension": pa.array([LABELS[part["key"]] for part in parts], pa.string()),
        "dimension_score": pa.array([part["score"] for part in parts], pa.float64()),
        "dimension_weight": pa.array([part["weight"] for part in parts], pa.float64()),
    })  # fmt: skip


def suggestions(found: dict[str, Any]) -> None:
    """What the author can change, as the judge wrote it."""
    st.markdown("**Suggestions**")
    if not found["suggestions"]:
        st.caption("The judge has none.")
    for number, text in enumerate(found["suggestions"], 1):
        st.text(f"{number}. {text}")


def failed(found: dict[str, Any]) -> None:
    """No score: the code, what to do, and on request the judge's words."""
    states.problem(UNREADABLE, f"{found['failure']['code']}: {found['failure']['message']}")
    if found["reply"] is not None:
        with st.expander("The judge's words", icon=":material/notes:"):
            st.code(found["reply"], language=None, wrap_lines=True)


def details(found: dict[str, Any]) -> None:
    """Who judged with which words, what it took, and the text that was judged."""
    known = found["metadata"]
    facts = {"Judge": known["backend"], "Model": known["model"], "Judge's instructions": known["prompt_version"]}
    counted = {name: known[name] for name in ("input_tokens", "output_tokens") if known[name] is not None}
    facts |= {define(name).label: show.count(value) for name, value in counted.items()}
    if known["latency_ms"] is not None:
        facts[define("latency_ms").label] = show.duration(known["latency_ms"])
    if known["cost_usd"] is not None:
        facts[define("cost_usd").label] = show.dollars(known["cost_usd"])
    facts["Stop reason"] = known["stop_reason"]
    facts |= {"Recorded by": found["actor"], "SHA-256 of the text": found["prompt_sha256"]}
    shown = {name: value for name, value in facts.items() if value}
    with st.expander("Judge, tokens and the text that was judged", icon=":material/data_object:"):
        table = pa.table({"name": list(shown), "value": [str(value) for value in shown.values()]})
        st.dataframe(table, hide_index=True, height="content", alt="Who judged, and what it took", key="metadata")
        st.code(found["text"], language=None, wrap_lines=True, height=show.room(found["text"]))


def nothing_open() -> None:
    """Before anything was evaluated or opened: what will be judged."""
    with st.container(border=True, gap="small"):
        st.subheader("What is judged", anchor=False)
        for dimension in DIMENSIONS:
            st.markdown(f"**{dimension.label}** – {dimension.description}")
        st.caption("Each is scored 0–10 by the judge you choose; the overall score is their weighted mean.")
