"""Which judge answers a command? Opened for as long as it is asked."""

from collections.abc import Iterator
from contextlib import contextmanager

from quality.cli.root import Invocation
from quality.judges import open_judge
from quality.judging import Judge


@contextmanager
def open_for(invocation: Invocation, judge: str, model: str | None) -> Iterator[Judge]:
    """The judge for the length of the block."""
    opened = open_judge(judge, invocation.loaded.values.judges, model=model)
    try:
        yield opened
    finally:
        opened.close()
