"""What should a person look at next? One drawn run at a time, rated by the keyboard, blind if wanted."""

import streamlit as st

from pages.components import page, review_queue, review_queue_view

page.title("Review", "One run at a time, drawn by lot; likelier where a rating would tell more.")
if review_queue.ready():
    at = review_queue.standing()
    review_queue.progress(at)
    if at.draw is None:
        review_queue.begin(at)
    elif run := page.found(lambda _: review_queue.read(at), at.draw["run_id"]):
        review_queue.bar(at)
        work, write = st.columns((3, 2), gap="medium")
        with work:
            review_queue_view.what(run, at.hidden)
            if not at.hidden:
                review_queue_view.tiers(run, at)
            review_queue_view.evidence(run)
            if not at.hidden:
                review_queue_view.behind(run)
        with write:
            review_queue_view.write(run, at)
            review_queue.tell_late(at, run)
    else:
        review_queue.gone(at)
review_queue.team()
