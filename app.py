"""The process: the dashboard, the HTTP API beside it, and the one ledger that both write to.

streamlit run app.py
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from pages.components.process import HOME
from quality.api import middleware, refuse_unsafe, routes
from quality.errors import QualityError
from quality.ledger.ledger import Ledger
from quality.response_spool import import_behind
from quality.roles import OWNER, As
from quality.settings import Settings


def settings() -> Settings:
    """The settings in force; the defaults where they cannot be read, which the first page then says."""
    try:
        return HOME.settings()
    except QualityError:
        return Settings.model_construct()


def has_login() -> bool:
    """Whether people can log in: `st.login` is configured in the secrets."""
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False


def address() -> str:
    """Where another process of this machine reaches the API."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host = st.get_option("server.address") or "127.0.0.1"
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{scheme}://{host}:{st.get_option('server.port')}{f'/{base}' if base else ''}"


def announce(ledger: Ledger) -> None:
    """Write address and a new secret beside the ledger, for the command line."""
    ledger.store.owner.serve_at(address())


def take_spool(ledger: Ledger) -> None:
    """Import the responses that waited beside the ledger while nobody had it open."""
    import_behind(As(ledger, OWNER), ledger.path, "dashboard")


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """The ledger is opened before the first page asks for it, and let go of at the end."""
    HOME.on_open += [announce, take_spool]
    HOME.start()
    try:
        yield
    finally:
        HOME.close()


try:
    refuse_unsafe(settings(), st.get_option("server.address"), has_login())
except QualityError as error:
    sys.exit(str(error))

app = st.App("pages/main.py", lifespan=lifespan, routes=routes(HOME.ledger), middleware=middleware(settings()))
