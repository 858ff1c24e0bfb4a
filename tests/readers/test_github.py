"""GitHub's JSON in every spelling: CI is verified only by success, and rounds are what people asked for between pushes."""

import json
from pathlib import Path

import pytest

from quality.readers.ci.checks import Check, Outcome, check_of, latest
from quality.readers.ci.reviews import Review, rounds_of

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "reviews_ci"


def run(name="build", conclusion="success", status="completed", **more):
    return {"name": name, "status": status, "conclusion": conclusion, **more}


def status(context="ci/x", state="success", **more):
    return {"context": context, "state": state, **more}


def review(login, state, commit=None, at=None, **more):
    return {"user": {"login": login, "type": "User"}, "state": state, "commit_id": commit, "submitted_at": at, **more}


@pytest.fixture
def signals(read):
    """`signals(content)` → verified_by_ci, pr_review_cycles, warnings."""

    def reads(content):
        if not isinstance(content, Path):
            content = content if isinstance(content, str) else json.dumps(content)
        said = read(content, name="github.json", story_id="S-1")
        assert said.format == "GitHub JSON"
        [signal] = said.signals
        return signal.get("verified_by_ci"), signal.get("pr_review_cycles"), said.warnings

    return reads


def test_a_successful_suite_is_ci_that_passed(read):
    """Its evidence is the conclusion."""
    said = read(ASSETS / "cs52_check_suite.json", story_id="S-1")
    assert said.signals[0]["verified_by_ci"] is True
    assert '"conclusion": "success"' in said.evidence[0]["text"]
    assert said.warnings[0] == "CI passed (1 check)"


def test_several_pull_requests_are_named_and_none_is_guessed(signals):
    """#8 success, #7 in progress, #6 failure beside neutral, #5 success: a run is about one of them."""
    passed, cycles, [warning] = signals(ASSETS / "cs53_checks.json")
    assert (passed, cycles) == (None, None)
    told = warning.split("give the file of one. ")[1].split("; ")
    assert [words.split(" (")[0] for words in told] == ["#8 CI passed", "#7 CI unknown", "#6 CI failed", "#5 CI passed"]


def test_a_dismissed_review_asks_for_nothing_and_approves_nothing(signals):
    passed, cycles, warnings = signals(ASSETS / "pr51_dismissed_event.json")
    assert (passed, cycles) == (None, None)
    assert warnings[0].startswith("reviews: 0 approvals, 0 changes requested")


@pytest.mark.parametrize(
    ("states", "passed"),
    [
        (["success"], True),
        (["success", "neutral", "skipped"], True),
        (["success", "failure"], False),
        (["success", "timed_out"], False),
        (["startup_failure"], False),
        (["error", "in_progress"], False),
        (["failure", "cancelled"], False),
        *((["success", state], None) for state in (
            "pending", "queued", "in_progress", "requested", "waiting", "expected", "cancelled", "stale", "action_required",
            "a word of tomorrow",
        )),
        (["cancelled"], None),
        (["neutral", "skipped"], None),
        ([], None),
    ],
)  # fmt: skip
def test_only_success_is_success(states, passed):
    """A failure decides at once; anything open or unknown leaves it unknown."""
    assert Outcome([Check("c", state) for state in states]).passed is passed
    assert Outcome([Check("c", state) for state in reversed(states)]).passed is passed


@pytest.mark.parametrize(
    ("item", "state"),
    [
        (run(), "success"),
        (run(conclusion=None, status="in_progress"), "in_progress"),
        (run(conclusion="success", status="queued"), "queued"),
        (run(conclusion=None), "open"),
        ({"__typename": "CheckRun", "name": "b", "status": "COMPLETED", "conclusion": "TIMED_OUT"}, "timed_out"),
        ({"__typename": "StatusContext", "context": "c", "state": "EXPECTED"}, "expected"),
        ({"name": "b", "state": "SUCCESS", "bucket": "pass"}, "success"),
        ({"name": "b", "conclusion": "", "status": "IN_PROGRESS"}, "in_progress"),
        ({"title": "no check"}, None),
    ],
)
def test_a_check_in_each_spelling(item, state):
    check = check_of(item)
    assert (check and check.state) == state


def test_a_rerun_replaces_the_run_before_it():
    """Failed at 10:00, passed at 11:00, whichever comes first in the file; another workflow's run of that name stays."""
    old = check_of(run(conclusion="failure", started_at="2026-08-01T10:00:00Z"))
    new = check_of(run(started_at="2026-08-01T11:00:00Z"))
    other = check_of(run(conclusion="failure", started_at="2026-08-01T09:00:00Z", workflowName="nightly"))
    assert Outcome(latest([old, new])).passed is Outcome(latest([new, old])).passed is True
    assert Outcome(latest([old, new, other])).passed is False


@pytest.mark.parametrize(
    ("content", "passed"),
    [
        ({"total_count": 2, "check_runs": [run(), run("lint", "neutral")]}, True),
        ({"total_count": 3, "check_runs": [run(), run("lint")]}, None),
        ({"total_count": 3, "check_runs": [run(conclusion="failure")]}, False),
        ({"total_count": 0, "check_runs": []}, None),
        ({"total_count": 1, "check_suites": [run(app={"name": "x"})]}, True),
        ({"state": "success", "statuses": [status(), status("b", "pending")], "sha": "a", "total_count": 2}, None),
        ({"total_count": 1, "workflow_runs": [run(head_branch="f", head_sha="a")]}, True),
        ({"jobs": [run(), run("b", "failure")]}, False),
        ({"jobs": [run()], "conclusion": "cancelled", "status": "completed"}, None),
        ([status(), status("b", "error")], False),
        ([{"name": "b", "state": "SUCCESS", "bucket": "pass"}, {"name": "c", "state": "SKIPPED", "bucket": "skipping"}], True),
        ({"action": "completed", "check_run": run(), "repository": {}}, True),
        ({"action": "completed", "workflow_run": run(conclusion="failure"), "repository": {}}, False),
        ({"state": "pending", "context": "c", "sha": "a", "repository": {}}, None),
        ({"statusCheckRollup": [run(), status()]}, True),
        ({"statusCheckRollup": []}, None),
        ({"statusCheckRollup": None, "number": 3}, None),
        ({"data": {"repository": {"pullRequest": {"number": 1, "commits": {"nodes": [
            {"commit": {"statusCheckRollup": {"state": "FAILURE"}}}, {"commit": {"statusCheckRollup": {"state": "SUCCESS"}}},
        ]}}}}}, True),
        ({"data": {"repository": {"object": {"statusCheckRollup": {"contexts": {
            "totalCount": 101, "pageInfo": {"hasNextPage": True}, "nodes": [run()],
        }}}}}}, None),
        ({
            "currentBranch": {"number": 1, "statusCheckRollup": [run()]},
            "createdBy": [{"number": 1, "statusCheckRollup": [run()]}],
        }, True),
        ({"number": 1, "statusCheckRollup": [run()], "state": "OPEN"}, True),
    ],
)  # fmt: skip
def test_ci_in_each_shape(signals, content, passed):
    """A list that is not whole passes nothing."""
    assert signals(content)[0] is passed


def test_a_branch_s_newest_commit_counts_and_several_branches_are_several_subjects(signals):
    old = run(conclusion="failure", headSha="a", headBranch="f", startedAt="2026-08-01T10:00:00Z")
    new = run(headSha="b", headBranch="f", startedAt="2026-08-02T10:00:00Z")
    assert signals([new, old])[0] is True
    passed, _, [warning] = signals([new, run(headSha="c", headBranch="g", startedAt="2026-08-02T10:00:00Z")])
    assert passed is None
    assert "f CI passed (1 check); g CI passed (1 check)" in warning


def test_what_was_said_of_an_open_pull_request_is_told(signals):
    assert "was open, not merged" in signals({"number": 1, "state": "OPEN", "statusCheckRollup": [run()]})[2][1]


ASKED, APPROVED, COMMENTED = "CHANGES_REQUESTED", "APPROVED", "COMMENTED"


@pytest.mark.parametrize(
    ("reviews", "cycles"),
    [
        ([review("dana", ASKED, "a"), review("dana", APPROVED, "b")], 1),
        ([review("dana", ASKED, "a"), review("eli", ASKED, "a")], 1),
        ([review("dana", ASKED, "a"), review("eli", ASKED, "b")], 2),
        ([review("dana", ASKED, "a"), review("dana", ASKED, "a")], 1),
        ([review("dana", APPROVED, "a")], 0),
        ([review("dana", COMMENTED, "a")], 0),
        ([review("dana", "DISMISSED", "a"), review("eli", APPROVED, "a")], 0),
        ([review("dana", "PENDING", "a")], None),
        ([review("dana", "DISMISSED", "a")], None),
        ([review("helper[bot]", ASKED, "a"), review("dana", APPROVED, "a")], 0),
        ([review("helper", ASKED, "a", user={"login": "helper", "type": "Bot"})], None),
        ([review("dana", "changes_requested", "a")], 1),
        (
            [review("dana", ASKED, None, "2026-08-01T10:00:00Z"), review("eli", ASKED, None, "2026-08-01T11:00:00Z"),
             review("dana", ASKED, None, "2026-08-02T10:00:00Z")],
            2,
        ),
    ],
)  # fmt: skip
def test_a_round_is_what_was_asked_between_two_pushes(signals, reviews, cycles):
    """REST: the commit tells the round; without commits it ends when somebody asks again."""
    assert signals(reviews)[1] == cycles


def graphql(login, state, typename="User", commit="a"):
    return {"author": {"login": login, "__typename": typename}, "state": state, "commit": {"oid": commit}}


@pytest.mark.parametrize(
    ("content", "cycles"),
    [
        ({"data": {"repository": {"pullRequest": {"number": 1, "author": {"login": "eli"}, "reviews": {"totalCount": 2, "nodes": [
            graphql("dana", ASKED), graphql("eli", COMMENTED),
        ]}}}}}, 1),
        ({"data": {"repository": {"pullRequest": {"number": 1, "reviews": {"edges": [{"node": graphql("dana", ASKED)}]}}}}}, 1),
        ({"number": 1, "reviews": {"totalCount": 9, "nodes": [graphql("dana", ASKED)]}}, 1),
        ({"number": 1, "reviews": {"totalCount": 9, "nodes": [graphql("dana", APPROVED)]}}, None),
        ({"number": 1, "latestReviews": [graphql("dana", ASKED)]}, 1),
        ({"number": 1, "latestReviews": [graphql("dana", APPROVED)]}, None),
        ({
            "number": 1, "latestReviews": [graphql("dana", APPROVED)],
            "reviews": [graphql("dana", ASKED), graphql("dana", APPROVED)],
        }, 1),
        ({"reviews": [{"author": {"login": "coderabbitai"}, "state": ASKED, "submittedAt": "2026-08-01T10:00:00Z"}]}, None),
        ({"reviews": [], "number": 4}, None),
        ({"action": "submitted", "review": review("dana", "changes_requested", "a"), "pull_request": {"number": 2}}, 1),
        ({"action": "submitted", "review": review("dana", "approved", "a"), "pull_request": {"number": 2}}, None),
        ({"event": "pull_request_review", "payload": {"review": review("dana", ASKED, "a"), "pull_request": {"number": 2}}}, 1),
        ({"id": 5, "request": {"headers": {}, "payload": {"review": review("dana", ASKED, "a"), "pull_request": {}}}}, 1),
        ([{"payload": {"review": review("dana", ASKED, at, id=at), "pull_request": {"number": 2}}} for at in "ab"], 2),
        ({"author": {"login": "dana"}, "reviews": [graphql("Dana", ASKED)]}, None),
    ],
)  # fmt: skip
def test_reviews_in_each_shape(signals, content, cycles):
    """A file that holds only some reviews tells at least how many rounds asked, and never that none did."""
    assert signals(content)[1] == cycles


def test_events_of_one_pull_request_are_put_together(signals):
    """Asked on a, asked again on b, then the first is dismissed: one round stands."""
    pull = {"number": 2, "user": {"login": "eli"}}
    events = [
        {"action": "submitted", "review": review("dana", "changes_requested", "a", id=1), "pull_request": pull},
        {"action": "submitted", "review": review("dana", "changes_requested", "b", id=2), "pull_request": pull},
        {"action": "dismissed", "review": review("dana", "dismissed", "a", id=1), "pull_request": pull},
    ]
    assert signals("\n".join(map(json.dumps, events)))[1] == 1
    assert signals(events)[1] == 1


def test_pages_printed_one_after_the_other_are_one_list(signals):
    """`gh api --paginate` prints an array a page; each review names its pull request."""
    url = "https://api.github.com/repos/o/r/pulls/2"
    pages = [[review("dana", ASKED, commit, pull_request_url=url)] for commit in "ab"]
    assert signals("".join(map(json.dumps, pages)))[1] == 2
    other = [review("eli", ASKED, "c", pull_request_url=url.replace("/2", "/3"))]
    assert "#2 reviews" in signals(pages[0] + other)[2][0]


def test_checks_and_reviews_of_one_file_are_both_read(signals):
    content = {
        "number": 1,
        "author": {"login": "eli"},
        "statusCheckRollup": [run()],
        "reviews": [graphql("dana", ASKED)],
    }
    assert signals(content)[:2] == (True, 1)


def test_nobody_s_review_is_unknown_and_not_0():
    """0 rounds would be 10 points for a pull request that nobody looked at."""
    assert rounds_of([], "").people == 0
    assert rounds_of([Review("eli", "commented")], "eli").people == 0


def test_other_json_is_not_githubs(read):
    for content in (
        '{"reviews": [{"stars": 5}]}',
        '[{"state": "open", "user": "x"}]',
        '{"jobs": []}',
        '{"state": "success"}',
    ):
        assert read(content, story_id="S-1").format != "GitHub JSON"


def test_a_run_is_needed(ingest, rows):
    answer = ingest(ASSETS / "cs52_check_suite.json")
    assert "--story" in answer.rejects[0].reason
    answer = ingest(ASSETS / "cs52_check_suite.json", story_id="S-1", agent="codex", model_version="m1")
    assert (answer.status, rows("verified_by_ci, quality_auto")) == ("imported", [(True, 10.0)])
    assert (
        ingest(ASSETS / "cs52_check_suite.json", story_id="S-1", agent="codex", model_version="m1").status
        == "unchanged"
    )
