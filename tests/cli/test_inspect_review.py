"""`inspect` reads a verifier's review before anybody has said which story it is about."""

REVIEW = "Sound.\n\n# synlynk-meta\nquality=8/10\ncorrect=true\nrework_needed=false\nverifier_model=gemini-2.5-pro\n"


def test_a_review_without_a_story_shows_its_verdict_and_says_what_ingest_will_need(run, tmp_path):
    (tmp_path / "review.txt").write_text(REVIEW)
    done = run("inspect", "review.txt", "--json")
    verdict = done.json["verdicts"][0]
    assert (done.code, done.json["format"], done.json["rejects"]) == (0, "verifier review", [])
    assert (verdict["quality"], verdict["raw"], verdict["verifier_model"]) == (8, "8/10", "gemini-2.5-pro")
    assert verdict["story_id"] is None
    assert done.json["warnings"] == ["it does not say which story it is about: ingest it with --story"]


def test_with_a_story_the_verdict_names_it(run, tmp_path):
    (tmp_path / "review.txt").write_text(REVIEW)
    done = run("inspect", "review.txt", "--story", "S-1", "--json")
    assert done.json["verdicts"][0]["story_id"] == "S-1"
    assert done.json["warnings"] == []


def test_ingest_still_refuses_a_review_that_names_no_story(run, tmp_path):
    (tmp_path / "review.txt").write_text(REVIEW)
    done = run("ingest", "review.txt", "--json")
    assert done.code == 1
    assert "name it with --story" in done.json["files"][0]["rejects"][0]["reason"]
