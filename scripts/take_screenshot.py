"""How was `design/overview.png` made? `python -m scripts.take_screenshot`: the real dashboard on the sample data."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from quality.ledger.ledger import Ledger
from quality.sample import build_sample
from tests.browser.chromium import find_chromium
from tests.serving import ROOT, WAIT_SECONDS, serving

TARGET = ROOT / "design" / "overview.png"
VIEWPORT = {"width": 1280, "height": 1040}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "ledger.duckdb"
        with Ledger(ledger) as opened:
            build_sample(opened)
        with serving(ledger, Path(folder) / "server.log") as dashboard, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = browser.new_page(viewport=VIEWPORT)
            page.set_default_timeout(WAIT_SECONDS * 1000)
            page.goto(dashboard.address)
            page.locator(".js-plotly-plot .legend").first.wait_for()
            page.locator("[data-testid=stDataFrame] canvas").first.wait_for()
            page.get_by_test_id("stStatusWidget").wait_for(state="hidden")
            page.screenshot(path=TARGET)
            browser.close()


if __name__ == "__main__":
    main()
