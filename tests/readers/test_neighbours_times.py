"""When was a log written? By the time that a CI service puts before the line that counts, if it states its zone."""

import io
import json
import zipfile
from datetime import UTC, datetime

import pytest

SESSION = [
    "===== test session starts =====", "collected 2 items", "", "tests/test_a.py .F                    [100%]",
    "===== short test summary info =====", "FAILED tests/test_a.py::test_b", "===== 1 failed, 1 passed in 0.05s =====",
    "##[error]Process completed with exit code 1.",
]  # fmt: skip
SUMMARY, END = datetime(2026, 8, 20, 10, 0, 6, tzinfo=UTC), datetime(2026, 8, 20, 10, 0, 7, tzinfo=UTC)


def stamped(form, lines=SESSION):
    """Each line a second after the one before, from 10:00:00 UTC on."""
    return "".join(form.format(n=n, line=line) for n, line in enumerate(lines))


def archive(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, text in members.items():
            file.writestr(f"{name}.txt", text)
    return content.getvalue()


GITHUB = "2026-08-20T10:00:0{n}.0000000Z {line}\n"
BUILD = ["##[group]Run make", "src/a.c:3:1: error: expected ';'", "make: *** [Makefile:2: all] Error 1"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (stamped(GITHUB), END),
        (stamped(GITHUB, SESSION[:-1]), SUMMARY),
        ("\ufeff" + stamped(GITHUB), END),
        (stamped("test\tRun pytest\t2026-08-20T10:00:0{n}.0000000Z {line}\n"), END),
        (stamped("2026-08-20T12:00:0{n}.000000+02:00 01O {line}\r\n"), END),
        (stamped("[2026-08-20 10:00:0{n},000Z] {line}\n"), END),
        (archive(a=stamped(GITHUB, SESSION[:-1]), b="nothing"), SUMMARY),
        (archive(a=stamped(GITHUB).replace("10:00:0", "09:00:0"), b=stamped(GITHUB)), END),
        (stamped(GITHUB, BUILD), datetime(2026, 8, 20, 10, 0, 2, tzinfo=UTC)),
        (stamped("{line}\n"), None),
    ],
    ids=["raw", "summary only", "BOM", "gh run view", "offset", "brackets", "zip", "newest job of a zip", "build", "none"],
)  # fmt: skip
def test_a_log_is_of_the_time_before_the_line_that_counts(read, content, expected):
    """The latest of the summary's and the outcome's."""
    said = read(content, "ci.log", story_id="S-1")
    [signal] = said.signals
    assert signal.get("occurred_at") == expected
    assert not any("time" in warning for warning in said.warnings)


def test_a_time_without_a_zone_is_not_used_and_said_so(read):
    """The runner's clock may be anywhere."""
    said = read(stamped("2026-08-20 10:00:0{n} {line}\n"), "ci.log", story_id="S-1")
    assert "occurred_at" not in said.signals[0]
    assert "the time '2026-08-20 10:00:06' names no zone: not used" in said.warnings


def test_a_log_from_before_the_run_waits_for_a_word(ingest, rows):
    """Written on 2026-08-20, of a run that began the day after."""
    answer = ingest(
        stamped(GITHUB),
        "ci.log",
        story_id="S-1",
        agent="a",
        model_version="claude-sonnet-4-6",
        started_at=datetime(2026, 8, 21, tzinfo=UTC),
    )
    assert any("before the run" in warning for warning in answer.warnings)
    assert rows("quality_auto, caveats") == [(None, ["older_report"])]


def check(at, name="build"):
    return {"__typename": "CheckRun", "name": name, "status": "COMPLETED", "conclusion": "SUCCESS", "startedAt": at}


def rollup(*checks):
    return {"number": 1, "state": "MERGED", "statusCheckRollup": list(checks)}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (rollup(check("2026-01-01T10:00:00")), "names no zone"),
        (rollup(check("yesterday")), "is none that can be read"),
        (rollup(check("2999-01-01T10:00:00Z")), "lies in the future"),
        (rollup(check("0001-01-01T00:00:00Z")), ""),  # how gh writes a time that was not set
        ({"version": "1", "time": "2026-01-01T10:00:00", "generalDiagnostics": [{"severity": "error"}],
          "summary": {"errorCount": 1, "warningCount": 0}}, "names no zone"),
        ({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [{"level": "error"}],
          "invocations": [{"endTimeUtc": "2026-01-01T10:00:00"}]}]}, "names no zone"),
    ],
)  # fmt: skip
def test_a_time_that_a_report_states_wrongly_is_a_warning(read, document, told):
    """The findings and checks count all the same."""
    said = read(json.dumps(document), "report.json", story_id="S-1")
    [signal] = said.signals
    assert "occurred_at" not in signal
    assert {"verified_by_ci", "build_success"} & signal.keys()
    assert [told in warning for warning in said.warnings if "the time" in warning] == [True] * bool(told)


def test_reviews_are_of_the_time_of_the_newest(read):
    """So that of two files the one with the newer reviews counts, whichever comes in first."""
    person = {"login": "dana", "type": "User"}
    asked = {"user": person, "state": "CHANGES_REQUESTED", "commit_id": "a", "author_association": "MEMBER"}
    reviews = [asked | {"id": n, "submitted_at": f"2026-01-0{n}T10:00:00Z"} for n in (2, 1)]
    [signal] = read(json.dumps(reviews), "reviews.json", story_id="S-1").signals
    assert (signal["pr_review_cycles"], signal["occurred_at"]) == (1, datetime(2026, 1, 2, 10, tzinfo=UTC))
