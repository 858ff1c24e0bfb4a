"""A ledger of three runs by hand, open in this process, and pages that run on it.

| story | model | auto | verifier | human | effective |
|---|---|---|---|---|---|
| S-1 | m1 | 10.0 (tests 1.0, build yes) | 8.0 | 6.0 by dana | 6.0 human |
| S-2 | m1 | – | 7.0 | – | 7.0 verifier |
| S-3 | unknown | 5.0 (1 test passed, capped) | – | – | 5.0 auto |
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.process import HOME
from quality.commands import AddRating, ImportArtifact
from quality.ledger.ledger import Ledger
from quality.observations import Batch, Evidence, RunFact, SignalReading, StoryFact, Verdict
from quality.readers import formats

PAGES = Path(__file__).resolve().parents[2] / "pages"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script> **bold** :red[red]\nשלום 你好 =1+1"


class ToldReader:
    """Recognises every file and yields what it was told."""

    format = "told"

    def __init__(self, batch):
        self.batch = batch

    def recognises(self, artifact):
        return True

    def read(self, artifact, target):
        yield self.batch


@pytest.fixture
def empty(tmp_path):
    """An open, empty ledger that the pages read."""
    ledger = Ledger(tmp_path / "ledger.duckdb")
    HOME.use(ledger)
    yield ledger
    HOME.close()


@pytest.fixture
def ledger(empty, tmp_path, monkeypatch):
    """The three runs."""
    batch = Batch.of(
        StoryFact(story_id="S-1", title="Fix the *parser*", discipline="backend"),
        StoryFact(story_id="S-2", title="Docs", discipline="docs"),
        StoryFact(story_id="S-3", title="Nested suites", discipline="backend"),
        RunFact(story_id="S-1", agent="a1", model_version="m1", attempt=1, attributes='{"branch": "<b>main</b>"}'),
        RunFact(story_id="S-2", agent="a1", model_version="m1", attempt=1),
        RunFact(story_id="S-3", agent="a2", model_version="unknown", attempt=1),
        SignalReading(run=0, test_pass_rate=1.0, tests_total=20, build_success=True, occurred_at=NOON),
        SignalReading(run=2, test_pass_rate=1.0, tests_total=1, occurred_at=NOON),
        Verdict(run=0, quality=8.0, verifier_agent="v", verifier_model="judge-1", occurred_at=NOON),
        Verdict(run=1, quality=7.0, verifier_agent="v", verifier_model="judge-1", occurred_at=NOON),
        Evidence(run=0, line=3, signal="test_pass_rate", text="20 passed in 1.0s"),
    )
    monkeypatch.setattr(formats, "READERS", (ToldReader(batch),))
    artifact = tmp_path / "artifact"
    artifact.write_text("told")
    empty.execute(ImportArtifact(actor="ci", path=str(artifact), label="ci/tests.log"))
    empty.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6.0, note=HOSTILE, given_at=NOON))
    return empty


@pytest.fixture
def run_ids(ledger):
    """Story id → the id of its run."""
    return {
        row["story_id"]: row["run_id"]
        for row in ledger.store.rows("SELECT story_id, run_id::VARCHAR AS run_id FROM ledger")
    }


@pytest.fixture
def open_page(monkeypatch):
    """Run a page alone: `open_page("overview", tier="human")`; keywords preset the session, `run` and `query` the URL.

    A page that runs alone knows no other page, so a link to one shows its label only.
    """
    monkeypatch.setattr(st, "page_link", lambda target, *, label, **look: st.caption(label))

    def run(name, *, run=None, query=None, seconds=20, **state):
        page = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=seconds)
        page.context = {"timezone": "Europe/Berlin"}
        for key, value in state.items():
            page.session_state[key] = value
        for key, value in {**({"run": run} if run else {}), **(query or {})}.items():
            page.query_params[key] = value
        page.run()
        assert not page.exception, page.exception
        return page

    return run


def texts(page):
    """Everything that a page shows as plain text."""
    return [element.value for element in (*page.text, *page.code)]
