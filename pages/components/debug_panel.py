"""What did this page cost the server? With `?debug=1` in the address: its time, and each question to the ledger."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
import streamlit as st

from pages.components import show, url
from quality.ledger.timing import Asked, listening

_PARAM, _ON = "debug", "1"
MILLISECONDS = 1e3


@contextmanager
def measured() -> Iterator[None]:
    """What is drawn in the block, and below it, where asked for, what that took."""
    if url.read(_PARAM) != _ON:
        yield
        return
    began = time.perf_counter()
    with listening() as heard:
        yield
    _panel(time.perf_counter() - began, heard)


def _panel(seconds: float, heard: list[Asked]) -> None:
    asking = sum(asked.seconds for asked in heard)
    with st.expander("What this page cost the server", icon=":material/timer:", expanded=True):
        st.text(
            f"{_ms(seconds)} ms from the first line to the last, of which {_ms(asking)} ms in {show.count(len(heard))} "
            "questions to the ledger. What an earlier page asked in the same state of the ledger is not asked again."
        )
        if heard:
            _table(heard)
        st.button("Hide", on_click=url.write, args=(_PARAM, None), key="debug_off", type="tertiary")


def _table(heard: list[Asked]) -> None:
    names = list(dict.fromkeys(asked.by for asked in heard))
    each = [[asked for asked in heard if asked.by == name] for name in names]
    st.dataframe(
        pa.table({
            "Question": names,
            "Times": [len(asked) for asked in each],
            "ms": [sum(one.seconds for one in asked) * MILLISECONDS for asked in each],
            "Rows": [sum(one.rows for one in asked) for asked in each],
        }),
        hide_index=True,
        alt="Each question that this page put to the ledger: how often, how long, how many rows",
        key="debug_table",
        column_config={"ms": st.column_config.NumberColumn(format="%.1f")},
    )  # fmt: skip


def _ms(seconds: float) -> str:
    return show.score(seconds * MILLISECONDS)
