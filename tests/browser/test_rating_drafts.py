"""Is no thought lost that a reviewer has begun to write, whatever becomes of the page, the connection or the server?"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.rating_by_hand import (
    another,
    drafts_of,
    expect_kept,
    give_name,
    note,
    open_run,
    rating,
    runs_of,
)
from tests.browser.settling import settle
from tests.serving import free_port, serving

pytestmark = pytest.mark.browser

THOUGHT = "a long thought\nover two lines"


def test_what_was_typed_is_there_again_when_the_connection_is(chromium: Browser, sample_copy: Path, tmp_path: Path):
    """b25: the server goes while one writes. Nothing can be typed into the void; back again, the draft stands and is stored."""
    port, page = free_port(), another(chromium)
    with serving(sample_copy, tmp_path / "before.log", port=port) as dashboard:
        run_id = runs_of(dashboard)[0]
        open_run(page, dashboard.address, run_id, "dana")
        note(page).press_sequentially(THOUGHT)
        expect_kept(page)  # without leaving the field
        settle(page)
    expect(note(page)).to_be_disabled()
    expect(note(page)).to_have_value(THOUGHT)
    with serving(sample_copy, tmp_path / "after.log", port=port) as dashboard:
        expect(note(page)).to_be_enabled()
        give_name(page, "dana")
        expect(note(page)).to_have_value(THOUGHT)
        expect_kept(page)
        assert drafts_of(dashboard, "dana") == {run_id: (None, THOUGHT)}
        rating(page).fill("6.25")
        rating(page).press("Tab")
        page.get_by_role("button", name="Save rating").click()
        expect(page.get_by_text("Stored: 6.25.")).to_be_visible()
        assert drafts_of(dashboard, "dana") == {}
        page.context.close()
