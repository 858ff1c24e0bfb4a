"""The process: the dashboard, the HTTP API beside it, and the one ledger that both write to.

streamlit run app.py
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from pages.components.process import HOME


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """The ledger is opened before the first page asks for it, and let go of at the end."""
    HOME.start()
    try:
        yield
    finally:
        HOME.close()


app = st.App("pages/main.py", lifespan=lifespan)
