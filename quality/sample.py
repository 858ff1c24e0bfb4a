"""What does a new user see before there is data of their own? Published ratings, imported as any file is.

`data/README.md` tells where each file comes from; nothing in the sample ledger is made up.
"""

from collections.abc import Callable
from pathlib import Path

from quality.commands import ImportArtifact
from quality.errors import NotFound, QualityError
from quality.ledger.ledger import Ledger

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"
ACTOR = "sample data"
FILES: dict[str, str] = {
    "synlynk-state.db": "a synlynk workspace",
    "conala-ratings.csv": "CoNaLa: human grades and an LLM judge",
    "humaneval-tests.csv": "HumanEval: test results",
    "humaneval-judge.csv": "HumanEval: an LLM judge",
}
"""File → what it holds, in the order of import."""

Progress = Callable[[str, float], None]
"""What is being done, and which share of the whole is done, 0–1."""


def build_sample(ledger: Ledger, progress: Progress | None = None, folder: Path = SAMPLE) -> None:
    """Import every sample file. What is already in the ledger is left as it is, so it can be repeated.

    Raises:
        NotFound: a file is missing, as in an installation without the repository's `data/sample/`.
        QualityError: a file was refused as a whole; says why.
    """
    sizes = {name: _size(folder / name) for name in FILES}
    done = 0
    for name, what in FILES.items():
        if progress:
            progress(f"Reading {what}", done / sum(sizes.values()))
        command = ImportArtifact(actor=ACTOR, path=str(folder / name), label=f"data/sample/{name}")
        answer = ledger.execute(command)
        if answer.status == "rejected":
            reason = answer.rejects[0].reason
            raise QualityError(f"{folder / name}: {reason}: restore the file from the repository")
        done += sizes[name]
    if progress:
        progress("The sample ledger is ready", 1.0)


def _size(path: Path) -> int:
    if not path.is_file():
        raise NotFound(f"{path}: no such sample file: get the whole repository, or name your own ledger")
    return path.stat().st_size
