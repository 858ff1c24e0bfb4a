"""Rating from a terminal: what is stored, what is refused, and in which words."""

import pytest

ALLOWED = "give a number from 0 to 10, decimals allowed"


def test_a_rating_is_stored_and_the_answer_names_the_run(process):
    """The run, the reviewer and the row as it stands now are in the one JSON document."""
    done = process("score", "add", "S-1", "8.5", "--note", "clean\nsmall", "--create", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["created"] is True
    assert done.json["run"].items() >= {"story_id": "S-1", "agent": "unknown", "attempt": 1}.items()
    assert done.json["row"].items() >= {"quality": 8.5, "reviewer": "dana", "note": "clean\nsmall"}.items()
    assert done.json["row"]["ts"].endswith("Z")


def test_people_read_which_run_was_rated(run):
    """Without --json the answer is a sentence with the run and its score."""
    done = run("score", "add", "S-1", "9", "--create", "--agent", "builder", "--model", "gpt-5")
    assert "Stored 9.0 by dana for S-1, run " in done.out
    assert "(builder / gpt-5 / attempt 1). A new run was started." in done.out
    assert "Its score is 9.0 now, from human." in done.out


@pytest.mark.parametrize("typed", ["-3", "-0.5", "10.01", "85", "1e3"])
def test_a_rating_out_of_range_is_refused_with_what_is_allowed(run, ledger_path, typed):
    """A negative number reaches the check, rather than being taken for an option."""
    done = run("score", "add", "S-1", typed, "--create")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: rating {typed}: out of range: {ALLOWED}\n"
    assert not ledger_path.exists()


@pytest.mark.parametrize("typed", ["NaN", "inf", "-inf", "good", "8/10", "", "٩", "1_0"])
def test_a_rating_that_is_no_number_is_refused(run, typed):
    """Text, NaN and infinity are never guessed at."""
    done = run("score", "add", "S-1", typed, "--create")
    assert done.code == 2
    assert done.err.startswith(f"error: rating {typed}: not a number: {ALLOWED}".replace("  ", " "))


def test_a_decimal_comma_is_answered_with_the_point(run):
    """7,5 is not 75 and not 7."""
    assert "Write 7.5" in run("score", "add", "S-1", "7,5", "--create").err


def test_an_unknown_story_suggests_near_ids_and_create(run, process):
    """A typo does not start a story."""
    run("score", "add", "STORY-12", "7", "--create")
    done = process("score", "add", "STORY-21", "7")
    assert done.code == 2
    assert done.err == (
        "error: STORY-21: no such story. Did you mean: STORY-12? Use --create to start it with this rating\n"
    )


def test_undo_withdraws_the_latest_rating_of_that_reviewer(run):
    """Dana's 4 goes, her 9 counts again; eli's later rating is not touched."""
    for rating in ("9", "4"):
        run("score", "add", "S-1", rating, "--create")
    done = run("score", "undo", "S-1", "--json")
    assert (done.json["reviewer"], done.json["rating"]) == ("dana", 4.0)
    assert done.json["row"]["quality"] == 9.0


def test_undo_of_anothers_rating_needs_force_and_says_who_did_it(run):
    """Without --force nothing is withdrawn; with it the history names both."""
    run("score", "add", "S-1", "9", "--create")
    refused = run("score", "undo", "S-1", "--reviewer", "eli", QUALITY_REVIEWER="eli")
    assert refused.code == 2
    assert "the latest is by dana: name that reviewer, or use --force" in refused.err
    assert run("score", "undo", "S-1", "--force", QUALITY_REVIEWER="eli").code == 0
    (override,) = run("show", "S-1", "--json").json["runs"][0]["overrides"]
    assert (override["reviewer"], override["withdrawn_by"]) == ("dana", "eli")


def test_attest_states_the_model_of_an_unknown_run(run):
    """The original is kept, an attestation can be corrected, and a recorded model cannot be attested."""
    run("score", "add", "S-1", "9", "--create")
    done = run("score", "attest", "S-1", "--model", "gpt-5", "--json")
    assert (done.json["original"], done.json["row"]["model_version"]) == ("unknown", "gpt-5")
    again = run("score", "attest", "S-1", "--model", "gpt-4", "--json")
    assert (again.code, again.json["row"]["model_version"]) == (0, "gpt-4")
    run("score", "add", "S-2", "9", "--create", "--model", "gpt-5")
    recorded = run("score", "attest", "S-2", "--model", "gpt-4")
    assert recorded.code == 2
    assert "its model is recorded as gpt-5" in recorded.err


def test_list_takes_filters_and_pages(run):
    """The filters hold together, and the total is that of all pages."""
    for story, rating in (("A-1", "3"), ("A-2", "8"), ("B-1", "9")):
        run("score", "add", story, rating, "--create")
    done = run("score", "list", "--text", "a-", "--tier", "human", "--limit", "1", "--json")
    assert done.json["total"] == 2
    assert [row["story_id"] for row in done.json["rows"]] == ["A-2"]
    rest = run("score", "list", "--text", "a-", "--limit", "1", "--offset", "1", "--json")
    assert [row["story_id"] for row in rest.json["rows"]] == ["A-1"]
    assert run("score", "list", "--since", "2999-01-01T00:00Z", "--json").json["rows"] == []


def test_a_time_without_a_zone_is_taken_as_utc_and_said_so(run):
    """On stderr, so that the document stays alone on stdout."""
    run("score", "add", "S-1", "9", "--create")
    done = run("score", "list", "--until", "2999-01-01", "--json")
    assert done.json["total"] == 1
    assert done.err == "note: --until 2999-01-01 has no time zone: taken as UTC\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("score", "list", "--tier", "robot"), "tier = 'robot': Input should be 'auto', 'verifier' or 'human'"),
        (("score", "list", "--since", "soon"), "--since soon: not a time: give ISO 8601"),
        (("score", "add", "S-1", "9", "--nte", "x"), "No such option: --nte"),
        (("score", "add", "S-1"), "Missing argument"),
        (("score", "add", "S-1", "9", "--run", "x", "--agent", "y"), "--run names the run"),
        (("scor",), "No such command 'scor'"),
        (("score", "add", "S-1", "9", "--reviewer", "", "--create"), "reviewer = ''"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(run, arguments, reason):
    """With --json the same text is the one document."""
    done = run(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert reason in done.err
    assert done.err.count("\n") == 1
    asked = run(*arguments, "--json")
    assert (asked.code, asked.json["exit_code"]) == (2, 2)
    assert asked.json["error"] in asked.err


def test_a_note_is_shown_as_text(run):
    """Other people's text neither acts on the terminal nor as markup."""
    run("score", "add", "S-1", "9", "--create", "--note", "[red]\x1b[31mboo[/red]")
    done = run("show", "S-1")
    assert "[red][31mboo[/red]" in done.out
    assert "\x1b" not in done.out


def test_a_review_list_from_the_terminal(run):
    """Two stories are put on it, one is rated, one taken off; a filter and `review list` tell the same."""
    for story in ("S-1", "S-2"):
        run("score", "add", story, "7", "--create")
    assert run("review", "add", "S-1", "S-2", "--why", "new model").out == (
        "Put on the review list: 2. Waiting now: 2.\n"
    )
    waiting = run("review", "list", "--json").json
    assert [(row["story_id"], row["why"]) for row in waiting["rows"]] == [("S-1", "new model"), ("S-2", "new model")]
    assert "new model" in run("review", "list").out
    run("score", "add", "S-1", "5")
    found = run("score", "list", "--on-review-list", "--tier", "auto", "--tier", "human", "--json").json
    assert [row["story_id"] for row in found["rows"]] == ["S-2"]
    again = run("review", "add", "S-2", "--run", found["rows"][0]["run_id"])
    assert again.out == "Put on the review list: 0. 1 waited already. Waiting now: 1.\n"
    assert run("review", "remove", "S-2").out == "Taken off the review list: 1. Waiting now: 0.\n"
    assert run("review", "add").code == 2
