"""What happened in each run, and why does it score as it does? A table of runs; an open run with its evidence."""

import streamlit as st

from pages.components import (
    data,
    filters,
    page,
    responses_of_run,
    run_view,
    runs_table,
    selection,
    story_view,
    verifier,
)

if run_id := selection.current():
    run = page.found(data.run, run_id)
    page.back_to_runs()
    if run:
        verifier.settle(run)
        run_view.heading(run)
        run_view.tiers(run)
        run_view.caveats(run)
        why, write = st.columns((3, 2), gap="medium")
        with why:
            run_view.automatic(run)
            run_view.history(run)
        with write:
            run_view.write(run)
            story_view.criteria(run)
            responses_of_run.of(run)
            verifier.ask(run)
            run_view.details(run)
        run_view.siblings(run)
else:
    page.title("Stories", "A row a run. Tick a row to open it; click a column title to sort all rows by it.")
    chosen = filters.chosen()
    totals = data.totals(chosen)
    if page.has_rows(totals):
        runs_table.paged(chosen, totals["runs"])
