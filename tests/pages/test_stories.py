"""Does a run open to what is behind its score, and is a rating stored before the page says so?"""

import pytest

from quality.commands import AddRating, AttestModel, UndoRating
from tests.pages.conftest import HOSTILE, NOON, texts


def table(page, column):
    """The table that has this column."""
    return next(frame.value for frame in page.dataframe if column in frame.value.columns)


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def widget(page, kind, name):
    """The form's widget: its key is the name and the draft."""
    return next(found for found in getattr(page, kind) if (found.key or "").startswith(f"{name}-"))


def save(page, **values):
    """Fill the form and press Save."""
    kinds = {"rating": "number_input", "note": "text_area"}
    for name, value in values.items():
        widget(page, kinds[name], name).set_value(value)
    return widget(page, "button", "save").click().run()


def by_dana(open_page, run):
    return open_page("stories", run=run, reviewer_name="dana")


def test_the_table_shows_the_tiers_side_by_side(ledger, open_page):
    """A row a run; an unknown score is empty, not 0."""
    rows = table(open_page("stories"), "quality_auto").set_index("story_id")
    assert rows.loc["S-1", ["quality_auto", "quality_verifier", "quality_human", "quality"]].tolist() == [
        10.0,
        8.0,
        6.0,
        6.0,
    ]
    assert rows.loc["S-2", "quality_auto"] != 0.0
    assert rows["quality_auto"].isna().tolist().count(True) == 1
    assert rows.loc["S-3", "caveats"] == "few tests, low coverage, unknown model"


@pytest.mark.parametrize(
    ("ascending", "expected"), [(False, ["S-2", "S-1", "S-3"]), (True, ["S-3", "S-1", "S-2"])], ids=["down", "up"]
)
def test_the_ledger_sorts_all_rows(ledger, open_page, ascending, expected):
    """By the effective scores 7, 6 and 5."""
    page = open_page("stories")
    page.selectbox(key="sort").select("Effective").run()
    page.toggle(key="ascending").set_value(ascending).run()
    assert table(page, "quality_auto")["story_id"].tolist() == expected


def test_no_more_than_a_page_travels(ledger, open_page, monkeypatch):
    """With 2 rows a page, page 2 of 3 runs has one row."""
    limits = ledger.settings.limits.model_copy(update={"page_rows": 2})
    monkeypatch.setattr(ledger, "settings", ledger.settings.model_copy(update={"limits": limits}))
    page = open_page("stories")
    assert len(table(page, "quality_auto")) == 2
    page.query_params["p"] = "2"
    page.run()
    assert len(table(page, "quality_auto")) == 1
    assert "Runs 3–3 of 3" in [caption.value for caption in page.caption]


@pytest.mark.parametrize("nonsense", ["x", "-1", "²", "9" * 5000])
def test_a_nonsense_page_in_the_url_is_the_first(ledger, open_page, nonsense):
    page = open_page("stories")
    page.query_params["p"] = nonsense
    assert len(table(page.run(), "quality_auto")) == 3


def test_a_link_opens_the_run(ledger, open_page, run_ids):
    """`?run=ID` shows the effective score and the three tiers of that run."""
    page = open_page("stories", run=run_ids["S-1"])
    assert metrics(page) == {"Effective": "6.0", "◆ Auto": "10.0", "■ Verifier": "8.0", "● Human": "6.0"}
    page.button(key="back").click().run()
    assert "run" not in page.query_params
    assert len(table(page, "quality_auto")) == 3


def test_a_link_to_no_run_says_so(ledger, open_page):
    page = open_page("stories", run="not-a-run")
    assert page.error[0].value == "This run is not in the open ledger."
    assert page.code[0].value == "not-a-run: no such run: choose one from Stories"


def test_contributions_and_cap_sum_to_the_automatic_score(ledger, open_page, run_ids):
    """One of one test passed: 10 points, but fewer than 3 tests cap the score at 5: 10 − 5 = 5."""
    parts = table(open_page("stories", run=run_ids["S-3"]), "contribution").set_index("signal")
    assert parts.loc["Test pass rate", ["points", "weight", "used_weight", "contribution"]].tolist() == [
        10.0,
        30.0,
        100.0,
        10.0,
    ]
    assert parts.loc["Cap: few tests", "contribution"] == -5.0
    assert parts.loc["Auto score", "contribution"] == 5.0
    assert parts["raw"].isna().tolist() == [False, True, True, True, True, True, True, True]


def test_weights_are_shared_out_over_what_was_measured(ledger, open_page, run_ids):
    """Tests 30 and build 25 of 110: 30/55 and 25/55 of the score, coverage 55/110 = 50 %."""
    page = open_page("stories", run=run_ids["S-1"])
    parts = table(page, "contribution").set_index("signal")
    assert parts.loc["Test pass rate", "contribution"] == pytest.approx(300 / 55)
    assert parts.loc["Build", "contribution"] == pytest.approx(250 / 55)
    assert "Coverage 50 % of the automatic weight was measured." in [caption.value for caption in page.caption]


def test_caveats_are_sentences(ledger, open_page, run_ids):
    captions = " ".join(caption.value for caption in open_page("stories", run=run_ids["S-3"]).caption)
    assert "Fewer than 3 tests ran and all passed, so the automatic score is capped at 5." in captions
    assert "Which model did this is not recorded." in captions


def test_other_peoples_text_is_shown_as_text(ledger, open_page, run_ids):
    """Title, note and attribute with markup, script, Hebrew and Chinese appear as written and nowhere as markdown."""
    page = open_page("stories", run=run_ids["S-1"])
    assert HOSTILE in texts(page)
    assert "Fix the *parser*" in texts(page)
    rendered = [*page.markdown, *page.caption, *page.title, *page.subheader, *page.success, *page.error, *page.metric]
    assert not [element for element in rendered if "script" in str(element.value) or "parser" in str(element.value)]
    assert table(page, "value").set_index("name").loc["branch", "value"] == "<b>main</b>"


def test_right_to_left_text_turns_nothing_of_ours_round(ledger, open_page, run_ids):
    """A name that overrides the direction, and tries to leave its isolate, stays within it; the date stays a date."""
    name = "\u2069\u202emaya"
    ledger.execute(AddRating(actor="maya", reviewer=name, story_id="S-2", rating=5.0, note="ok", given_at=NOON))
    page = open_page("stories", run=run_ids["S-2"])
    assert f"● Human · \u2068\u2068{name}\u2069\u2069 · 2026-03-02 13:00" in texts(page)


def test_evidence_names_file_and_line(ledger, open_page, run_ids):
    page = open_page("stories", run=run_ids["S-1"])
    assert [text for text in texts(page) if text.startswith("100 %  ·  ci/tests.log  ·  line 3  ·  2026-03-02 13:00")]
    assert "20 passed in 1.0s" in texts(page)
    assert "20 of 20 tests passed, from 1 artifact." in texts(page)


def test_a_rating_is_stored_and_shows_at_once(ledger, open_page, run_ids):
    """3.25 by dana: in the ledger, in the score and in the history of the same run of the page."""
    page = save(by_dana(open_page, run_ids["S-2"]), rating=3.25, note="Plain\ntext")
    assert [message.value for message in page.success] == ["Stored: 3.25."]
    assert metrics(page)["Effective"] == "3.3"
    history = table(page, "standing")
    assert history.loc[0, ["rater", "rating", "standing"]].tolist() == ["dana", 3.25, "stands"]
    stored = ledger.store.rows(
        "SELECT quality, note, reviewer, actor FROM overrides WHERE reviewer = 'dana' AND note LIKE 'Plain%'"
    )
    assert stored == [{"quality": 3.25, "note": "Plain\ntext", "reviewer": "dana", "actor": "dana"}]


def test_a_draft_is_stored_once(ledger, open_page, run_ids):
    """The same click arriving twice carries the same key; the next rating has a new one, and begins with nothing."""
    page = by_dana(open_page, run_ids["S-2"])
    keys = []
    for rating in (4.0, 5.0):
        keys.append(page.session_state[f"draft:{run_ids['S-2']}"].key)
        save(page, rating=rating)
        assert widget(page, "number_input", "rating").value is None
    stored = ledger.store.rows(
        "SELECT idempotency_key FROM audit WHERE name = 'add_rating' AND actor = 'dana' ORDER BY recorded_at DESC LIMIT 2"
    )
    assert [row["idempotency_key"] for row in reversed(stored)] == keys
    assert keys[0] != keys[1]


def test_zero_is_a_rating_and_nothing_is_not(ledger, open_page, run_ids):
    page = by_dana(open_page, run_ids["S-2"])
    assert save(page).error[0].value == "Not stored: give a rating between 0 and 10."
    assert metrics(save(page, rating=0.0))["● Human"] == "0.0"


def test_a_rating_needs_a_name(ledger, open_page, run_ids):
    page = save(open_page("stories", run=run_ids["S-2"]), rating=5.0)
    assert page.error[0].value == "Not stored: give your name first."
    page.text_input(key="reviewer_asked").set_value("  eli ").run()
    assert "as eli" in texts(page)


def test_a_note_that_is_too_long_is_refused_with_its_length_and_kept(ledger, open_page, run_ids):
    """It is neither cut nor dropped: what was typed is still there to be shortened."""
    page = save(by_dana(open_page, run_ids["S-2"]), rating=5.0, note="x" * 20_001)
    assert page.error[0].value.startswith("Not stored: the note has 20,001 characters, at most 20,000 are kept")
    assert len(widget(page, "text_area", "note").value) == 20_001
    assert save(page, note="x" * 20_000).success[0].value == "Stored: 5."


def test_undo_withdraws_and_keeps_the_history(ledger, open_page, run_ids):
    """Without dana's 6 the verifier's 8 counts again; the rating is listed as withdrawn."""
    page = by_dana(open_page, run_ids["S-1"])
    page.button(key="undo").click().run()
    assert metrics(page)["Effective"] == "8.0"
    assert table(page, "standing").loc[0, "standing"].startswith("withdrawn 20")
    assert not [button for button in page.button if button.key == "undo"]


def test_undo_of_what_is_withdrawn_already_says_so(ledger, open_page, run_ids):
    """Another window was first: nothing is withdrawn twice, and the page does not speak of storing."""
    page = by_dana(open_page, run_ids["S-1"])
    ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-1"))
    page.button(key="undo").click().run()
    assert page.error[0].value == "Nothing was withdrawn."


def test_an_unknown_model_can_be_stated(ledger, open_page, run_ids):
    """The attested model is on the run, the original and the actor in its history."""
    page = by_dana(open_page, run_ids["S-3"])
    widget(page, "selectbox", "model").set_value("m1")
    widget(page, "button", "attest").click().run()
    assert [message.value for message in page.success] == ["Stored: the model of this run."]
    assert ledger.store.rows("SELECT model FROM ledger WHERE story_id = 'S-3'") == [{"model": "m1"}]
    assert "m1 (was unknown) by dana" in table(page, "value")["value"].tolist()


def test_a_stated_model_can_be_corrected(ledger, open_page, run_ids):
    """Only where it was stated by hand: what the source recorded stands."""
    ledger.execute(AttestModel(actor="eli", story_id="S-3", model="m2"))
    page = by_dana(open_page, run_ids["S-3"])
    widget(page, "selectbox", "model").set_value("m1")
    widget(page, "button", "attest").click().run()
    assert ledger.store.rows("SELECT model FROM ledger WHERE story_id = 'S-3'") == [{"model": "m1"}]
    recorded = by_dana(open_page, run_ids["S-1"])
    assert not [button for button in recorded.button if (button.key or "").startswith("attest-")]


def test_what_the_ledger_refuses_is_shown_with_its_reason(ledger, open_page, run_ids, monkeypatch):
    """Nothing is stored, the draft is kept, and the page does not say Stored."""
    from quality.errors import LedgerUnusable

    def refuse(command, who=None):
        raise LedgerUnusable("ledger.duckdb: nothing was stored, the disk is full: make room")

    page = by_dana(open_page, run_ids["S-2"])
    monkeypatch.setattr(ledger, "execute", refuse)
    save(page, rating=5.0)
    assert not page.success
    assert "ledger.duckdb: nothing was stored, the disk is full: make room" in texts(page)
    assert widget(page, "number_input", "rating").value == 5.0
