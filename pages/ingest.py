"""What do these files say, and which runs do they change? Looked at, then stored; and what was imported before?"""

import streamlit as st

from pages.components import (
    correcting_imports,
    imports_data,
    imports_list,
    ingesting,
    ingesting_choice,
    ingesting_files,
    ingesting_store,
    page,
    redacting,
    viewer,
)

if named := imports_list.opened():
    correcting_imports.back()
    if found := page.found(imports_data.one, named, "import"):
        correcting_imports.heading(found)
        correcting_imports.numbers(found)
        correcting_imports.runs(found)
        correcting_imports.turn(found)
        redacting.of_rejects(found)
else:
    page.title(
        "Ingest", "Drop what your tools wrote; see what is read from it, and from which line, before it is stored."
    )
    bag = ingesting_files.bag()
    ingesting.drop(bag)
    ingesting.examine(bag, ingesting_choice.chosen())

    if bag.files:
        with st.container():
            if (asking := [file for file in bag.files if file.asks and file.is_open]) and not bag.is_busy:
                ingesting_choice.ask(len(asking))
        choice = ingesting_choice.chosen()
        ingesting.examine(bag, choice)
        # Each in a place of its own: what comes and goes above the button must not draw it twice.
        with st.container():
            accept_old = ingesting.accept_older(ingesting.older(bag, choice))
        with st.container():
            viewer.ask_name()
        ready = ingesting.ready(bag, choice)
        ingesting_store.button(bag, ready)
        ingesting_store.answers(bag)
        st.subheader("Files", anchor=False)
        if (file := ingesting.files(bag, choice)) is not None:
            ingesting.opened(bag, file, choice)
        ingesting.clear(bag)
        if bag.storing:
            ingesting_store.store(bag, ready, choice, accept_old)
    imports_list.listed()
