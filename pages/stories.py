"""What happened in each run, and why does it score as it does? A table of runs; an open run with its evidence."""

import streamlit as st

from pages.components import (
    data,
    filters,
    neighbours,
    page,
    responses_of_run,
    review_bar,
    run_timeline,
    run_view,
    runs_table,
    selection,
    story_view,
    verifier,
)

if run_id := selection.current():
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
            responses_of_run.of(run)
            verifier.ask(run)
            run_view.details(run)
        run_view.siblings(run)
else:
    page.title("Stories", "A row a run: every score with its tier, and the way to what is behind it.")
    chosen = filters.chosen()
    totals = data.totals(chosen)
    if page.has_rows(totals):
        runs_table.paged(chosen, totals["runs"])
