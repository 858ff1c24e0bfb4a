"""Which rows does a reader take along, in which format, and what do the columns mean?"""

import streamlit as st

from pages.components import data, exporting, exporting_file, filters, page

page.title("Export", "The runs that fit the filters, or the profiles of models, as one file.")
chosen = filters.chosen()

if exporting.looks_back() or page.has_rows(page.read(data.totals, chosen)):
    question = exporting.choose(chosen)
    if found := exporting_file.begin(question):
        exporting_file.download(question, found)
        st.subheader("Preview", anchor=False)
        exporting_file.first_rows(question, found)
        st.subheader("Data dictionary", anchor=False)
        exporting_file.columns(question)
