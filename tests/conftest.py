"""What do many tests need? No settings of the machine they run on, and a sample ledger that is built once a worker."""

import os
import shutil
from pathlib import Path

import pytest

from quality.ledger.ledger import Ledger
from quality.sample import build_sample


def pytest_configure() -> None:
    """The tests see no ledger, reviewer, weights or keys that the developer has set: no test calls a provider."""
    for name in [name for name in os.environ if name.startswith(("QUALITY_", "EVAL_WEIGHT_", "ANTHROPIC_", "OPENAI_"))]:
        del os.environ[name]


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
