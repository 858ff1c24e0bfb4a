"""What do many tests need? No settings of the machine they run on, and a sample ledger that is built once a worker."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from quality.ledger.ledger import Ledger
from quality.sample import build_sample

LONGEST = ("tests/test_readme.py", "browser/test_looks.py", "tests/browser/", "tests/cli/")
"""Parts of the names of files that start processes or a browser, the longest first."""

settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("patient")
"""No test is timed, not by Hypothesis either; a fixture that a test of laws asks for is made to be used again."""


def pytest_configure() -> None:
    """The tests see no ledger, reviewer, weights or keys that the developer has set: no test calls a provider."""
    for name in [name for name in os.environ if name.startswith(("QUALITY_", "EVAL_WEIGHT_", "ANTHROPIC_", "OPENAI_"))]:
        del os.environ[name]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first, so that no worker is left alone with one of them at the end."""
    items.sort(key=lambda item: next((n for n, part in enumerate(LONGEST) if part in item.nodeid), len(LONGEST)))


@pytest.fixture(scope="session")
def built_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample ledger, closed. Read it, or copy it with `sample_copy`."""
    path = tmp_path_factory.mktemp("sample") / "sample.duckdb"
    with Ledger(path) as ledger:
        build_sample(ledger)
    return path


@pytest.fixture
def sample_copy(built_sample: Path, tmp_path: Path) -> Path:
    """A sample ledger to write to."""
    return Path(shutil.copyfile(built_sample, tmp_path / "ledger.duckdb"))
