"""What is an improvement candidate, and can this file of them be scored? Read whole and checked before anything is done.

    {"run_id": "run-7", "target": {"path": "skills/minutes"}, "candidates": [
      {"id": "c1", "category": "docs", "risk_level": "low", "executor_support": true, "source_refs": ["feedback.md"],
       "target_path": "skills/minutes/SKILL.md", "proposed_change_summary": "Name an owner",
       "execution_plan": {"action": "append_markdown_section"}}]}

A field that is null is missing; fields that are not known here are kept and given back.
"""

import gc
import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import from_json

from quality.errors import QualityError
from quality.problems import in_words, one_line

MOST_BYTES = 256 * 1024 * 1024
MOST_FAULTS = 100
"""Faults that are told; what is beyond is counted."""
LONGEST_NAME = 200
"""Characters of a run's or candidate's id, of a category and of a level: they name files, blockers and columns."""
SHOWN_NAME = 60


class FaultyCandidates(QualityError):
    """The file cannot be scored; `faults` says why, a line each, with the candidate's id."""

    def __init__(self, faults: list[str]) -> None:
        beyond = len(faults) - MOST_FAULTS
        self.faults = faults if beyond <= 0 else [*faults[:MOST_FAULTS], f"… and {beyond:,} more faults"]
        super().__init__("; ".join(self.faults))


def _name(value: str) -> str:
    if not value.strip():
        raise ValueError("empty or blank: give a name")
    if not value.isprintable():
        raise ValueError("holds line breaks or control codes: give a name of one line")
    return value


def _file_name(value: str) -> str:
    if value in (".", "..") or "/" in value or "\\" in value:
        raise ValueError("would name a file outside of its folder: leave out '/', '\\', '.' and '..'")
    if len(value.encode()) > LONGEST_NAME:
        raise ValueError(f"is too long for the name of a file: at most {LONGEST_NAME} bytes")
    return value


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)]
RunId = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name), AfterValidator(_file_name)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True, protected_namespaces=())

    def given(self) -> dict[str, Any]:
        """As it was given, without what was left out."""
        stated = self.__pydantic_fields_set__
        values = {name: value for name, value in self.__dict__.items() if name in stated}
        return values | self.__pydantic_extra__ if self.__pydantic_extra__ else values


class Plan(_Given):
    """How the change would be carried out."""

    action: str | None = None
    section_heading: str | None = None
    content_lines: list[str] | None = None


class Candidate(_Given):
    """One proposed change, as it was given; only the id is needed."""

    id: Name
    title: str | None = None
    category: Name | None = None
    """docs, reference, guardrail, workflow, prompt or tests; anything else, or none, counts as other."""
    risk_level: Name | None = None
    """low, medium or high; anything else counts as other, none as medium."""
    executor_support: bool | None = None
    """Whether the executor can carry it out; none = it cannot."""
    source_refs: list[Any] | None = None
    """What it rests on, a text or an object each; three count."""
    target_path: str | None = None
    """The file that it would change."""
    proposed_change_summary: str | None = None
    rationale: str | None = None
    execution_plan: Plan | None = None

    @field_validator("source_refs")
    @classmethod
    def _texts_or_objects(cls, refs: list[Any] | None) -> list[Any] | None:
        for ref in refs or ():
            if not isinstance(ref, str | dict):
                raise ValueError("a reference is a text or an object")
        return refs

    def given(self) -> dict[str, Any]:
        """As it was given, without what was left out."""
        values = super().given()
        return values | {"execution_plan": self.execution_plan.given()} if self.execution_plan else values


class Target(_Given):
    """What the run improves."""

    path: Annotated[str, AfterValidator(_name)]


class CandidateFile(_Given):
    """The candidates of one run."""

    run_id: RunId
    target: Target
    candidates: list[Candidate]
    lane: str | None = None


class ReadCandidates(BaseModel):
    """A file that can be scored, and which one it was."""

    model_config = ConfigDict(frozen=True)

    file: CandidateFile
    sha256: str


def read_candidates(content: bytes) -> ReadCandidates:
    """The candidates in these bytes.

    Raises:
        FaultyCandidates: not JSON in UTF-8, too large, a field that is missing or of the wrong type, an id that is
            there twice; every fault at once, with the candidate's id.

    >>> read_candidates(b'{"run_id": "r", "target": {"path": "p"}, "candidates": [{"id": "a"}]}').file.candidates[0].id
    'a'
    >>> try: read_candidates(b'{"run_id": "r", "target": {"path": "p"}, "candidates": [{"id": "a", "risk_level": 3}]}')
    ... except FaultyCandidates as error: error.faults
    ["candidate 'a': risk_level = 3: Input should be a valid string"]
    """
    if len(content) > MOST_BYTES:
        raise FaultyCandidates([f"the file has {len(content):,} bytes: at most {MOST_BYTES:,} are read, split it"])
    with many_objects():
        return _checked(content)


@contextmanager
def many_objects() -> Iterator[None]:
    """Objects are made by the hundred thousand and none is given up: Python need not look for cycles among them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _checked(content: bytes) -> ReadCandidates:
    try:
        raw = from_json(content.removeprefix(b"\xef\xbb\xbf"), allow_inf_nan=False)
    except ValueError as error:
        raise FaultyCandidates([one_line(f"not JSON: {error}")]) from None
    if not isinstance(raw, dict):
        raise FaultyCandidates(["not a JSON object: give one with run_id, target and candidates"])
    try:
        file = CandidateFile.model_validate(raw)
    except ValidationError as error:
        raise FaultyCandidates([*_faults(error, raw), *_repeated(raw)]) from None
    if faults := list(_repeated(raw)):
        raise FaultyCandidates(faults)
    return ReadCandidates(file=file, sha256=hashlib.sha256(content).hexdigest())


def named(raw: Any, place: int) -> str:
    """How an error names the candidate at this place, from 0.

    >>> named({"id": "c-7"}, 0), named({"title": "t"}, 2)
    ("candidate 'c-7'", 'candidate 3 (no id)')
    """
    found = raw.get("id") if isinstance(raw, dict) else None
    if not isinstance(found, str) or not found.strip():
        return f"candidate {place + 1} (no id)"
    return f"candidate '{one_line(found)[:SHOWN_NAME]}'"


def _faults(error: ValidationError, raw: dict) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False):
        place = problem["loc"]
        if len(place) > 1 and place[0] == "candidates":
            words = in_words(problem, beginning=2)
            yield f"{named(raw['candidates'][place[1]], place[1])}: {words}"
        else:
            yield in_words(problem)


def _repeated(raw: dict) -> Iterator[str]:
    listed = raw.get("candidates")
    found = [one.get("id") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    counted = Counter(one for one in found if isinstance(one, str))
    for name, times in counted.items():
        if times > 1:
            yield f"{named({'id': name}, 0)}: the id is there {times} times: give each candidate its own"
