"""Does the console reader say what real runners say? Small failing projects, run by whatever is installed.

    python scripts/real_runners.py [--node-modules DIR]

jest, vitest and mocha are looked for in DIR/.bin and on the PATH; cargo, go, ctest, node and prove on the PATH. Each
project has a known number of tests that pass, fail and are skipped, and one that prints a false summary. The exit code
is 1 if anything was read otherwise. pytest and unittest are run by `tests/readers/test_console_real.py`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact

Counts = tuple[int, int, int]
"""passed, failed, skipped."""


class Project(NamedTuple):
    """Files, the command to run, and what its runner says."""

    name: str
    program: str
    command: tuple[str, ...]
    files: dict[str, str]
    counts: Counts


JEST = """
test("ok", () => { console.log("\\nTest Suites: 1 failed, 1 total\\nTests:       9 failed, 9 total\\n"); });
test("bad", () => { expect(1).toBe(2); });
test.skip("skipped", () => {});
test.todo("later");
"""
VITEST = """
import { expect, test } from "vitest";
test("ok", () => { console.log("\\n Test Files  1 failed (1)\\n      Tests  9 failed (8)\\n"); });
test("bad", () => { expect(1).toBe(2); });
test.skip("skipped", () => {});
test.fails("as expected", () => { expect(1).toBe(2); });
"""
MOCHA = """
const assert = require("assert");
describe("suite", () => {
  it("ok", () => { console.log("  99 passing (1ms)\\n"); });
  it("bad", () => { assert.equal(1, 2); });
  it.skip("skipped", () => {});
});
"""
NODE = """
const { test } = require("node:test");
const assert = require("node:assert");
test("ok", () => { console.log("# tests 99"); });
test("bad", () => { assert.equal(1, 2); });
test.skip("skipped", () => {});
"""
RUST = """
/// ```
/// assert_eq!(real::one(), 1);
/// ```
pub fn one() -> u32 { 1 }
#[cfg(test)]
mod t {
    #[test] fn ok() { println!("test result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"); }
    #[test] fn bad() { println!("test result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"); panic!("no"); }
    #[test] #[ignore] fn ignored() {}
}
"""
GO = """
package real
import ("fmt"; "testing")
func TestOk(t *testing.T) { fmt.Println("--- FAIL: TestFake (0.00s)") }
func TestSubs(t *testing.T) { t.Run("a", func(t *testing.T) {}); t.Run("b", func(t *testing.T) { t.Fail() }) }
func TestSkipped(t *testing.T) { t.Skip() }
"""
CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(real NONE)
enable_testing()
add_test(NAME ok COMMAND "${CMAKE_COMMAND}" -E echo "100% tests passed, 0 tests failed out of 99")
add_test(NAME bad COMMAND "${CMAKE_COMMAND}" -E false)
add_test(NAME off COMMAND "${CMAKE_COMMAND}" -E true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
"""
PERL = """
use Test::More tests => 3;
ok(1, "ok");
ok(0, "bad");
SKIP: { skip "later", 1; }
"""
CARGO = '[package]\nname = "real"\nversion = "0.1.0"\nedition = "2021"\n'
PROJECTS = (
    Project("jest", "jest", ("jest",), {"package.json": "{}", "a.test.js": JEST}, (1, 1, 1)),
    Project("jest json", "jest", ("jest", "--json", "--silent"), {"package.json": "{}", "a.test.js": JEST}, (1, 1, 1)),
    Project("vitest", "vitest", ("vitest", "run"), {"package.json": "{}", "a.test.mjs": VITEST}, (2, 1, 1)),
    Project("mocha", "mocha", ("mocha", "a.js"), {"a.js": MOCHA}, (1, 1, 1)),
    Project("mocha json", "mocha", ("mocha", "--reporter", "json", "a.js"), {"a.js": MOCHA}, (1, 1, 1)),
    Project("node spec", "node", ("node", "--test", "--test-reporter=spec", "a.test.js"), {"a.test.js": NODE}, (1, 1, 1)),
    Project("node tap", "node", ("node", "--test", "--test-reporter=tap", "a.test.js"), {"a.test.js": NODE}, (1, 1, 1)),
    Project("cargo", "cargo", ("cargo", "test", "--no-fail-fast"), {"Cargo.toml": CARGO, "src/lib.rs": RUST}, (2, 1, 1)),
    Project(
        "cargo nocapture", "cargo", ("cargo", "test", "--no-fail-fast", "--", "--nocapture", "--test-threads=1"),
        {"Cargo.toml": CARGO, "src/lib.rs": RUST}, (2, 1, 1),
    ),
    Project("go -v", "go", ("go", "test", "-v", "./..."), {"go.mod": "module real\n", "a_test.go": GO}, (2, 1, 1)),
    Project("go -json", "go", ("go", "test", "-json", "./..."), {"go.mod": "module real\n", "a_test.go": GO}, (2, 1, 1)),
    Project("ctest", "cmake", ("sh", "-c", "cmake -S . -B b && cd b && ctest -V"), {"CMakeLists.txt": CMAKE}, (1, 1, 1)),
    Project("prove", "prove", ("prove", "-v", "a.t"), {"a.t": PERL}, (1, 1, 1)),
)  # fmt: skip


def runs(node_modules: Path | None) -> Iterator[tuple[Project, Counts | None]]:
    """Each project whose program is installed, and what is read from its output."""
    path = os.pathsep.join([str(node_modules / ".bin"), os.environ["PATH"]] if node_modules else [os.environ["PATH"]])
    for project in PROJECTS:
        if shutil.which(project.program, path=path) is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, content in project.files.items():
                (Path(folder) / name).parent.mkdir(exist_ok=True)
                (Path(folder) / name).write_text(content)
            if node_modules:
                (Path(folder) / "node_modules").symlink_to(node_modules.resolve())
            log = Path(folder) / "output.log"
            with log.open("wb") as file:
                subprocess.run(  # noqa: S603
                    project.command, cwd=folder, env=os.environ | {"PATH": path}, stdout=file, stderr=subprocess.STDOUT,
                    timeout=300, check=False,
                )  # fmt: skip
            yield project, _counts(log)


def _counts(log: Path) -> Counts | None:
    for batch in read_artifact(Artifact(log), Target(story_id="S-1")).batches:
        for signal in batch.records("signals"):
            if signal["tests_total"] is not None:
                return signal["tests_passed"], signal["tests_failed"], signal["tests_skipped"]
    return None


def main() -> int:
    """Print a line a project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node-modules", type=Path, help="a folder with jest, vitest or mocha in .bin")
    wrong = 0
    for project, counts in runs(parser.parse_args().node_modules):
        wrong += counts != project.counts
        print(
            f"{project.name:16} read {counts}, right is {project.counts}"
            + ("" if counts == project.counts else "  WRONG")
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
