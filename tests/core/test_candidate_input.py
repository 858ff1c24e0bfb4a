"""A file of candidates is read whole and refused whole, each fault in one line with the candidate's id."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.candidate_input import MOST_FAULTS, FaultyCandidates, read_candidates

GOOD = {"run_id": "run-1", "target": {"path": "skills/a"}, "candidates": [{"id": "a"}]}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def faults(content) -> list[str]:
    """Why it is refused."""
    given = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(FaultyCandidates) as caught:
        read_candidates(given)
    return caught.value.faults


def told(content: bytes) -> list[str] | None:
    """The faults, or none."""
    try:
        read_candidates(content)
    except FaultyCandidates as error:
        return error.faults
    return None


def with_candidates(*candidates) -> dict:
    return GOOD | {"candidates": list(candidates)}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"run_id": NaN}', "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
        ({k: v for k, v in GOOD.items() if k != "run_id"}, "run_id: missing"),
        ({k: v for k, v in GOOD.items() if k != "target"}, "target: missing"),
        ({k: v for k, v in GOOD.items() if k != "candidates"}, "candidates: missing"),
        (GOOD | {"target": {}}, "target.path: missing"),
        (GOOD | {"target": {"path": " "}}, "target.path = ' ': empty or blank"),
        (GOOD | {"target": "skills/a"}, "target = 'skills/a': give an object"),
        (GOOD | {"run_id": 7}, "run_id = 7"),
        (GOOD | {"run_id": None}, "run_id = None"),
        (GOOD | {"candidates": {}}, "candidates = {}"),
        (with_candidates({"title": "t"}), "candidate 1 (no id): id: missing"),
        (with_candidates({"id": ""}), "candidate 1 (no id): id = ''"),
        (with_candidates({"id": 3}), "candidate 1 (no id): id = 3"),
        (with_candidates({"id": "a"}, 5), "candidate 2 (no id): give an object"),
        (with_candidates({"id": "a", "category": 5}), "candidate 'a': category = 5"),
        (with_candidates({"id": "a", "category": " "}), "candidate 'a': category = ' ': empty or blank"),
        (with_candidates({"id": "a", "risk_level": ["low"]}), "candidate 'a': risk_level = ['low']"),
        (with_candidates({"id": "a", "executor_support": "yes"}), "candidate 'a': executor_support = 'yes'"),
        (with_candidates({"id": "a", "executor_support": 1}), "candidate 'a': executor_support = 1"),
        (with_candidates({"id": "a", "source_refs": "ref"}), "candidate 'a': source_refs = 'ref'"),
        (with_candidates({"id": "a", "source_refs": [1]}), "candidate 'a': source_refs = [1]: a reference is a text"),
        (with_candidates({"id": "a", "target_path": 1}), "candidate 'a': target_path = 1"),
        (with_candidates({"id": "a", "execution_plan": []}), "candidate 'a': execution_plan = []: give an object"),
        (with_candidates({"id": "a", "execution_plan": {"action": 1}}), "candidate 'a': execution_plan.action = 1"),
        (with_candidates({"id": "a\nb"}), "candidate 'a b': id = 'a\\nb': holds line breaks"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_said_in_one_line(content, fault):
    """The field, its value and what is wrong; the candidate by its id, or by its place where it has none."""
    (line,) = faults(content)
    assert line.startswith(fault)
    assert "\n" not in line


@pytest.mark.parametrize("run_id", ["../evil", "a/b", "a\\b", "..", ".", "", " ", "a\x00b", "x" * 201, "é" * 150])
def test_a_run_id_cannot_name_a_file_elsewhere(run_id):
    """It becomes the name of a file."""
    assert faults(GOOD | {"run_id": run_id})[0].startswith("run_id = ")


@pytest.mark.parametrize("run_id", ["abc-123", "run 7", "2026-12-02T10:00:00Z", "läufe", ".hidden", "a..b"])
def test_other_run_ids_are_taken(run_id):
    """As they are."""
    assert read_candidates(json.dumps(GOOD | {"run_id": run_id}).encode()).file.run_id == run_id


def test_every_fault_is_told_at_once():
    """Three candidates with faults and an id that is there twice: four lines, in the order of the file."""
    lines = faults(
        with_candidates({"id": "a", "category": 1}, {"id": "b"}, {"id": "b", "target_path": 2}, {"executor_support": 0})
    )
    assert [line.split(":")[0] for line in lines] == [
        "candidate 'a'", "candidate 'b'", "candidate 4 (no id)", "candidate 4 (no id)", "candidate 'b'",
    ]  # fmt: skip
    assert lines[-1].endswith("the id is there 2 times: give each candidate its own")


def test_too_many_faults_are_counted():
    """A hundred are told, the rest is a number."""
    lines = faults(with_candidates(*({"id": f"c{n}", "category": n} for n in range(150))))
    assert len(lines) == MOST_FAULTS + 1
    assert lines[-1] == "… and 50 more faults"


def test_null_is_missing_and_a_plan_may_be():
    """Every optional field may be null, the plan too."""
    names = (
        "title", "category", "risk_level", "executor_support", "source_refs", "target_path",
        "proposed_change_summary", "rationale", "execution_plan",
    )  # fmt: skip
    read = read_candidates(json.dumps(with_candidates({"id": "a"} | dict.fromkeys(names))).encode())
    assert all(getattr(read.file.candidates[0], name) is None for name in names)


def test_what_is_not_known_here_is_kept():
    """Other fields of the run, of a candidate and of its plan are given back as they came."""
    plan = {"action": "x", "notes": ["n"], "deep": {"a": None}}
    given = {"id": "a", "lane": "l", "created_at": "2026", "execution_plan": plan, "title": None}
    (one,) = read_candidates(json.dumps(with_candidates(given)).encode()).file.candidates
    assert one.given() == given


def test_a_byte_order_mark_is_no_fault_and_no_candidates_are_none():
    """Windows editors write one; a run may have found nothing to improve."""
    content = b"\xef\xbb\xbf" + json.dumps(with_candidates()).encode()
    assert read_candidates(content).file.candidates == []


@given(st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode()))
def test_reading_survives_anything(content):
    """Candidates or faults, nothing else."""
    assert told(content) is None or told(content)


@given(
    st.dictionaries(st.sampled_from(["id", "category", "source_refs", "execution_plan", "target_path"]), json_values)
)
def test_any_candidate_is_read_or_refused_by_name(candidate):
    """In lines without breaks."""
    lines = told(json.dumps(with_candidates(candidate)).encode()) or []
    assert all(line.startswith("candidate ") and line.isprintable() for line in lines)
