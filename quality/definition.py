"""What does an entry of the catalogue (`quality/definitions.py`) hold, and how is one written in a line?"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["score", "difference", "share", "count", "weight", "ratio", "flag", "text", "list", "time"]
"""How a value is shown: a score has one decimal, a difference its sign, a share is a percentage, a time is in the
viewer's zone."""


@dataclass(frozen=True)
class Definition:
    """One name: how it is labelled, what it measures, between which bounds, and what computes it."""

    name: str
    label: str
    kind: Kind
    unit: str
    """"points", "runs", … or "" for text."""
    low: float | None
    high: float | None
    sentence: str
    source: str
    """Dotted path of the function, or the section of MODEL.md."""

    @property
    def range(self) -> str:
        """The bounds in words, "" where there are none.

        >>> from quality.definitions import define
        >>> define("quality").range, define("n").range, define("title").range
        ('0–10', '≥ 0', '')
        """
        if self.low is None:
            return ""
        return f"≥ {self.low:g}" if self.high is None else f"{self.low:g}–{self.high:g}"

    @property
    def tooltip(self) -> str:
        """The sentence, then unit and range, then where it is computed.

        >>> from quality.definitions import define
        >>> define("n_runs").tooltip
        'Scored or not. Unit: runs, ≥ 0. Source: MODEL.md, Model scores.'
        """
        measured = f" Unit: {self.unit}, {self.range}." if self.unit and self.range else ""
        return f"{self.sentence}{measured} Source: {self.source}."


WORDS = "MODEL.md, Words"


def score(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "score", "points", 0, 10, sentence, source)


def share(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "share", "share", 0, 1, sentence, source)


def count(name: str, label: str, unit: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "count", unit, 0, None, sentence, source)


def text(name: str, label: str, sentence: str, source: str = WORDS, kind: Kind = "text") -> Definition:
    return Definition(name, label, kind, "", None, None, sentence, source)
