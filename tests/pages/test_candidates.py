"""Does the Candidates screen check, rank, store and open what was dropped, and suppose by the ranking's own call?

The three candidates by the plain heuristic: docs 4 + 4 + 2 · 0.5 + 0.5 = 9.5, accepted; flow 4 + 1.5 − 2 = 3.5, rejected;
misc counts as other, 4 + 0.5 − 2 − 2.5 = 0, rejected.
"""

import json

import pytest

from quality.candidate_input import read_candidates
from quality.candidate_ranking import rank
from quality.ledger.rankings_reading import ranking_file
from quality.ranking_commands import ListRankings, StoreRanking
from quality.settings import CandidateSettings, Settings
from tests.pages.conftest import HOSTILE, texts

CANDIDATES = [
    {"id": "docs", "category": "docs", "risk_level": "low", "executor_support": True, "source_refs": ["a", "b"],
     "title": HOSTILE, "target_path": "minutes/SKILL.md"},
    {"id": "flow", "category": "workflow", "risk_level": "medium"},
    {"id": "misc", "category": "misc", "risk_level": "huge", "target_path": "trading/SKILL.md"},
]  # fmt: skip
FILE = json.dumps({"run_id": "run-1", "target": {"path": "skills"}, "candidates": CANDIDATES}).encode()
NAME = "<b>cands</b>.json"


def ranked(content=FILE, source=NAME, **how):
    read = read_candidates(content)
    return rank(read.file, source=source, sha256=read.sha256, **how)


@pytest.fixture
def stored(empty):
    """Store a ranking of the three: its id."""
    return lambda **how: empty.execute(StoreRanking(actor="ci", ranking=ranked(**how))).ranking_id


def dropped(page, content=FILE, name=NAME):
    page.file_uploader[0].set_value([(name, content, "application/json")]).run()
    assert not page.exception
    return page


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def badges(page):
    return [element.value for element in page.markdown if "badge[" in element.value]


def table_of(page, column):
    return next(shown.value for shown in page.dataframe if column in shown.value)


def test_an_empty_ledger_says_how_rankings_get_in(empty, open_page):
    page = open_page("candidates")
    assert "No rankings yet" in [heading.value for heading in page.subheader]
    assert page.code[0].value == "python -m quality discriminate --input candidates.json --panel --store"
    assert [button.label for button in page.button] == []


def test_a_file_at_fault_is_told_with_every_fault_and_cannot_be_ranked(empty, open_page):
    """A line each, with the candidate's id; nothing is stored."""
    faulty = FILE.replace(b'"medium"', b"7").replace(b'"id": "misc"', b'"id": "docs"')
    page = dropped(open_page("candidates"), faulty)
    assert page.error[0].value == "These candidates cannot be ranked. Nothing was stored."
    assert page.code[0].value.splitlines() == [
        "candidate 'flow': risk_level = 7: Input should be a valid string",
        "candidate 'docs': the id is there 2 times: give each candidate its own",
    ]
    assert "rank_candidates" not in [button.key for button in page.button]


def test_dropped_ranked_and_stored_when_the_person_says_so(empty, open_page):
    """Best first with recommendation and blockers in words; the file's name is text; then it has an id in the URL."""
    page = dropped(open_page("candidates", reviewer_name="dana"))
    assert {NAME, "Improvement run run-1", "Target skills"} <= set(texts(page))
    page.button("rank_candidates").click().run()
    assert metrics(page) == {"Candidates": "3", "Accepted": "1", "Held": "0", "Rejected": "2"}
    rows = table_of(page, "blockers")
    assert rows["candidate_score"].tolist() == [9.5, 3.5, 0.0]
    assert rows["recommendation"].tolist() == ["accept for execution", "reject", "reject"]
    assert rows["blockers"].tolist() == [
        "none",
        "The executor cannot carry this change out. Only docs, reference and guardrail may be carried out without a human. "
        "The risk is medium.",
        "The target is a protected path: a human decides. The executor cannot carry this change out. Only docs, reference and "
        "guardrail may be carried out without a human. The risk is huge.",
    ]
    assert empty.ask(ListRankings())["total"] == 0
    page.button("store_ranking").click().run()
    (kept,) = empty.ask(ListRankings())["rankings"]
    assert (page.query_params["ranking"], kept["actor"]) == (kept["ranking_id"], "dana")
    assert "store_ranking" not in [button.key for button in page.button]


def test_what_is_downloaded_is_what_the_command_line_writes(empty, open_page):
    """The same input by the same call: only the time differs; after it is stored the bytes stay the same."""
    page = dropped(open_page("candidates", reviewer_name="dana"))
    page.button("rank_candidates").click().run()
    made = page.session_state["candidates_ranking"]
    assert made.file() == ranked().model_copy(update={"created_at": made.head.created_at}).to_json()
    page.button("store_ranking").click().run()
    assert ranking_file(empty.store, page.query_params["ranking"]) == made.file()


def test_a_ranking_in_hand_is_filtered_and_opened_like_a_stored_one(stored, open_page):
    """By recommendation, category and risk as they count, from the URL."""
    for how in ({"url:ranking": stored()}, {}):
        page = open_page("candidates", **how)
        if not how:
            dropped(page).button("rank_candidates").click().run()
        page.multiselect("candidates-recommended").set_value(["reject"]).run()
        assert table_of(page, "blockers")["candidate_id"].tolist() == ["flow", "misc"]
        page.multiselect("candidates-of_category").set_value(["other"]).run()
        assert table_of(page, "blockers")["candidate_place"].tolist() == [3]
        page.multiselect("candidates-at_risk").set_value(["low"]).run()
        assert "Nothing fits these filters" in [heading.value for heading in page.subheader]


def test_a_candidate_opens_to_its_score_and_a_supposed_one(stored, open_page):
    """9.5; at high risk without executor and references 4 + 4 − 4.5 = 3.5, rejected. Its title is text."""
    page = open_page("candidates", **{"url:ranking": stored(), "url:candidate": "docs"})
    assert (metrics(page)["Score"], metrics(page)["Score it would have"]) == ("9.50", "9.50")
    assert HOSTILE in texts(page)
    key = page.selectbox[0].key.removesuffix("-risk")
    page.selectbox(f"{key}-risk").set_value("high")
    page.number_input(f"{key}-refs").set_value(0)
    page.toggle(f"{key}-executor").set_value(False).run()
    shown = next(metric for metric in page.metric if metric.label == "Score it would have")
    assert (shown.value, shown.delta) == ("3.50", "−6.00 against 9.50")
    assert "Recommendation: accept for execution → reject" in [caption.value for caption in page.caption]
    assert "• The risk is high." in texts(page)
    assert metrics(page)["Score"] == "9.50"


def test_a_panel_shows_four_reviewers_with_the_label(stored, open_page):
    """docs: 5 + 5.5 clamped to 10, 3 + 5.5 = 8.5, 9.5, 2 + 5.5 = 7.5; mean 8.875, by its binary value 8.88."""
    page = open_page("candidates", **{"url:ranking": stored(with_panel=True), "url:candidate": "docs"})
    found = metrics(page)
    names = ("Structural", "Conservative", "User advocate", "Security auditor", "Score")
    assert [found[name] for name in names] == ["10.00", "8.50", "9.50", "7.50", "8.88"]
    assert sum("CONSENSUS" in value for value in badges(page)) >= 2


def test_agreement_of_the_reviewers(stored, open_page):
    """docs and misc agree (four accept, four reject). flow: structural 4 + 2 − 2 = 4, hold; conservative 4 + 1 − 3 = 2;
    user advocate 4 + 4 − 1.6 = 6.4, hold; security auditor 4 + 0.5 − 4 = 0.5: 2–2, disputed. misc: user advocate
    4 + 0.5 − 3.6 = 0.9, the others 0. Spreads 2.5, 5.9 and 0.9: mean 3.1."""
    stored(with_panel=True)
    page = open_page("candidates")
    found = metrics(page)
    assert [found[name] for name in ("Panel rankings", "Reviewed", "CONSENSUS", "VERIFIED", "DISPUTED")] == [
        "1", "3", "67 %", "0 %", "33 %",
    ]  # fmt: skip
    assert (found["Mean spread"], found["Widest spread"]) == ("3.10", "5.90")
    rows = table_of(page, "panel_reviewer")
    assert rows["panel_reviewer"].tolist() == ["structural", "conservative", "user advocate", "security auditor"]
    assert rows["changed_without"].tolist() == [1, 0, 1, 0]


def test_a_mocked_judge_is_marked_and_its_dimensions_shown(empty, open_page):
    """One question a candidate; the answers are made up, and said to be."""
    page = dropped(open_page("candidates"))
    page.toggle("candidates_ask").set_value(True).run()
    page.selectbox("candidates_judge").set_value("scripted").run()
    assert any("3 questions" in caption.value for caption in page.caption)
    page.button("rank_candidates").click().run()
    page.session_state["job:candidates"].finished.wait(30) if "job:candidates" in page.session_state else None
    page.run()
    page.session_state["url:candidate"] = "docs"
    page.run()
    assert not page.exception
    assert any("no real judgement" in value for value in badges(page))
    assert {"clarity", "specificity", "consistency", "safety"} <= set(table_of(page, "clarity"))


def test_evidence_needs_a_configured_folder(empty, open_page, tmp_path):
    """Without one it cannot be chosen and the screen says why; with one a path that leads out is refused, with the id."""
    page = dropped(open_page("candidates"))
    assert page.toggle("candidates_evidence").disabled
    assert any("candidates.root" in caption.value for caption in page.caption)
    (tmp_path / "minutes").mkdir()
    (tmp_path / "minutes" / "SKILL.md").write_text("")
    empty.settings = Settings(candidates=CandidateSettings(root=tmp_path))
    page = dropped(open_page("candidates"))
    page.toggle("candidates_evidence").set_value(True).run()
    page.button("rank_candidates").click().run()
    page.session_state["url:candidate"] = "docs"
    page.run()
    assert any(caption.value.startswith("Level 1: skill md in the target's folder.") for caption in page.caption)
    page = dropped(open_page("candidates"), FILE.replace(b"minutes/SKILL.md", b"../../etc/passwd"))
    page.toggle("candidates_evidence").set_value(True).run()
    page.button("rank_candidates").click().run()
    assert page.error[0].value == "Not ranked. Nothing was stored."
    assert page.code[0].value.startswith("candidate 'docs': target_path = '../../etc/passwd': leads out of ")


@pytest.mark.parametrize("ranking", ["elsewhere", "in-hand"])
def test_a_link_to_a_ranking_that_is_not_here_says_so(empty, open_page, ranking):
    page = open_page("candidates", **{"url:ranking": ranking})
    assert page.error[0].value == "This ranking is not in the open ledger."


def test_a_link_to_a_candidate_that_is_not_there_says_so(stored, open_page):
    page = open_page("candidates", **{"url:ranking": stored(), "url:candidate": "gone"})
    assert page.error[0].value == "This candidate is not in the open ledger."
