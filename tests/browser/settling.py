"""When is what was last done on a page drawn? Browser tests wait for it before they look or act again."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

import pytest
from playwright.sync_api import Error, Locator, Page, TimeoutError

from tests.serving import WAIT_SECONDS

ACTIONS = ("click", "fill", "press", "press_sequentially", "set_input_files")
"""What a test does to a part of a page."""
PATIENCE_SECONDS = 10
"""How long an action waits for a page that does not come to rest, such as one that counts what is done elsewhere."""
STILL = """async (patience) => {
    const QUIET = 120, end = performance.now() + patience * 1000;
    let last = performance.now();
    const watch = new MutationObserver(() => { last = performance.now(); });
    watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    const busy = () => {
        const app = document.querySelector('[data-testid=stApp]');
        return (app && app.dataset.testScriptState !== 'notRunning') || performance.now() - last < QUIET;
    };
    while (busy() && performance.now() < end) await new Promise((go) => setTimeout(go, 20));
    watch.disconnect();
    return !busy();
}"""
"""The script has run, and nothing in the page has changed for 120 ms."""


def settle(page: Page) -> None:
    """Wait until what was last done is drawn.

    Raises:
        pytest.fail.Exception: the page has not come to rest within `WAIT_SECONDS`.
    """
    page.locator("[data-testid=stApp]").wait_for()
    if not _still(page, WAIT_SECONDS):
        pytest.fail(f"waited {WAIT_SECONDS} s for the page to come to rest: {page.url}")


def choose(field: Locator, option: Locator) -> None:
    """Open the field's list and take an entry; a list that is drawn anew while it opens closes, and is opened again.

    Raises:
        pytest.fail.Exception: the entry was never there long enough.
    """
    for _ in range(10):
        settle(field.page)
        field.press("ArrowDown")
        try:
            option.click(timeout=5_000)
            return settle(field.page)
        except TimeoutError:
            continue
    pytest.fail(f"the list of {field} never stayed open with {option}")


@contextmanager
def patient_actions() -> Iterator[None]:
    """While the block runs, each action on a part of a page waits for the page first.

    A click into a page that is being drawn can be lost: its button may be replaced between press and release. People wait
    without a thought; a test is faster than any of them.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ACTIONS:
            patch.setattr(Locator, name, _patient(getattr(Locator, name)))
        yield


def _patient(action: Callable[..., None]) -> Callable[..., None]:
    @wraps(action)
    def wait_and_act(locator: Locator, *args: object, **options: object) -> None:
        _still(locator.page, PATIENCE_SECONDS)
        action(locator, *args, **options)

    return wait_and_act


def _still(page: Page, patience: float) -> bool:
    """Whether the page came to rest; one that is left meanwhile, as in a login, is asked where it leads to."""
    end = time.monotonic() + patience
    while True:
        try:
            return page.evaluate(STILL, max(end - time.monotonic(), 0))
        except Error as error:
            if "context was destroyed" not in error.message or time.monotonic() > end:
                raise
        page.wait_for_load_state()
