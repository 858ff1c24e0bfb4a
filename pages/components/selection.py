"""Which run is open? It stands in the URL (`?run=ID`) and survives page switches."""

from pages.components import url

_PARAM = "run"


def current() -> str | None:
    """The open run's id."""
    return url.read(_PARAM)


def open_run(run_id: str) -> None:
    url.write(_PARAM, run_id)


def close_run() -> None:
    url.write(_PARAM, None)
