"""Test results as JSON and TAP: what is listed counts, and what does not count is told."""

import json

import pytest


@pytest.fixture
def says(read):
    """`says(content)` → (passed, failed, errors, skipped, flaky) or `None`, build_success and the warnings."""

    def says(content):
        said = read(content if isinstance(content, str | bytes) else json.dumps(content), "report.json", story_id="S-1")
        assert not said.rejects
        [signal] = said.signals
        names = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
        counts = tuple(signal[name] for name in names) if "tests_total" in signal else None
        return counts, signal.get("build_success"), " / ".join(said.warnings)

    return says


def jest(*files, **totals):
    """jest's JSON: each file is (status, [(test, status, more)])."""
    return {
        "numFailedTests": totals.get("failed", 0), "numPassedTests": totals.get("passed", 0), "numTotalTests": 9,
        "testResults": [
            {"name": f"/f{n}", "status": status, "assertionResults": [
                {"fullName": test, "title": test, "status": result, **(more[0] if more else {})} for test, result, *more in tests
            ]} for n, (status, tests) in enumerate(files)
        ],
    }  # fmt: skip


MOCHA = {
    "stats": {"passes": 2, "failures": 1, "pending": 1}, "tests": [],
    "passes": [{"fullTitle": "a", "file": "x.js", "currentRetry": 1}, {"fullTitle": "b", "file": "x.js", "currentRetry": 0}],
    "failures": [{"fullTitle": "c", "file": "x.js"}], "pending": [{"fullTitle": "d", "file": "x.js"}],
}  # fmt: skip
RSPEC = {
    "version": "3.13", "summary_line": "",
    "summary": {"failure_count": 1, "pending_count": 1, "errors_outside_of_examples_count": 0},
    "examples": [{"id": f"./a[1:{n}]", "status": status} for n, status in enumerate(("passed", "failed", "pending"))],
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "counts", "build", "told"),
    [
        (MOCHA, (2, 1, 0, 1, 1), None, ""),
        (MOCHA | {"stats": {"passes": 9, "failures": 1}}, (2, 1, 0, 1, 1), None, "says 9 passed, its tests are 2"),
        (MOCHA | {"failures": [{"fullTitle": "b", "file": "x.js"}]}, (1, 1, 0, 1, 1), None, ""),
        (MOCHA | {"passes": [], "failures": [], "pending": []}, None, None, "ran no tests"),
        (jest(("passed", [("a", "passed"), ("b", "pending"), ("c", "todo")]), passed=1), (1, 0, 0, 1, 0), None, "1 todo"),
        (jest(("passed", [("a", "passed", {"retryReasons": ["x"]})]), passed=1), (1, 0, 0, 0, 1), None, ""),
        (jest(("passed", [("a", "passed")]), ("failed", []), passed=1), (1, 0, 0, 0, 0), False, "/f1 failed to run"),
        (jest(("passed", [("a", "passed"), ("a", "passed")]), passed=2), (2, 0, 0, 0, 0), None, ""),
        (jest(("failed", [("a", "failed"), ("a", "passed")]), passed=1, failed=1), (1, 0, 0, 0, 1), None, ""),
        (RSPEC, (1, 1, 0, 1, 0), None, ""),
        (RSPEC | {"examples": [], "summary": {"errors_outside_of_examples_count": 2}},
         (0, 0, 2, 0, 0), False, "2 errors outside"),
        ({"created": 1.0, "exitcode": 1, "summary": {"passed": 1, "failed": 1},
          "collectors": [{"nodeid": "bad.py", "outcome": "failed"}],
          "tests": [{"nodeid": "a::x", "outcome": "passed"}, {"nodeid": "a::y", "outcome": "failed"},
                    {"nodeid": "a::z", "outcome": "xfailed"}, {"nodeid": "a::s", "outcome": "skipped"}]},
         (1, 1, 1, 1, 0), False, "1 xfailed"),
        ({"config": {}, "suites": [{"specs": [{"id": "1", "tests": [{"status": "expected"}]}], "suites": [
            {"specs": [{"id": "2", "tests": [{"status": "flaky"}, {"projectName": "p", "status": "unexpected"}]},
                       {"id": "3", "tests": [{"status": "skipped"}]}]}]}], "errors": [], "stats": {"unexpected": 1}},
         (2, 1, 0, 1, 1), None, ""),
        ({"stats": {"passes": 1, "failures": 1}, "results": [{"suites": [{"tests": [
            {"fullTitle": "a", "uuid": "1", "pass": True}, {"fullTitle": "b", "uuid": "2", "fail": True},
            {"fullTitle": "c", "uuid": "3", "pending": True}], "suites": []}]}]}, (1, 1, 0, 1, 0), None, ""),
    ],
)  # fmt: skip
def test_json_of_each_runner(says, content, counts, build, told):
    """Retries count once, todo and skipped never pass, a file that could not run is a failed build."""
    found = says(content)
    assert found[:2] == (counts, build)
    assert told in found[2]


def test_json_after_what_npm_prints(says):
    """And with lines behind it, a byte order mark and UTF-16."""
    text = "\n> x@1.0.0 test\n> mocha --reporter json\n\n" + json.dumps(MOCHA, indent=2) + "\nnpm ERR! code 1\n"
    for content in (text, b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        assert says(content)[0] == (2, 1, 0, 1, 1)


@pytest.mark.parametrize("first", ["tests", "passes", "failures"])
def test_mocha_is_known_wherever_its_totals_stand(says, first):
    """Its keys sorted or reordered by another tool, the totals stand after 200 KB of tests."""
    listed = [
        {"title": f"t{n}", "fullTitle": f"s t{n}", "file": "x.js", "currentRetry": 0, "err": {"stack": "x" * 400}}
        for n in range(500)
    ]
    parts = {"passes": listed[:300], "failures": listed[300:], "pending": [], "tests": listed}
    content = {first: parts.pop(first)} | parts | {"stats": {"passes": 300, "failures": 200, "pending": 0}}
    assert says(content)[:2] == ((300, 200, 0, 0, 0), None)


def test_json_that_breaks_off_is_a_reject(read):
    """With the line, and nothing is counted."""
    text = json.dumps(MOCHA, indent=2)
    said = read(text[: len(text) - 40], "report.json", story_id="S-1")
    assert not said.signals
    assert "is the file complete" in said.rejects[0]["reason"]


@pytest.mark.parametrize(
    ("text", "counts", "build", "told"),
    [
        ("1..2\nok 1 - a\nnot ok 2 - b\n", (1, 1, 0, 0, 0), None, ""),
        ("TAP version 14\nok 1 - a\nok 2 # SKIP no network\nnot ok 3 - c # TODO later\n"
         "ok 4 # todo done\n1..4\n", (1, 0, 0, 3, 0), None, ""),
        ("TAP version 13\n1..0 # SKIP no database\n", None, None, "nothing was run (no database)"),
        ("TAP version 13\n1..5\nok 1 - a\nok 2 - b\n", (2, 0, 0, 0, 0), None, "5 test points planned, 2 reported"),
        ("TAP version 13\n1..2\nok 1 - a\nBail out! no disk\n", (1, 0, 0, 0, 0), False, "bailed out no disk"),
        ("TAP version 13\nok 1 - escaped \\# SKIP is no directive\n1..1\n", (1, 0, 0, 0, 0), None, ""),
        ("TAP version 13\n# Subtest: a\n    ok 1 - x\n    not ok 2 - y\n    1..2\nnot ok 1 - a\n"
         "  ---\n  message: |-\n    ok 3 - no\n  ...\n1..1\n",
         (0, 1, 0, 0, 0), None, "the top level counts (1 point)"),
        ("ok - a\nnot ok - b\n1..2\n", (1, 1, 0, 0, 0), None, ""),
        ("TAP version 13\nok 1 - a\nok then\nok 2 - b\n1..2\n", (2, 0, 0, 0, 0), None, ""),
        ("t/a.t .. \n1..1\nok 1 - a\nok\nt/b.t .. \n1..1\nnot ok 1 - b\n", (1, 1, 0, 0, 0), None, ""),
    ],
)  # fmt: skip
def test_tap(says, text, counts, build, told):
    """Top-level points; skipped and to do are neither; a missing point is told; YAML is no point."""
    found = says(text)
    assert found[:2] == (counts, build)
    assert told in found[2]


def event(action, test=None, package="a.b/c", **more):
    """One line of `go test -json`."""
    told = {"Time": "2026-01-01T00:00:00Z", "Action": action, "Package": package} | ({"Test": test} if test else {})
    return json.dumps(told | more) + "\n"


@pytest.mark.parametrize(
    ("text", "counts", "build"),
    [
        (event("run", "A") + event("pass", "A") + event("pass"), (1, 0, 0, 0, 0), True),
        (event("run", "A") + event("run", "A/x") + event("fail", "A/x") + event("fail", "A") + event("fail"),
         (0, 1, 0, 0, 0), None),
        (event("run", "A") + event("fail"), (0, 1, 0, 0, 0), None),
        (event("run", "A") + event("fail", "A") + event("fail") + event("run", "A") + event("pass", "A") + event("pass"),
         (1, 0, 0, 0, 1), True),
        (event("run", "A") + event("pass", "A") + event("run", "A", "d")
         + event("skip", "A", "d") + event("pass") + event("pass", package="d"),
         (1, 0, 0, 1, 0), True),
        (event("start") + event("skip", package="no/tests"), None, None),
        (event("run", "A") + event("pass", "A") + event("pass") + event("fail", package="d"), (1, 0, 0, 0, 0), False),
        (event("run", "A") + event("pass", "A") + event("pass") + event("fail", package="d", FailedBuild="d [d.test]"),
         (1, 0, 0, 0, 0), False),
        (event("output", "A", Output='{"Time":"x","Action":"fail","Test":"B"}\n')
         + event("run", "A") + event("pass", "A") + event("pass"),
         (1, 0, 0, 0, 0), True),
    ],
)  # fmt: skip
def test_go_json(says, text, counts, build):
    """Leaf tests of every package; a package that fails by itself was not built, or did not run."""
    assert says(text)[:2] == (counts, build)


def test_go_json_skips_what_is_no_event(says):
    """Prints, broken JSON and other JSON between the events: skipped, and told."""
    strays = '{"Time":"2026-01-01T00:00:00Z","Act\n{"level":"info"}\nplain\n'
    text = event("run", "A") + strays + event("pass", "A") + event("pass")
    counts, build, told = says(text)
    assert (counts, build) == ((1, 0, 0, 0, 0), True)
    assert "2 lines between the events" in told
    assert "1 lines are no events" in told
