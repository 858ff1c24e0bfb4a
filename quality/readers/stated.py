"""Which run does an artifact itself say it is of? Properties such as `story_id` and `agent`, where a producer wrote them.

A bare name such as `agent` or `model` means many things in other people's reports: without the prefix `quality.` it
counts only beside a story. What the caller states goes first.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from quality.readers.base import STAND_IN, Target
from quality.readers.instants import instant

PREFIXES = ("quality_tiers.", "quality.")
NAMES = {
    "story_id": "story_id", "story": "story_id", "agent": "agent", "model_version": "model_version",
    "model": "model_version", "attempt": "attempt", "started_at": "started_at",
}  # fmt: skip
"""Name of a property, in lower case and without prefix → what it states."""
OPTIONS = {"story_id": "--story", "agent": "--agent", "model_version": "--model", "attempt": "--attempt"}
MOST_STATED = 1_000
LONGEST = 500
MOST_ATTEMPT = 2**31 - 1
SEVERAL = "it is about several runs: {named}: split it into a file each, or name the run with --story"
DENIED = "it says {name} {own!r}, the caller says {said!r}: the caller's counts"


@dataclass
class Stated:
    """What properties say, gathered as they come."""

    told: dict[str, dict[str, None]] = field(default_factory=dict)
    """What is stated → the different values in order."""
    _bare: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, name: str | None, value: object) -> None:
        """One property; those that say nothing of a run are passed over."""
        key = (name or "").strip().lower().replace("-", "_").replace(" ", "_")
        prefix = next((start for start in PREFIXES if key.startswith(start)), "")
        meant = NAMES.get(key.removeprefix(prefix))
        text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if meant is None or not text or len(text) > LONGEST:
            return
        values = (self.told if prefix or meant == "story_id" else self._bare).setdefault(meant, {})
        if len(values) < MOST_STATED:
            values[text] = None

    def add_all(self, properties: object) -> None:
        """Each member of a JSON object."""
        for name, value in properties.items() if isinstance(properties, dict) else ():
            self.add(name, value)

    def resolve(self, target: Target, warnings: list[str]) -> "Named":
        """The run that is meant; contradictions with what the caller states become warnings."""
        told = dict(self.told)
        for name, values in self._bare.items() if "story_id" in told else ():
            told[name] = told.get(name, {}) | values
        caller = replace(target, story_id=None) if target.story_id == STAND_IN else target
        several = {name: list(values) for name, values in told.items() if name in OPTIONS and len(values) > 1}
        if several and not caller.story_id:
            named = "; ".join(f"{name} {', '.join(values[:10])}" for name, values in several.items())
            return Named(target, None, SEVERAL.format(named=named))
        own = {name: next(iter(values)) for name, values in told.items() if name not in several}
        for name, values in several.items():
            warnings.append(f"it says {name} {' and '.join(map(repr, values[:10]))}: the caller's run counts")
        if caller.story_id and own.get("story_id", caller.story_id) != caller.story_id:
            warnings.append(DENIED.format(name="story_id", own=own["story_id"], said=caller.story_id))
            return Named(target, None)
        if "story_id" in several:
            return Named(target, None)
        return self._filled(target, caller, own, warnings)

    @staticmethod
    def _filled(target: Target, caller: Target, own: dict[str, str], warnings: list[str]) -> "Named":
        fields: dict[str, str | int] = {}
        for name in OPTIONS:
            said, stated = getattr(caller, name), own.get(name)
            if stated is None:
                continue
            if name == "attempt" and not (stated.isascii() and stated.isdigit() and 1 <= int(stated) <= MOST_ATTEMPT):
                warnings.append(f"it says attempt {stated!r}: an attempt is a whole number from 1: not used")
            elif said is None:
                fields[name] = int(stated) if name == "attempt" else stated
            elif str(said) != stated:
                warnings.append(DENIED.format(name=name, own=stated, said=said))
        began = own.get("started_at")
        found = instant(began) if began else None
        if began and (found is None or found[1]):
            what = "is no time" if found is None else "names no zone"
            warnings.append(f"it says started_at {began!r}, which {what}: not used")
        return Named(replace(target, **fields), found[0] if found and not found[1] else None)


@dataclass(frozen=True)
class Named:
    """The run that an artifact is of."""

    target: Target
    started_at: datetime | None
    refusal: str = ""
    """Why it is of no one run."""
