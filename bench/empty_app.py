"""The least that a Streamlit app of two pages can be: what a page switch costs by itself."""

import streamlit as st


def first() -> None:
    st.title("First", anchor=False)


def second() -> None:
    st.title("Second", anchor=False)


st.set_page_config(layout="wide")
st.navigation([st.Page(first, title="First", default=True), st.Page(second, title="Second")]).run()
