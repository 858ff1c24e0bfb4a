"""A ranking of candidates is kept whole and once, found by what it is, and comes back byte for byte."""

import json
from datetime import UTC, datetime
from typing import get_args

import pytest
from pydantic import ValidationError

from quality.candidate_input import read_candidates
from quality.candidate_output import Verdict
from quality.candidate_ranking import rank
from quality.candidates import CATEGORIES, LEVELS
from quality.commands import ExportRows, ImportArtifact
from quality.errors import NotFound
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.ledger.rankings_reading import ranking_file
from quality.ranking_commands import (
    CandidateFilters,
    Category,
    Level,
    ListRankings,
    ReviewerAgreement,
    ShowRanking,
    StoreRanking,
)

CANDIDATES = [
    {"id": "docs", "category": "docs", "risk_level": "low", "executor_support": True, "source_refs": ["a", "b"],
     "title": "é **bold**", "note_of_mine": {"any": [1, None]}},
    {"id": "flow", "category": "workflow", "risk_level": "medium"},
    {"id": "misc", "category": "misc", "risk_level": "huge", "target_path": "skills/trading/SKILL.md"},
]  # fmt: skip
"""By the plain heuristic: docs 4 + 4 + 1 + 0.5 = 9.5, accepted; flow 4 + 1.5 − 2 = 3.5, rejected; misc counts as other,
4 + 0.5 − 2 − 2.5 = 0, rejected."""
NOON = datetime(2026, 3, 2, 12, 0, 0, 250_000, tzinfo=UTC)
FULL = ExportRows(format="jsonl", full=True)


def ranked(run_id="run-1", candidates=CANDIDATES, at=NOON, source="cands.json", **how):
    """A ranking of these candidates."""
    content = json.dumps({"run_id": run_id, "target": {"path": "skills/x"}, "candidates": candidates}).encode()
    read = read_candidates(content)
    return rank(read.file, source=source, sha256=read.sha256, **how).model_copy(update={"created_at": at})


@pytest.fixture
def keep(ledger):
    """Store a ranking: its id."""
    return lambda ranking, **more: ledger.execute(StoreRanking(actor="ci", ranking=ranking, **more)).ranking_id


def verdict(backend):
    scores = dict.fromkeys(("clarity", "specificity", "consistency", "safety"), 0.5)
    return Verdict(
        score=0.5, decision="conditional", dimensions=scores, backend_used=backend, model="m", prompt_version="v1"
    )


def test_the_categories_and_levels_of_a_question_are_those_of_the_model():
    assert (get_args(Category), get_args(Level)) == (CATEGORIES, LEVELS)


def test_a_ranking_comes_back_byte_for_byte(ledger, keep):
    """With its time, its input, the fields that a candidate came with, and the panel."""
    made = ranked(with_panel=True)
    assert ranking_file(ledger.store, keep(made)) == made.to_json()


def test_the_same_ranking_stored_twice_is_one(ledger, keep):
    """At another time, and from the same bytes under another name; the first stands."""
    first = keep(ranked())
    again = ledger.execute(StoreRanking(actor="dana", ranking=ranked(at=None, source="elsewhere/cands.json")))
    assert (again.ranking_id, again.status, again.candidates) == (first, "known", 3)
    assert ledger.ask(ListRankings())["total"] == 1


@pytest.mark.parametrize("other", [{"with_panel": True}, {"run_id": "run-2"}, {"candidates": CANDIDATES[:2]}])
def test_another_mode_run_or_input_is_another_ranking(ledger, keep, other):
    assert keep(ranked()) != keep(ranked(**other))


def test_other_protected_paths_are_another_ranking(keep):
    """Even where no candidate is touched by them: what it was made with is part of it."""
    assert keep(ranked()) != keep(ranked(), protected_paths=())


def test_the_list_says_what_was_ranked_how_and_what_came_out(ledger, keep):
    """Latest first, of one run where it is asked for."""
    keep(ranked())
    keep(ranked("run-2", with_panel=True, verdicts=[[verdict("mock")] * 4] * 3, judge=None))
    found = ledger.ask(ListRankings())
    assert [row["candidate_run"] for row in found["rankings"]] == ["run-2", "run-1"]
    row = ledger.ask(ListRankings(candidate_run="run-1"))["rankings"][0]
    assert (row["candidates"], row["accepted"], row["held"], row["rejected"]) == (3, 1, 0, 2)
    assert (row["critic_mode"], row["panel"], row["evidence"], row["backend_used"]) == (
        "heuristic-only",
        False,
        False,
        None,
    )
    assert (row["source"], row["occurred_at"], row["actor"]) == ("cands.json", NOON, "ci")


@pytest.mark.parametrize(
    ("filters", "places"),
    [
        ({}, [1, 2, 3]),
        ({"recommendation": ["reject"]}, [2, 3]),
        ({"category": ["other"]}, [3]),
        ({"risk": ["medium", "low"]}, [1, 2]),
        ({"recommendation": ["reject"], "risk": ["other"]}, [3]),
        ({"label": ["CONSENSUS"]}, []),
        ({"candidate": "flow"}, [2]),
        ({"category": []}, []),
    ],
)
def test_candidates_are_found_by_what_counts_of_them(ledger, keep, filters, places):
    """A category or level that is not known is other; a missing level is medium; places are those of the whole ranking."""
    found = ledger.ask(ShowRanking(ranking_id=keep(ranked()), filters=CandidateFilters(**filters)))
    assert (found["places"], found["total"]) == (places, len(places))
    assert [one["id"] for one in found["ranking"]["scored_candidates"]] == [
        ["docs", "flow", "misc"][place - 1] for place in places
    ]


def test_a_page_of_candidates_says_how_many_fit(ledger, keep):
    found = ledger.ask(ShowRanking(ranking_id=keep(ranked()), limit=1, offset=1))
    assert (found["places"], found["total"]) == ([2], 3)


@pytest.mark.parametrize("named", ["nothing", "018f0000-0000-7000-8000-000000000000"])
def test_an_id_that_is_not_here_is_said_so(ledger, named):
    with pytest.raises(NotFound, match="no such ranking"):
        ledger.ask(ShowRanking(ranking_id=named))
    with pytest.raises(NotFound, match="no such ranking"):
        ranking_file(ledger.store, named)


def test_too_many_candidates_are_refused(monkeypatch):
    """Before anything is stored, with what to do."""
    monkeypatch.setattr("quality.ranking_commands.MOST_CANDIDATES", 2)
    with pytest.raises(ValidationError, match="3 candidates: at most 2 of one ranking are stored, split the input"):
        StoreRanking(actor="ci", ranking=ranked())


def test_the_audit_does_not_repeat_the_candidates(ledger, keep):
    keep(ranked())
    (entry,) = ledger.store.rows("SELECT request FROM audit")
    assert "é **bold**" not in entry["request"]
    assert json.loads(entry["request"])["ranking"]["run_id"] == "run-1"


def test_agreement_is_over_the_latest_panel_ranking_of_each_run(ledger, keep):
    """docs: all four accept, CONSENSUS. flow by structural 4+2−2 = 4 hold, conservative 4+1−3 = 2 reject, user advocate
    4+4−1.6 = 6.4 hold, security auditor 4+0.5−4 = 0.5 reject: 2–2, DISPUTED, hold; without structural or the user
    advocate 1–2, reject; without one of the others 2–1, hold. Spread 6.4 − 0.5 = 5.9."""
    keep(ranked(candidates=CANDIDATES[:1], with_panel=True))
    keep(ranked(candidates=CANDIDATES[:2], with_panel=True))
    keep(ranked(candidates=CANDIDATES))
    found = ledger.ask(ReviewerAgreement())
    assert (found["rankings"], found["candidates"], found["simulated"]) == (1, 2, 0)
    assert {name: share["n"] for name, share in found["labels"].items()} == {
        "CONSENSUS": 1,
        "VERIFIED": 0,
        "DISPUTED": 1,
    }
    assert found["labels"]["CONSENSUS"]["share"] == 0.5
    by_name = {one["reviewer"]: one for one in found["reviewers"]}
    assert {name: one["without"]["n"] for name, one in by_name.items()} == {
        "structural": 1, "conservative": 0, "user_advocate": 1, "security_auditor": 0,
    }  # fmt: skip
    assert {name: one["agrees"]["n"] for name, one in by_name.items()} == {
        "structural": 2, "conservative": 1, "user_advocate": 2, "security_auditor": 1,
    }  # fmt: skip
    # docs: 10 (5+4+1.5 clamped), 8.5, 9.5, 7.5: spread 2.5; structural's mean (10 + 4) / 2 = 7.
    assert found["spread"] == {"mean": pytest.approx((2.5 + 5.9) / 2), "most": pytest.approx(5.9)}
    assert by_name["structural"]["mean_score"] == 7.0


def test_agreement_leaves_out_what_the_mock_judged_and_says_how_many(ledger, keep):
    made = ranked(with_panel=True, verdicts=[[verdict("mock")] * 4] * 3)
    keep(made.model_copy(update={"backend_used": "mock"}))
    found = ledger.ask(ReviewerAgreement())
    assert (found["rankings"], found["candidates"], found["simulated"]) == (0, 0, 1)
    assert found["labels"]["CONSENSUS"] == {"n": 0, "share": None, "low": None, "high": None}
    assert found["spread"] == {"mean": None, "most": None}


def test_rankings_survive_a_full_export(ledger, keep, tmp_path):
    """Same ids, places and bytes; again it adds nothing, and the same ranking under another id is not doubled."""
    ranking_id = keep(ranked(with_panel=True))
    keep(ranked("run-2"))
    export_rows(ledger.store, FULL, tmp_path / "full.jsonl")
    with Ledger(tmp_path / "second.duckdb") as second:
        own = second.execute(StoreRanking(actor="eli", ranking=ranked("run-2"))).ranking_id
        restore = ImportArtifact(actor="eli", path=str(tmp_path / "full.jsonl"))
        answer = second.execute(restore)
        assert (answer.counts["rankings"], answer.counts["rejects"]) == (1, 0)
        assert ranking_file(second.store, ranking_id) == ranking_file(ledger.store, ranking_id)
        listed = second.ask(ListRankings())["rankings"]
        assert {row["ranking_id"] for row in listed} == {ranking_id, own}
        assert second.store.rows("SELECT count(*) AS n FROM ranked_candidates")[0]["n"] == 6
    with Ledger(tmp_path / "third.duckdb") as third:
        third.execute(restore)
        tables = ("rankings", "ranked_candidates")
        assert [third.store.rows(f"FROM {name}") for name in tables] == [
            ledger.store.rows(f"FROM {name}") for name in tables
        ]


def test_a_line_of_a_ranking_that_does_not_fit_is_a_reject(ledger, keep, tmp_path):
    """A score over 10, and a document that is not a candidate; the rest is restored."""
    keep(ranked())
    export_rows(ledger.store, FULL, tmp_path / "full.jsonl")
    lines = (tmp_path / "full.jsonl").read_text(encoding="utf-8").splitlines()
    place = next(n for n, line in enumerate(lines) if '"ranked_candidates"' in line and '"line":1,' in line)
    lines[place] = lines[place].replace('"score":9.5', '"score":95', 1)
    lines[place + 1] = json.dumps(json.loads(lines[place + 1]) | {"document": '{"id": "flow"}'})
    (tmp_path / "broken.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(tmp_path / "broken.jsonl")))
        assert answer.counts["rejects"] == 2
        assert [reject.line for reject in answer.rejects] == [place + 1, place + 2]
        assert second.store.rows("SELECT count(*) AS n FROM ranked_candidates")[0]["n"] == 1
