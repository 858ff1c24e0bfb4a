"""Can a reviewer work through the queue from a terminal?"""

from tests.trust_by_hand import csv_of
from tests.trust_by_hand import run as scored


def test_the_review_queue_from_the_terminal(run, tmp_path):
    """Two of three are drawn: one is rated with its chance, one skipped, and what is left is given back."""
    (tmp_path / "runs.csv").write_text(csv_of(scored(f"S-{place}", "m", verifier=8) for place in range(3)))
    run("ingest", str(tmp_path / "runs.csv"))
    drawn = run("review", "draw", "--count", "2", "--model", "m")
    assert drawn.out == "Drawn: 2. Open for dana: 2. See `review queue`.\n"
    first, second = run("review", "queue", "--json").json["queue"]
    assert (first["pool"], second["pool"], second["probability"]) == (3, 2, 0.5)
    assert first["story_id"] in run("review", "queue").out
    rated = run("score", "add", second["story_id"], "6", "--run", second["run_id"], "--json").json
    assert (rated["row"]["review_reason"], rated["row"]["review_probability"]) == ("queue", 0.5)
    assert run("review", "skip", first["draw_id"]).out == "Skipped. Open for dana: 0.\n"
    assert run("review", "skip", first["draw_id"]).code == 2
    run("review", "draw", "--count", "1")
    assert run("review", "give-back").out == "Given back: 1.\n"
    counted = run("review", "queue", "--json").json
    assert counted["all"] == {"drawn": 3, "rated": 1, "skipped": 1, "given_back": 1, "expired": 0, "left": 0}
    assert counted["team"]["skipped_share"] == 0.5
