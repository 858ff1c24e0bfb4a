"""Which lines do compilers, type checkers, linters and build tools print? One pattern a tool's way of writing.

Each is tried on one line of bounded length from its start, and none nests repetitions: the time is linear.
"""

import re

from quality.readers.lint.counts import ERROR, WARNING

LEVEL = r"(?P<level>fatal error|error|warning|note|info|information|hint|remark|message)"
WHAT = r"(?P<what>.+)"
FILE = r"\S[^:]{0,500}(?::[^:\d][^:]{0,300})?"
"""A path; a Windows drive or an address has a colon of its own."""
NODE = r"(?:\d+(?::\d+)?>)?"
"""MSBuild's number of the process."""
GCC = re.compile(rf"(?P<place>{FILE}:\d+(?::\d+)?(?::\d+:\d+)?): {LEVEL}: {WHAT}")
TSC_PRETTY = re.compile(rf"(?P<place>{FILE}:\d+:\d+) - (?P<level>error|warning|information|info|hint)\b:? ?{WHAT}")
PAREN = re.compile(
    rf"{NODE}(?P<place>[^\s(][^(]{{0,500}}\(\d+(?:,\d+){{0,3}}\)) ?: (?P<sub>[a-z]+ )?"
    rf"(?P<level>fatal error|error|warning|message|info)(?: (?P<code>[A-Za-z]+\d+))? ?: {WHAT}"
)
TOOL = re.compile(
    rf"{NODE}(?P<place>MSBUILD|CSC|LINK|CVTRES|RC|ILC|vbc|cl|Microsoft\.\w+|\S{{1,300}}proj|\S{{1,300}}\.sln"
    r"|LD|(?:\S{1,300}/)?ld(?:\.\w{1,10})?|lld|lld-link|collect2|clang(?:\+\+)?|gcc|g\+\+|cc1(?:plus)?|CMake)"
    rf" ?: (?P<level>fatal error|error|warning)(?: (?P<code>[A-Z]+\d+))? ?: {WHAT}"
)
BARE_TSC = re.compile(rf"(?P<level>error) (?P<code>TS\d{{3,5}}): {WHAT}")
RUSTC = re.compile(rf"(?P<level>error|warning)(?:\[(?P<code>[\w:-]+)\])?: {WHAT}")
RUST_PLACE = re.compile(r"\s*(?:-->|:::) (?P<place>\S.*:\d+:\d+)$")
RUST = re.compile(r"\s+(?:Compiling|Checking|Building) \S+ v\d|error: could not compile |error: aborting due to ")
RUST_TOTAL = re.compile(
    r"could not compile|aborting due to|build failed|\d+ (?:warning|error)s? emitted|.*generated \d+ (?:warning|error)"
    r"|.*due to \d+ previous|unused manifest key|process didn't exit|test failed, to rerun|doctest failed"
    r"|\d+ targets? failed|Some errors have detailed"
)
GO = re.compile(rf"(?:vet: )?(?P<place>\S{{1,500}}\.go:\d+(?::\d+)?): {WHAT}")
GO_PACKAGE = re.compile(r"# [\w./~@-]+(?: \[[^\]]+\])?$")
RULE = re.compile(rf"(?P<place>{FILE}:\d+:\d+): (?P<code>[A-Z]{{1,5}}\d{{1,5}}|SyntaxError)(?P<fix> \[\*\])?:? {WHAT}")
RUFF_HEAD = re.compile(rf"(?P<code>[A-Z]{{1,5}}\d{{2,5}}|invalid-syntax)(?::|(?P<fix> \[\*\]))? {WHAT}")
ESLINT = re.compile(r"\s+(?P<place>\d+:\d+)\s+(?P<level>error|warning)\s+(?P<what>\S.*)")
MAVEN = re.compile(rf"\[(?P<level>ERROR|WARNING)\] (?P<place>\S[^\[]{{0,500}}:\[\d+(?:,\d+)?\]) {WHAT}")
KOTLIN = re.compile(rf"(?P<level>[ew]): (?P<place>{FILE}:\d+:\d+):? {WHAT}")
PLACED = (GCC, TSC_PRETTY, PAREN, TOOL, BARE_TSC, MAVEN, KOTLIN)
MAKE = re.compile(r"(?:g?make|ninja)(?:\[\d+\])?: \*\*\* .+|ninja: build stopped.*|CMake Error.*")
FAILED = re.compile(
    r"Build FAILED\.|\[INFO\] BUILD FAILURE|BUILD FAILED\b.*|FAILURE: Build failed with an exception\."
    r"|\[ERROR\] Failed to execute goal.*|error: could not compile .+"
    r"|(?:##\[error\])?Process completed with exit code [1-9]\d*\.?"
    r"|(?:\[[^\]]+\] )?Found [1-9]\d* errors?(?: in .+| \(checked .+\)|\..*)?"
)
SUCCEEDED = re.compile(
    r"Build succeeded\.|\[INFO\] BUILD SUCCESS|BUILD SUCCESSFUL\b.*|\s+Finished (?:`?\w[\w-]*`?|\w+) .*target\(s\) in .+"
    r"|\[100%\] Built target .+|webpack .{0,40}compiled (?:successfully|with \d+ warnings?).*|✓ built in .+"
    r"|(?:\[[^\]]+\] )?Found 0 errors\. Watching for file changes\."
)
CLEAN = re.compile(
    r"All checks passed!|Success: no issues found in \d+ source files?|Found 0 errors\.?"
    r"|0 errors, 0 warnings, 0 (?:informations|notes)\b.*"
)
TOTALS = re.compile(
    r"Found \d+ errors?\b.*|✖ \d+ problems? \(.*|\d+ errors?, \d+ warnings?, \d+ (?:informations?|notes?)\b.*"
    r"|\d+ (?:Warning|Error)\(s\)"
)
ANNOTATION = re.compile(
    r"(?:::|##\[)(?P<level>error|warning|notice)(?P<place> [^:\]]{0,300}file=[^\]]{1,500}?)(?:::|\])(?P<what>.+)"
)
"""A CI annotation at a file; those without one are the service's own."""
KOTLIN_LEVEL = {"e": ERROR, "w": WARNING}
MARKS = (
    "error", "warn", "fail", "succe", "finished", "passed!", "found ", "built", " compiling ", "compiled ", "checking ",
    "building ", "***", "✖", "info", "note", "hint", "remark", "message", "notice", ".go:", "e: ", "w: ", "exit code", "stopped",
)  # fmt: skip
"""In lower case: a line without any of them, and without a rule's code, is none of the above."""
RULE_MARK = re.compile(r"(?:[A-Z]{1,5}\d{2,5}|invalid-syntax)[: ]|# ")
"""At a line's beginning."""
PLACED_RULE = re.compile(r":\d+:\d+: [A-Z]")
