"""Does each value of a run lead to the line it was read from?"""

import pytest

from pages.components.evidence import MARK, numbered
from quality.commands import ImportArtifact
from quality.ledger import queries
from tests.pages.conftest import HOSTILE, texts

LOG = "collected 3 items\n\nt.py ..F\n\n<b>bold</b> **md**\n=================== 1 failed, 2 passed in 0.10s ===================\n"
FIRST = '<testsuite name="s">\n<testcase name="a"/>\n<testcase name="b"/>\n</testsuite>\n'
SECOND = '<testsuite name="t">\n<testcase name="c"/>\n<testcase name="d"><failure/></testcase>\n</testsuite>\n'
REVIEW = "Sound.\n\n# synlynk-meta\nquality=7\ncorrect=true\nrework_needed=false\nverifier_model=judge-1\n"


@pytest.fixture
def opened(empty, tmp_path, open_page):
    """The page of story S-1's run after these texts were stored for it."""

    def store_and_open(**files):
        for name, text in files.items():
            path = tmp_path / name
            path.write_text(text)
            empty.execute(ImportArtifact(actor="ci", path=str(path), label=f"ci/{name}", story_id="S-1", agent="a"))
        (run,) = queries.story(empty.store, "S-1")["runs"]
        return open_page("stories", run=run["run_id"])

    return store_and_open


def labels(page):
    return [box.label for box in page.expander]


def test_a_signal_opens_to_its_numbered_line(opened):
    """The summary is line 6 of the log; what the log says is text."""
    page = opened(log=LOG)
    assert "Test pass rate 67 % · line 6" in labels(page)
    (code,) = [text for text in texts(page) if MARK in text]
    lines = code.split("\n")
    assert lines[4] == "  5 │ <b>bold</b> **md**"
    assert lines[5].startswith("▶ 6 │ =================== 1 failed, 2 passed")


def test_several_artifacts_say_how_they_add_up(opened):
    """Two reports of two tests each: 3 of 4 passed."""
    page = opened(first=FIRST, second=SECOND)
    assert "Test pass rate 75 % · 2 artifacts" in labels(page)
    assert "3 of 4 tests passed, from 2 artifacts." in texts(page)
    assert any("ci/first" in text for text in texts(page))
    assert any("ci/second" in text for text in texts(page))


def test_a_report_that_counts_alone_is_named(opened):
    """A log's summary only checks the report that names the tests."""
    page = opened(first=SECOND, log=LOG)
    assert "1 of 2 tests passed, from 1 of 2 artifacts." in texts(page)
    (counting,) = [text for text in texts(page) if "  ·  counts  ·  " in text]
    assert "ci/first" in counting


def test_a_rate_without_counts_gives_no_count(opened):
    """A row of a table says 50 % and not of how many; of tables no lines are kept, which is said."""
    page = opened(rows="story_id,agent,test_pass_rate\nS-1,a,0.5\n")
    assert "Test pass rate 50 % · line 2" in labels(page)
    assert not [text for text in texts(page) if "tests passed" in text]
    assert "The lines themselves were not kept." in [caption.value for caption in page.caption]


def test_each_signal_names_the_line_that_is_shown(opened):
    """One log: what was built stands in line 1, what was tested in line 6."""
    page = opened(
        log="    Finished `test` profile [unoptimized] target(s) in 0.84s\n     Running src/lib.rs (target/debug/deps/a-1)\n\n"
        "running 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
    assert {"Test pass rate 100 % · line 6", "Build yes · line 1"} <= set(labels(page))


def test_a_verdict_opens_to_its_block(opened):
    """The meta block begins in line 3."""
    page = opened(review=REVIEW)
    assert "Verdict 7 · line 3" in labels(page)
    assert any("▶ 3 │ # synlynk-meta" in text for text in texts(page))


def test_what_others_wrote_is_never_markdown(opened):
    """File names and kept lines stand in text elements only."""
    page = opened(log=LOG.replace("<b>bold</b>", HOSTILE.split("\n")[0]))
    rendered = [*page.markdown, *page.caption, *page.title, *page.subheader]
    assert not [element for element in rendered if "script" in str(element.value) or "ci/log" in str(element.value)]
    assert not [label for label in labels(page) if "ci/log" in label]


@pytest.mark.parametrize(
    ("first", "line", "expected"),
    [(None, 4, "a\nb"), (9, 10, "   9 │ a\n▶ 10 │ b"), (1, 7, "  1 │ a\n  2 │ b")],
    ids=["no lines of the file", "marked", "the line was cut off"],
)
def test_lines_are_numbered_and_one_is_marked(first, line, expected):
    assert numbered("a\nb", first, line) == expected
