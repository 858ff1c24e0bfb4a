"""What does an XML report of tests become? One reading of the run that the caller names, with the lines it rests on.

The files beside this one say what each producer's elements mean; here the report is recognised by its root and read.
"""

from collections.abc import Iterator

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Target
from quality.readers.instants import Clock
from quality.readers.results import test_batch
from quality.readers.stated import Stated
from quality.readers.xml_tests.stream import Place, Trouble, excerpts, root_of, walk
from quality.readers.xml_tests.tally import Tally


class Report:
    """What the elements of one kind of report mean; each kind is a class of its own."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.place = Place(1, 0)
        """Of the element that begins."""
        self.root: Place | None = None
        self.is_whole = False
        """Whether every test that the report tells of has been seen."""
        self.is_aborted = False
        """Whether the report itself says that the run ended early."""
        self.clock = Clock()
        self.stated = Stated()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element has ended."""

    def data(self, text: str) -> None:
        """Text within an element."""

    def finish(self) -> None:
        """No more comes, whether or not the document is complete."""

    def note_time(self, text: str | None) -> None:
        """A time of the report."""
        self.clock.note(text)

    def compare(self, what: str, declared: dict[str, int | None], held: dict[str, int], place: Place) -> None:
        """Warn of totals that the elements do not bear out; totals that are not stated are passed over."""
        stated = {name: number for name, number in declared.items() if number is not None}
        if any(number != held[name] for name, number in stated.items()):
            says = " and ".join(f"{name}={number}" for name, number in stated.items())
            holds = " and ".join(str(held[name]) for name in stated)
            self.tally.warn(f"line {place.line}: {what} declares {says}, its elements are {holds}: the elements count")


class XmlReader:
    """A report that is recognised by its root element."""

    format = ""
    names_no_story = True
    roots: frozenset[str] = frozenset()
    report: type[Report] = Report

    def recognises(self, artifact: Artifact) -> bool:
        root, text = root_of(artifact)
        return root in self.roots and self.is_mine(text)

    def is_mine(self, text: str) -> bool:
        """Whether the text from the root on is of this format; for roots that others use too."""
        return True

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        report = self.report()
        trouble = walk(artifact, report)
        rejects: list[Reject] = []
        if trouble is not None:
            rejects.append(Reject(line=trouble.line, reason=trouble.reason, value=None))
            if trouble.is_refused:
                yield Batch.of(*rejects)
                return
        report.finish()
        tally = report.tally
        if trouble is not None and tally.counts is None and not tally.outside:
            yield Batch.of(*rejects, warnings=tally.warnings)
            return
        yield _batch(artifact, report, trouble, rejects, target)


def _batch(artifact: Artifact, report: Report, trouble: Trouble | None, rejects: list[Reject], target: Target) -> Batch:
    tally, counts = report.tally, report.tally.counts
    known = {}
    warnings = tally.warnings
    if counts is None:
        warnings.append("no tests in it: the pass rate is unknown")
    if trouble is not None:
        warnings.append(f"the report breaks off at line {trouble.line}: only the tests before it are read")
    is_part = report.is_aborted or (trouble is not None and not report.is_whole)
    if counts and is_part and not counts.failed + counts.errors:
        warnings.append("a part of a run cannot show that all tests passed: the pass rate is unknown")
        known["test_pass_rate"] = None
    warnings += report.clock.warnings
    if report.clock.latest:
        known["occurred_at"] = report.clock.latest  # type: ignore[assignment]
    outside = [place for _, place in tally.outside]
    places = list(dict.fromkeys([report.root or Place(1, 0), *tally.failures]))
    texts = excerpts(artifact, [*places, *outside])
    evidence = [("test_pass_rate", place.line, texts[place]) for place in places if counts]
    evidence += [("build_success", place.line, texts[place]) for place in outside]
    return test_batch(
        target, counts, evidence, warnings, rejects, named=tally.named, stated=report.stated,
        build_success=False if outside else None, **known,
    )  # fmt: skip


def number(text: str | None) -> int | None:
    """A total as written; `None` if it is none.

    >>> number("12"), number(" 3 "), number("-1"), number("many"), number(None)
    (12, 3, None, None, None)
    """
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
