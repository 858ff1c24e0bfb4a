"""What does a reviewer see of a drawn run? Blind, what it was about and where it comes from; after their rating, everything.

Blind leaves out every score and what tells one: signals, contributions, history, caveats, badges. What a source says besides
is shown where it leads to the work itself, such as a branch or an address.
"""

from typing import Any

import streamlit as st

from pages.components import drafting, rating, review_queue, run_view, show, states, story_view, viewer
from quality.definitions import define
from quality.observations import COORDINATE

IDENTITY = ("story_id", "model", "agent", "attempt", *COORDINATE)
WHERE = ("branch", "commit", "sha", "diff", "patch", "pull_request", "pr", "repository", "repo", "path", "url", "ref")
"""Attributes that lead to the work, besides those that hold an address."""
ADDRESS = ("http://", "https://")
HASH_DIGITS = 8
SHOWN_ARTIFACTS = 10
HIDDEN = "Scores are hidden until you have rated."


def what(run: dict[str, Any], hidden: bool) -> None:
    """Title and key of the run; as text, since they are the source's."""
    title = run["title"] or run["story_id"]
    key = "  ·  ".join(
        f"{define(name).label}: {show.isolated(str(run[name]))}" for name in IDENTITY if run[name] is not None
    )
    with st.container(border=True, gap="xsmall", height=show.room(title + key)):
        st.text(title)
        st.text(key)
    if hidden:
        st.caption(f":material/visibility_off: {HIDDEN}")


def evidence(run: dict[str, Any]) -> None:
    """What was asked for, and where the work can be looked at."""
    story_view.criteria(run)
    found = {name: str(value) for name, value in run["attributes"].items() if leads_to_work(name, str(value))}
    artifacts = artifacts_of(run)
    st.subheader("Where it can be looked at", anchor=False)
    if not found and not artifacts:
        states.missing("No source names an address, a branch or a file of it.")
    for name, value in found.items():
        st.text(f"{show.words(name)}: {show.isolated(value)}")
    for artifact in artifacts[:SHOWN_ARTIFACTS]:
        st.text(artifact)
    if len(artifacts) > SHOWN_ARTIFACTS:
        st.caption(f"The first {show.count(SHOWN_ARTIFACTS)} of {show.count(len(artifacts))} files.")


def tiers(run: dict[str, Any], at: review_queue.Standing) -> None:
    """The three tiers and the effective score, with the rating that the reviewer gave first."""
    run_view.tiers(run)
    if mine := drafting.standing(run, at.reviewer):
        first, last = show.number(mine[0]["quality"]), show.number(mine[-1]["quality"])
        st.text(f"You rated {last}, and {first} first; both are kept." if len(mine) > 1 else f"You rated {last}.")
    run_view.caveats(run)


def behind(run: dict[str, Any]) -> None:
    """Everything else there is to know of it."""
    run_view.automatic(run)
    run_view.history(run)
    run_view.details(run)


def write(run: dict[str, Any], at: review_queue.Standing) -> None:
    """The rating form; once it is stored, the same to change it."""
    with st.container(border=True):
        st.subheader("Change it" if at.rated else "Your rating", anchor=False)
        if at.rated:
            rating.form(run, after_save=review_queue.after_save(at), also_keys=review_queue.NEXT)
        else:
            rating.form(run, after_save=review_queue.after_save(at), skip=review_queue.skip(at), blind=at.hidden)


def leads_to_work(name: str, value: str) -> bool:
    """Whether an attribute says where the work is.

    >>> leads_to_work("branch", "main"), leads_to_work("ci", "https://ci.example/7"), leads_to_work("score", "9")
    (True, True, False)
    """
    return name.lower() in WHERE or value.startswith(ADDRESS)


def artifacts_of(run: dict[str, Any]) -> list[str]:
    """The files that something was read from: name, time and hash, no value; each once, the latest first."""
    found: dict[tuple[Any, ...], str] = {}
    for read in run["readings"]:
        digest = f"sha256 {read['sha256'][:HASH_DIGITS]}…" if read.get("sha256") else ""
        parts = (show.isolated(read["artifact"] or ""), show.instant(read["given_at"], viewer.zone()), digest)
        if read["artifact"]:
            found.setdefault((read["artifact"], read.get("sha256")), "  ·  ".join(part for part in parts if part))
    return list(found.values())
