"""Which rows does a reader take along, in which format, and what do the columns mean?"""

import streamlit as st

from pages.components import data, exporting, filters, page

page.title("Export", "The runs that fit the filters, all tiers side by side, as one file.")
chosen = filters.chosen()
totals = data.totals(chosen)

if page.has_rows(totals):
    name = exporting.choose()
    exporting.download(name, chosen)
    st.subheader("Preview", anchor=False)
    table = exporting.preview(chosen)
    st.subheader("Data dictionary", anchor=False)
    exporting.dictionary(table.column_names)
