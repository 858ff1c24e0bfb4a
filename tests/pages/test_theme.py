"""Does what the dashboard needs come with it, and does it listen to this machine only?"""

import re
import tomllib

from tests.pages.conftest import PAGES

CONFIG = tomllib.loads((PAGES.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_fonts_come_with_the_repository():
    """No font is fetched from elsewhere, and the licence lies beside the files."""
    static = PAGES / "static"
    for face in CONFIG["theme"]["fontFaces"]:
        assert (static / face["url"].removeprefix("app/static/")).is_file()
    assert "SIL Open Font License" in (static / "Inter-LICENSE.txt").read_text(encoding="utf-8")
    assert "://" not in CONFIG["theme"]["font"]


def test_the_server_listens_to_this_machine_and_tells_nobody():
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["browser"]["gatherUsageStats"] is False


def test_no_button_is_primary():
    """Streamlit writes white on it, which cannot be read on the primary colour of the dark page; bold words lead instead."""
    primary = re.compile(r"""type=["']primary["']""")
    assert [path.name for path in PAGES.rglob("*.py") if primary.search(path.read_text(encoding="utf-8"))] == []
