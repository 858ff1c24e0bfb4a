"""Console output of compilers and linters: findings once each, and the newest outcome of the build."""

import time

import pytest

from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact
from quality.readers.lint.build_text import BuildTextReader, read_build
from quality.readers.log_lines import LogLine, clean

MSBUILD = """\
C:\\src\\A.cs(3,5): error CS0103: The name 'x' does not exist [C:\\src\\A.csproj]
     2>C:\\src\\B.cs(4,5): warning CS0168: never used [C:\\src\\A.csproj]

Build FAILED.

C:\\src\\A.cs(3,5): error CS0103: The name 'x' does not exist [C:\\src\\A.csproj]
    1 Warning(s)
    1 Error(s)
"""


def built(text):
    log = read_build(LogLine(n, clean(line)) for n, line in enumerate(text.split("\n"), start=1))
    return {name: n for name, n in log.findings.counts().items() if n and name != "findings"}, log.build_success


@pytest.mark.parametrize(
    ("text", "counts", "build"),
    [
        (MSBUILD, {"errors": 1, "warnings": 1}, False),
        ("Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n", {}, True),
        ("MSBUILD : error MSB1009: Project file does not exist.\n", {"errors": 1}, False),
        (
            "src/a.ts(3,7): error TS2322: no.\nsrc/b.ts:10:3 - error TS2304: no.\n\nFound 2 errors in 2 files.\n",
            {"errors": 2}, False,
        ),
        ("error TS5083: Cannot read file 'tsconfig.json'.\n", {"errors": 1}, False),
        (
            "a.py:3: error: Incompatible types  [assignment]\na.py:3: note: see\n"
            "Found 1 error in 1 file (checked 1 source file)\n",
            {"errors": 1}, False,
        ),
        ("Success: no issues found in 3 source files\n", {}, None),
        ("All checks passed!\n", {}, None),
        ("0 errors, 0 warnings, 0 informations \n", {}, None),
        (
            "  /w/a.py:9:15 - error: no (reportX)\n  /w/a.py:10:1 - warning: no (reportY)\n"
            "1 error, 1 warning, 0 informations\n",
            {"errors": 1, "warnings": 1}, False,
        ),
        (
            "/w/a.js\n  1:10  error    x  no-x\n\n/w/b.js\n  1:10  error    x  no-x\n  2:1   warning  y  no-y\n\n"
            "✖ 3 problems (2 errors, 1 warning)\n",
            {"errors": 2, "warnings": 1}, False,
        ),
        (
            "In file included from a.c:1:\nb.h:3:10: fatal error: x.h: No such file or directory\n"
            "compilation terminated.\n",
            {"errors": 1}, False,
        ),
        (
            "/usr/bin/ld: /tmp/b.o: in function `main':\nb.c:(.text+0xe): undefined reference to `q'\n"
            "collect2: error: ld returned 1 exit status\n",
            {"errors": 1}, False,
        ),
        ("Foo.java:3: error: ';' expected\n    int x\n         ^\n1 error\n", {"errors": 1}, False),
        ("[ERROR] /w/Foo.java:[3,5] ';' expected\n[INFO] BUILD FAILURE\n", {"errors": 1}, False),
        ("[WARNING] /w/Foo.java:[3,5] deprecated\n[INFO] BUILD SUCCESS\n", {"warnings": 1}, True),
        ("e: file:///w/A.kt:3:5 Unresolved reference: x\nw: /w/B.kt:1:1: unused\n", {"errors": 1, "warnings": 1}, False),
        ("# example.com/m\n./main.go:3:2: undefined: x\nvet: ./b.go:4:1: unreachable code\n", {"errors": 2}, False),
        (
            "a.py:1:8: F401 [*] `os` imported but unused\na.py:2:1: E999 SyntaxError: invalid\nFound 2 errors.\n",
            {"errors": 2, "fixable": 1}, False,
        ),
        (
            "warning: unused variable: `x`\n --> src/main.rs:1:5\n\n"
            "warning: `d` (bin \"d\") generated 1 warning\n"
            "    Finished `dev` profile [unoptimized] target(s) in 0.1s\n",
            {"warnings": 1}, True,
        ),
        (
            "   Compiling d v0.1.0\nerror: linking with `cc` failed: exit status: 1\n  |\n"
            "error: could not compile `d` (bin \"d\") due to 1 previous error\n",
            {"errors": 1}, False,
        ),
        ("[ 50%] Building C object a.o\n[100%] Built target app\n", {}, True),
        ("make: *** [Makefile:2: all] Error 1\n", {}, False),
        ("::error file=app.js,line=1,col=5::Missing semicolon\n", {"errors": 1}, False),
        ("##[warning]The `set-output` command is deprecated\n", {}, None),
    ],
)  # fmt: skip
def test_each_tools_lines(text, counts, build):
    assert built(text) == (counts, build)


@pytest.mark.parametrize(
    "text",
    [
        "12:30:45: error: connection refused\n",
        "server up at 10:30: error: none so far\n",
        "error: pathspec 'x' did not match any file(s) known to git\n",
        "error: unknown option --foo\nwarning: LF will be replaced by CRLF\n",
        "The word error: appears in a.py but not at a place\n",
        "0 errors\nno errors found\nError: something went wrong\n",
        "TypeError: x is not a function\n    at f (/w/a.js:3:5)\n",
        "E   AssertionError: assert 1 == 2\ntests/test_a.py:3: AssertionError\n",
        "https://example.org:443: see there\n",
    ],
)
def test_what_any_program_prints_is_no_finding(text):
    assert built(text) == ({}, None)


def test_colours_and_carriage_returns_are_no_part_of_a_line(tmp_path):
    """MSBuild and gcc in a terminal, as a Windows log holds them."""
    (tmp_path / "log").write_bytes(
        b"\xef\xbb\xbf\x1b[01m\x1b[Ka.c:2:20:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kunknown\r\n".replace(
            b"error: ", b"error: "
        )
    )
    reading = read_artifact(Artifact(tmp_path / "log"), Target("S-1"))
    [batch] = reading.batches
    assert (reading.format, batch.diagnostics["errors"]) == ("build log", 1)
    [evidence] = batch.records("evidence")
    assert (evidence["line"], evidence["text"]) == (1, "a.c:2:20: error: unknown")


def test_errors_that_a_later_build_mended_do_not_speak_against_it(tmp_path):
    """An agent's log: it breaks, is mended, builds. The newest outcome counts, and the others are told."""
    (tmp_path / "log").write_text("a.c:2:1: error: no\n" + "fixing\n" * 20 + "[100%] Built target app\n")
    [batch] = read_artifact(Artifact(tmp_path / "log"), Target("S-1")).batches
    assert batch.records("signals")[0]["build_success"] is True
    assert batch.records("signals")[0]["line"] == 22
    assert "1 errors were followed by a success in line 22" in batch.warnings[0]


def test_an_error_after_the_last_success_breaks_the_build():
    assert built("[100%] Built target a\nb.c:1:1: error: no\n") == ({"errors": 1}, False)
    assert built("b.c:1:1: error: no\n[100%] Built target a\nb.c:1:1: error: no\n")[1] is False


def test_a_long_log_is_known_by_its_end(tmp_path):
    (tmp_path / "log").write_text("compiling something\n" * 10_000 + "a.c:1:1: error: no\n")
    artifact = Artifact(tmp_path / "log")
    assert BuildTextReader().recognises(artifact)
    [batch] = BuildTextReader().read(artifact, Target("S-1"))
    assert batch.records("evidence")[0]["line"] == 10_001


@pytest.mark.parametrize(
    "line",
    [
        "a" * 100_000,
        "a:1:" * 30_000,
        "[ERROR] " + "x[" * 50_000,
        "1:1" * 40_000,
        " " * 100_000 + "error",
        "((((1,1" * 20_000,
    ],
)
def test_hostile_lines_take_no_longer_than_others(line):
    """A line is looked at up to a bound, and no pattern repeats a repetition."""
    begun = time.perf_counter()
    built("\n".join([line] * 50))
    assert time.perf_counter() - begun < 5
