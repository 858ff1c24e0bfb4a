"""How many findings of each kind does a report hold, and do they speak against the build?

The rule for `build_success` (the seed: "job exit code + build/lint output"), the same for every tool here:
errors that stand make it false, because the tool that reports them ends with an exit code other than 0. Warnings
never do. No errors make it true only in the log of a compiler that also says that it finished; a clean lint report
alone says nothing about a build: unknown.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

ERROR, WARNING, INFORMATION, HINT, UNSPECIFIED = "errors", "warnings", "information", "hints", "unspecified"
SEVERITIES = (ERROR, WARNING, INFORMATION, HINT, UNSPECIFIED)
WORDS = {
    "error": ERROR, "fatal error": ERROR, "fatal": ERROR, "critical": ERROR, "internal compiler error": ERROR,
    "ice": ERROR, "error: internal compiler error": ERROR, "failure-note": INFORMATION, "sorry": ERROR,
    "warning": WARNING, "warn": WARNING, "information": INFORMATION, "info": INFORMATION, "note": INFORMATION,
    "message": INFORMATION, "notice": INFORMATION, "remark": INFORMATION, "hint": HINT, "help": HINT,
    "suggestion": HINT, "none": UNSPECIFIED,
}  # fmt: skip
"""What the tools' words mean. Any other word is unspecified: its reader has to decide."""


@dataclass
class Findings:
    """Counts of one report. The first five are what stands; the others tell more about them or about the rest."""

    errors: int = 0
    warnings: int = 0
    information: int = 0
    hints: int = 0
    unspecified: int = 0
    """The report states no severity and the tool has no default."""
    suppressed: int = 0
    """Found, and waived: not among those that stand."""
    absent: int = 0
    """Gone since the baseline."""
    passes: int = 0
    """Results that are no findings: the rule was kept, or does not apply."""
    new: int = 0
    """Of those that stand, not in the baseline."""
    fixable: int = 0
    """Of those that stand, the tool can mend them itself."""
    old_errors: int = 0
    """Of the errors, in the baseline already: they do not speak against the build."""
    succeeded: bool | None = None
    """What a compiler says about its own end."""

    def add(self, severity: str, *, new: bool = False, old: bool = False, fixable: bool = False) -> None:
        """One that stands."""
        setattr(self, severity, getattr(self, severity) + 1)
        self.new += new
        self.fixable += fixable
        self.old_errors += old and severity == ERROR

    @property
    def standing(self) -> int:
        """Findings that stand, of any severity."""
        return sum(getattr(self, name) for name in SEVERITIES)

    @property
    def build_success(self) -> bool | None:
        """False with an error that stands, else what the compiler said of its end, else unknown.

        >>> Findings(errors=1).build_success, Findings(warnings=9).build_success, Findings(succeeded=True).build_success
        (False, None, True)
        """
        return False if self.errors > self.old_errors else self.succeeded

    def counts(self) -> dict[str, int]:
        """For `inspect`: every count by its name, and their total as `findings`."""
        return {"findings": self.standing} | {name: getattr(self, name) for name in COUNTED}

    def words(self) -> str:
        """`2 errors, 1 warning`."""
        stated = [(name, getattr(self, name)) for name in (*SEVERITIES, "suppressed", "absent")]
        singular = {"errors": "error", "warnings": "warning", "hints": "hint"}
        said = [f"{n} {singular.get(name, name) if n == 1 else name}" for name, n in stated if n]
        return ", ".join(said) or "no findings"


COUNTED = tuple(each.name for each in fields(Findings) if each.name not in ("old_errors", "succeeded"))


def severity_of(word: object, missing: str = UNSPECIFIED) -> str:
    """A tool's word as a kind of finding.

    >>> severity_of("Warning"), severity_of("blocker"), severity_of(None, ERROR)
    ('warnings', 'unspecified', 'errors')
    """
    return WORDS.get(word.strip().lower(), UNSPECIFIED) if isinstance(word, str) else missing


def together(reports: Iterable[Findings]) -> Findings:
    """The sum of several; they succeeded if every one that says how it ended did."""
    whole = Findings()
    for report in reports:
        for name in (*COUNTED, "old_errors"):
            setattr(whole, name, getattr(whole, name) + getattr(report, name))
        if report.succeeded is not None:
            whole.succeeded = report.succeeded and whole.succeeded is not False
    return whole
