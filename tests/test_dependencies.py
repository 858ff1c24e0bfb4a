"""Is what pyproject.toml names what the code imports, and is it pinned? Nothing is shipped that nobody uses."""

import ast
import re
import sys
import tomllib
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
USED_WITHOUT_IMPORT = {
    "tzdata": "zoneinfo reads it where the system has no zone files",
    "pip-tools": "make requirements",
    "pytest-xdist": "make test",
    "ruff": "make lint",
}
BROUGHT_ALONG = {"pydantic-core": "pydantic"}
"""Imported, and always a part of another."""
PERMISSIVE = re.compile(r"MIT|BSD|Apache|MPL|PSF|Python Software Foundation|Unlicense", re.IGNORECASE)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(requirements: list[str]) -> set[str]:
    return {plain(re.match(r"[\w.-]+", text)[0]) for text in requirements}


RUNTIME = declared(PROJECT["dependencies"])
DEVELOPMENT = declared(PROJECT["optional-dependencies"]["dev"])


def imported(*patterns: str) -> set[str]:
    """Distributions that the files import."""
    owners = packages_distributions()
    names = set()
    for path in (path for pattern in patterns for path in ROOT.glob(pattern)):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    ours = {"quality", "pages", "tests", "bench", "app", "scripts"}
    found = {plain(owners[name][0]) for name in names - ours - sys.stdlib_module_names if name in owners}
    return {BROUGHT_ALONG.get(name, name) for name in found}


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if "://" in line or line.startswith("-")]
    return dict(line.split("==") for line in lines if line and not line.lstrip().startswith("#"))


def test_the_product_imports_what_it_declares_and_nothing_else():
    """A package that is only there because another needs it may go any day."""
    used = imported("app.py", "pages/**/*.py", "quality/**/*.py")
    assert used - RUNTIME == set()
    assert RUNTIME - used == RUNTIME & USED_WITHOUT_IMPORT.keys()


def test_the_development_tools_are_used():
    """By an import in tests and benchmarks, or by the Makefile."""
    used = imported("tests/**/*.py", "bench/**/*.py", "scripts/**/*.py")
    assert used - RUNTIME - DEVELOPMENT == set()
    assert DEVELOPMENT - used == DEVELOPMENT & USED_WITHOUT_IMPORT.keys()


def test_everything_is_pinned_and_the_two_files_agree():
    """`make requirements` writes both; neither names an index or a host."""
    runtime, development = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {plain(name) for name in runtime} >= RUNTIME
    assert {plain(name) for name in development} >= RUNTIME | DEVELOPMENT
    assert runtime.items() <= development.items()


@pytest.mark.parametrize("name", sorted(RUNTIME))
def test_a_dependency_has_a_permissive_licence(name):
    """As the package itself states it."""
    said = metadata(name)
    stated = [said.get("License-Expression"), said.get("License"), *(said.get_all("Classifier") or [])]
    # SciPy's wheel lists the compiler's runtime that it carries, which the GCC exception lets everyone link.
    licences = [
        re.split(r"\n\s*Name: \w+\s+Files: ", text)[0]
        for text in stated
        if text and ("License" in text or not text.startswith(("Framework", "Intended")))
    ]
    assert any(PERMISSIVE.search(text) for text in licences), licences[:3]
    assert not any(re.search(r"\bA?GPL", text) for text in licences)
