"""Real console output and its neighbours' right values, as a person reads them."""

from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "console"

COUNTS = {
    "b08_skipped_not_passed.log": (1, 0, 0, 4, 0),
    "b10_ansi_glued.log": (12, 1, 0, 0, 0),
    "g31_golang_json.json": (5, 5, 0, 1, 0),
    "g36_go_verbose.txt": (29, 10, 0, 5, 0),
    "g39_go_json_nonjson.out": (1, 0, 0, 0, 0),
    "m33_mocha.json": (1, 4, 0, 1, 0),
    "p41_subtests.tap": (1, 0, 0, 0, 0),
    "x70_pytest_color_mix.log": (5, 2, 2, 1, 1),
    "x72_pytest_collect_error.log": (0, 0, 1, 0, 0),
    "x74_pytest_q.log": (2, 2, 0, 0, 0),
    "x75_unittest.log": (1, 1, 0, 0, 0),
    "x77_jest_color.log": (2, 2, 0, 1, 0),
    "x78_vitest_color.log": (3, 1, 0, 1, 1),
    "x79_mocha.log": (1, 2, 0, 2, 0),
    "x81_cargo_color.log": (4, 1, 0, 1, 0),
    "x87_unittest_utf16le_crlf.log": (1, 1, 0, 0, 0),
    "x88_gha_wrapped_pytest.log": (5, 2, 2, 1, 1),
}
"""passed, failed, errors, skipped, flaky."""
UNKNOWN = (
    "a54_run_log.zip",
    "b15_zero_tests.log",
    "b28_exit0_but_failed.log",
    "g38_go_build_failed.out",
    "x73_pytest_none.log",
)
BUILD = {
    "g36_go_verbose.txt": False,
    "g38_go_build_failed.out": False,
    "g39_go_json_nonjson.out": True,
    "x72_pytest_collect_error.log": False,
    "x77_jest_color.log": False,
    "x81_cargo_color.log": True,
    "x88_gha_wrapped_pytest.log": False,
}
"""Every other file says nothing of a build."""
NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_what_a_person_reads(read, name):
    """passed, failed, errors, skipped and flaky; the rate is passed / (passed + failed + errors)."""
    [signal] = read(ASSETS / name, story_id="S-1").signals
    passed, failed, errors, *_ = COUNTS[name]
    assert tuple(signal[n] for n in NAMES) == COUNTS[name]
    assert signal["test_pass_rate"] == pytest.approx(passed / (passed + failed + errors))


@pytest.mark.parametrize("name", UNKNOWN)
def test_no_tests_are_unknown(read, name):
    """Neither 0 nor 100 %, and a warning says why."""
    said = read(ASSETS / name, story_id="S-1")
    [signal] = said.signals
    assert "test_pass_rate" not in signal
    assert "tests_total" not in signal
    assert said.warnings


@pytest.mark.parametrize("name", [*COUNTS, *UNKNOWN])
def test_the_build_is_known_only_where_it_is_told(read, name):
    """A failed package, an exit code or a compiler's word; never exit 0 alone."""
    [signal] = read(ASSETS / name, story_id="S-1").signals
    assert signal.get("build_success") == BUILD.get(name)


@pytest.mark.parametrize(
    ("name", "signal", "line", "text"),
    [
        ("x70_pytest_color_mix.log", "test_pass_rate", 63, "2 failed, 5 passed, 1 skipped"),
        ("x88_gha_wrapped_pytest.log", "build_success", 74, "##[error]Process completed with exit code 1."),
        ("x87_unittest_utf16le_crlf.log", "test_pass_rate", 25, "FAILED (failures=2)"),
        ("g36_go_verbose.txt", "build_success", 2, "FAIL\tgotest.tools/gotestsum/testjson/internal/badmain"),
    ],
)
def test_each_signal_leads_to_its_line(read, name, signal, line, text):
    """With the lines around it, without colours."""
    evidence = [e for e in read(ASSETS / name, story_id="S-1").evidence if e["signal"] == signal]
    assert line in [e["line"] for e in evidence]
    assert any(text in e["text"] and "\x1b" not in e["text"] for e in evidence)


def test_what_is_not_counted_is_told(read):
    """Expected failures, todo, hooks, suites that did not run, subtests, exit codes and idle jobs are in the warnings."""
    expected = {
        "x70_pytest_color_mix.log": "1 xfailed, 1 xpassed, 1 rerun",
        "x74_pytest_q.log": "3 subtests passed",
        "x77_jest_color.log": "1 test suite failed to run",
        "x78_vitest_color.log": "1 todo",
        "x79_mocha.log": "1 hook failed",
        "x88_gha_wrapped_pytest.log": "exit code 1",
        "p41_subtests.tap": "the top level counts",
        "g39_go_json_nonjson.out": "1 line between the events",
        "b28_exit0_but_failed.log": "0 files touched",
    }
    told = {name: " / ".join(read(ASSETS / name, story_id="S-1").warnings) for name in expected}
    assert {name: text in told[name] for name, text in expected.items()} == dict.fromkeys(expected, True)


@pytest.mark.parametrize(
    "name", ["x70_pytest_color_mix.log", "g31_golang_json.json", "m33_mocha.json", "a54_run_log.zip"]
)
def test_a_log_without_a_story_is_a_reject_that_names_the_remedy(read, name):
    """The run must be named by the caller."""
    [reject] = read(ASSETS / name).rejects
    assert "--story" in reject["reason"]


REWRAPPED = {
    "crlf": lambda raw: raw.replace(b"\n", b"\r\n"),
    "utf-16": lambda raw: raw.decode().encode("utf-16"),
    "utf-16 without a byte order mark": lambda raw: raw.decode().encode("utf-16-le"),
    "bom": lambda raw: b"\xef\xbb\xbf" + raw,
    "escapes lost": lambda raw: raw.replace(b"\x1b", b""),
    "escapes written out": lambda raw: raw.replace(b"\x1b", b"^["),
    "github": lambda raw: b"".join(b"2026-08-20T10:00:00.1234567Z " + line for line in raw.splitlines(keepends=True)),
    "gitlab": lambda raw: b"".join(
        b"2026-08-20T10:00:00.123456Z 01O " + line for line in raw.splitlines(keepends=True)
    ),
    "gh run view": lambda raw: b"".join(
        b"build\tRun tests\t2026-08-20T10:00:00.1234567Z " + line for line in raw.splitlines(keepends=True)
    ),
    "jenkins": lambda raw: b"".join(b"[2026-08-20T10:00:00.123Z] " + line for line in raw.splitlines(keepends=True)),
    "jenkins clock": lambda raw: b"".join(b"10:00:00  " + line for line in raw.splitlines(keepends=True)),
    "docker compose": lambda raw: b"".join(b"tests-1  | " + line for line in raw.splitlines(keepends=True)),
    "act": lambda raw: b"".join(b"[CI/build]   | " + line for line in raw.splitlines(keepends=True)),
    "no newline at the end": lambda raw: raw.rstrip(b"\n"),
}


@pytest.mark.parametrize("wrapping", REWRAPPED)
@pytest.mark.parametrize("name", [name for name in COUNTS if not name.startswith(("m33", "x87", "x88"))])
def test_whatever_a_terminal_or_ci_puts_around_it_the_counts_are_the_same(read, name, wrapping):
    """Encodings, line ends, colours, times and columns are taken off first."""
    said = read(REWRAPPED[wrapping]((ASSETS / name).read_bytes()), "wrapped.log", story_id="S-1")
    assert [tuple(signal.get(n) for n in NAMES) for signal in said.signals] == [COUNTS[name]]
