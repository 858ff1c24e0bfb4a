"""What happened in each run, and why does it score as it does? A table of runs; an open run with its evidence; its story,
where that is to be corrected."""

import streamlit as st

from pages.components import (
    correcting_stories,
    data,
    filters,
    merging_stories,
    neighbours,
    ordering,
    page,
    redacting,
    responses_of_run,
    review_bar,
    run_timeline,
    run_view,
    runs_table,
    selection,
    stories_data,
    story_history,
    story_view,
    unsaved,
    verifier,
)

if story_id := selection.corrected():
    correcting_stories.back(selection.current() is not None)
    if found := page.found(stories_data.corrections_of, story_id, "story"):
        correcting_stories.heading(story_id, found)
        known, other = st.columns((3, 2), gap="medium")
        with known:
            correcting_stories.form(found["story_id"])
        with other:
            merging_stories.merge(found)
            merging_stories.split(found)
            story_history.of(found)
elif run_id := selection.current():
    run = page.found(data.run, run_id)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        page.back_to_runs()
        if run:
            neighbours.bar(run)
    if run:
        verifier.settle(run)
        run_view.heading(run)
        run_view.tiers(run)
        run_view.caveats(run)
        why, write = st.columns((3, 2), gap="medium")
        with why:
            run_view.automatic(run)
            run_timeline.show_history(run)
            run_view.history(run)
        with write:
            run_view.write(run)
            review_bar.of_run(run_id)
            run_timeline.beside(run)
            story_view.criteria(run)
            correcting_stories.link(run["story_id"])
            responses_of_run.of(run)
            verifier.ask(run)
            run_view.details(run)
            redacting.of_run(run)
        run_view.siblings(run)
else:
    page.title("Stories", "A row a run: every score with its tier, and the way to what is behind it.")
    unsaved.of_mine()
    ordering.check_link()
    chosen = filters.chosen()
    totals = page.read(data.totals, chosen)
    if page.has_rows(totals):
        runs_table.paged(chosen, totals["runs"])
