"""Rating-shaped rows: one rating a row, to the tier that the source names."""

import pytest

HEADER = "id,story_id,model,source,quality,rater,verifier_model,note,ts\n"


def test_quality_goes_to_the_tier_that_the_source_names(read):
    said = read(HEADER + "a,S-1,m1,human,7.5,dana,,good,2026-08-01T10:00:00Z\nb,S-1,m1,Verifier,8/10,,judge-1,ok,\n")
    (override,), (verdict,) = said.overrides, said.verdicts
    assert (override["source_id"], override["quality"], override["reviewer"], override["note"]) == (
        "a",
        7.5,
        "dana",
        "good",
    )
    assert override["occurred_at"].isoformat() == "2026-08-01T10:00:00+00:00"
    assert (verdict["quality"], verdict["raw"], verdict["verifier_model"], verdict["note"]) == (
        8.0,
        "8/10",
        "judge-1",
        "ok",
    )
    assert "occurred_at" not in verdict


def test_every_part_of_the_run_is_stated_by_the_row_the_caller_or_unknown(read):
    text = "story_id,source,quality,agent\nS-1,human,7,codex\nS-2,human,7,\n"
    assert [(r["agent"], r["model_version"], r["attempt"]) for r in read(text).runs] == [
        ("codex", "unknown", 1), ("unknown", "unknown", 1),
    ]  # fmt: skip
    said = read(text, agent="agy", model_version="m", attempt=2)
    assert [(r["agent"], r["model_version"], r["attempt"]) for r in said.runs] == [
        ("codex", "m", 2), ("agy", "m", 2),
    ]  # fmt: skip


def test_a_rater_is_the_reviewer_or_the_verifier_agent(read):
    said = read(HEADER + "a,S,m,human,7,dana,,,\nb,S,m,verifier,7,agy,,,\nc,S,m,verifier,7,agy,judge-1,,\n")
    assert said.overrides[0]["reviewer"] == "dana"
    assert [v.get("verifier_agent") for v in said.verdicts] == ["agy", None]
    assert said.runs[2]["attributes"] == '{"rater": "agy"}'


@pytest.mark.parametrize("rating", ["85", "-3", "NaN", "9.2e+24", "Score: 3", "8/5"])
def test_a_rating_off_the_scale_is_a_reject_and_the_row_says_nothing(read, rating):
    said = read(HEADER + f"a,S-1,m,human,{rating},,,,\nb,S-2,m,human,6,,,,\n")
    assert said.reasons == [(2, "quality", rating)]
    assert "0 to 10" in said.rejects[0]["reason"]
    assert [r["story_id"] for r in said.runs] == ["S-2"]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ("a,S,m,auto,7,,,,", "source", "auto is computed from signals"),
        ("a,S,m,robot,7,,,,", "source", "human or verifier"),
        ("a,S,m,,7,,,,", "source", "human or verifier"),
        ("a,S,m,human,,,,,", "quality", "the rating is empty"),
        ("a,S,m,human,7,,,,yesterday", "ts", "ISO 8601"),
        ("a,,m,human,7,,,,", "story_id", "not named"),
        ("a, ,m,human,7,,,,", "story_id", "not named"),
    ],
)
def test_a_row_that_cannot_be_used_is_one_reject_with_the_reason(read, row, field, reason):
    said = read(HEADER + row + "\n")
    (reject,) = said.rejects
    assert (reject["line"], reject["field"]) == (2, field)
    assert reason in reject["reason"]
    assert not said.runs


def test_flags_and_probabilities_stand_or_fall_alone(read):
    said = read(
        "story_id,source,quality,rework_needed,correct,review_reason,review_probability\n"
        "S-1,human,7,yes,maybe,random,0.25\nS-2,human,8,,true,because,1.5\n"
    )
    assert [(o["quality"], o.get("rework"), o.get("correct"), o.get("review_reason"), o.get("review_probability"))
            for o in said.overrides] == [(7.0, True, None, "random", 0.25), (8.0, None, True, None, None)]  # fmt: skip
    assert said.reasons == [(2, "correct", "maybe"), (3, "review_reason", "because"), (3, "review_probability", "1.5")]


def test_unknown_columns_are_kept_and_unknown_coordinates_are_not_stated(read):
    said = read('story_id,source,quality,discipline,industry,mood,size\nS-1,human,7,python,unknown,"so ""so""",\n')
    assert said.runs[0]["attributes"] == '{"mood": "so \\"so\\""}'
    assert "industry" not in said.stories[0]
    assert said.stories[0]["discipline"] == "python"


def test_naive_times_are_counted_once_for_the_file(read):
    said = read(
        "story_id,source,quality,ts\nS-1,human,7,2026-08-01 10:00\nS-2,human,7,2026-08-01\nS-3,human,7,2026-08-01T10:00Z\n"
    )
    assert said.warnings == ["2 times state no zone and were taken as UTC: add an offset such as Z if they are not"]


def test_times_in_the_future_are_said(read):
    """A year mistyped would hold a rating above all that are given until then."""
    said = read("story_id,source,quality,ts\nS-1,human,7,2999-08-01T10:00:00Z\nS-2,human,7,2026-08-01T10:00:00Z\n")
    assert len(said.overrides) == 2
    assert said.warnings == [
        "1 times lie in the future: until then they count as the latest, before any rating given now: check year and zone"
    ]


def test_the_same_rating_again_is_one_and_its_revision_counts(ingest, rows, ledger, assets):
    """b21: r-1 three times, the latest 8; dana 6 and eli 9 at one time count as their mean 7.5, 3 apart."""
    answer = ingest(assets / "b21_duplicates.jsonl")
    assert (answer.status, answer.counts["verdicts"], answer.counts["overrides"], answer.counts["duplicates"]) == (
        "imported",
        2,
        2,
        1,
    )
    assert rows("quality_verifier, n_verifier, quality_human, n_human, reviewer, caveats") == [
        (8.0, 1, 7.5, 2, "dana; eli", ["raters_disagree", "unknown_model"][:1])
    ]
    assert ingest(assets / "b21_duplicates.jsonl").status == "unchanged"
    again = ingest((assets / "b21_duplicates.jsonl").read_bytes() + b"\n", name="again.jsonl")
    assert (again.counts["verdicts"], again.counts["overrides"], again.counts["duplicates"]) == (0, 0, 5)


def test_notes_and_titles_reach_the_ledger_intact(ingest, rows, assets):
    ingest(assets / "b19_multiline_notes.csv")
    assert rows("story_id, quality_human, note") == [
        ("S-1", 7.0, 'line one\r\nline two, with comma\n"quoted" and ; semicolon'), ("S-2", 4.0, "   "), ("S-3", 5.0, None),
    ]  # fmt: skip
