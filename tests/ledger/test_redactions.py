"""What was redacted is in no table, no file, no export and no answer; that it was done is, and the numbers stay."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.activity_commands import ListActivity
from quality.backup_commands import BackUp
from quality.commands import (
    AddRating,
    AddVerdict,
    ExportRows,
    ImportArtifact,
    ListScores,
    Rebuild,
    ShowStory,
    UndoRating,
)
from quality.correction_commands import ReinstateImport, WithdrawImport
from quality.draft_commands import KeepRatingDraft
from quality.errors import Conflict, NotFound, QualityError
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.ledger.rewriting import is_pending
from quality.observations import Evidence, Override, Reject, RunFact, SignalReading, StoryFact, Verdict
from quality.readers import formats
from quality.readers.full_jsonl import FullJsonl
from quality.redaction import MARK
from quality.redaction_commands import ListRedactions, Redact, SupposeRedaction
from quality.roles import Forbidden, Who
from quality.story_commands import EditStory
from tests.ledger.test_rebuild import all_rows

SECRET = 'the key is "sk-Zürich\\7" ok?'
NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
RUN = RunFact(story_id="S-1", agent="codex", model_version="gpt-5", attempt=1)
OTHER = RUN.model_copy(update={"story_id": "S-2"})
NUMBERS = (
    "quality",
    "quality_auto",
    "quality_verifier",
    "quality_human",
    "n_human",
    "n_verifier",
    "coverage",
    "signal_source",
)


def redact(ledger, kind, id=None, text=None, reason="it was a key"):
    return ledger.execute(Redact(actor="lee", kind=kind, id=id, text=text, reason=reason))


def numbers(ledger):
    return sorted((row["story_id"], *(row[name] for name in NUMBERS)) for row in ledger.ask(ListScores())["rows"])


def files_with(folder: Path, *texts: str) -> list[str]:
    """Files of the folder, backups left out, whose bytes hold one of the texts as any of our files would write it."""
    forms = {
        form.encode()
        for text in texts
        for form in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    }
    return [
        path.name for path in folder.rglob("*")
        if path.is_file() and "backups" not in path.parts and any(form in path.read_bytes() for form in forms)
    ]  # fmt: skip


@pytest.fixture
def told(ledger, tell):
    """S-1 with a build, its line and a verdict; dana rates it 6 with SECRET as note, eli 4 with another."""
    tell(
        StoryFact(story_id="S-1", title="Parser"), RUN, OTHER, SignalReading(run=0, build_success=True, occurred_at=NOON),
        Evidence(run=0, signal="build_success", text="line 8\nBUILD OK token=abcdef\nline 10", first_line=8, line=9),
        Evidence(run=0, signal="test_pass_rate", text="BUILD OK token=abcdef\nline 10\n3 passed", first_line=9, line=11),
        Evidence(run=0, signal="verifier", text="quality=8\nfine work", first_line=90, line=90),
        Verdict(run=0, quality=8, note="fine work, says the judge", verifier_model="judge"), Verdict(run=1, quality=7),
    )  # fmt: skip
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6, note=SECRET))
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=4, note="another note"))
    return ledger


def rating_of(ledger, reviewer):
    return id_of(ledger, "overrides", "override_id", f"reviewer = '{reviewer}' AND withdraws IS NULL")


def id_of(ledger, table, column, where="true"):
    return ledger.store.rows(f"SELECT {column}::VARCHAR AS id FROM {table} WHERE {where} ORDER BY 1")[0]["id"]


def test_a_note_is_gone_from_every_place_and_the_numbers_stay(told, tmp_path):
    """From the rating, the row, and the audit's request and answer: two answers hold the row with its note."""
    before = numbers(told)
    answer = redact(told, "rating", rating_of(told, "dana"))
    assert (answer.texts, answer.characters, answer.run["story_id"]) == (1, len(SECRET), "S-1")
    assert numbers(told) == before
    (run,) = told.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["note"], run["overrides"][0]["note"], run["overrides"][0]["quality"]) == (MARK, MARK, 6)
    assert files_with(tmp_path, SECRET) == []
    assert [row["note"] for row in told.ask(ListScores())["rows"] if row["story_id"] == "S-2"] == ["another note"]


def test_what_is_left_says_who_when_and_why(told):
    """In the list of redactions, in Activity as a sentence, and nowhere the words."""
    redact(told, "rating", rating_of(told, "dana"))
    (left,) = told.ask(ListRedactions(story_id=None))["redactions"]
    assert (left["kind"], left["actor"], left["reason"], left["places"]) == ("rating", "lee", "it was a key", 3)
    assert told.ask(ListRedactions(run_id=left["run_id"]))["redactions"] == [left]
    write = told.ask(ListActivity(about="S-1"))["writes"][0]
    assert write["words"] == "redacted the note of a rating of S-1 · gpt-5: 3 places"
    assert SECRET not in json.dumps(told.ask(ListActivity()), default=str)


def test_a_repeated_note_and_what_an_undo_answered_go_too(told, tmp_path):
    """dana takes it back, which answers with the note, and gives it again."""
    told.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-1"))
    told.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=5, note=SECRET))
    ids = told.store.rows(
        "SELECT override_id::VARCHAR AS id FROM overrides WHERE note IS NOT NULL AND reviewer = 'dana'"
    )
    redact(told, "rating", ids[0]["id"])
    assert files_with(tmp_path, SECRET) == []
    with pytest.raises(Conflict, match="redacted already"):
        redact(told, "rating", ids[1]["id"])


def test_the_same_command_sent_again_gets_its_answer_without_the_words(told):
    """The key was used: nothing new is stored, and the note in the answer is the mark."""
    command = AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6, note=SECRET + "!")
    told.execute(command)
    redact(told, "rating", id_of(told, "overrides", "override_id", f"note = '{SECRET.replace(chr(39), '')}!'"))
    again = told.execute(command)
    assert again.row["note"] == MARK
    assert told.store.rows("SELECT count(*) AS n FROM overrides")[0]["n"] == 3


def test_evidence_goes_with_every_excerpt_that_shares_a_line(told, tmp_path):
    """Lines 8–10 and 9–11 share two; the verifier's line 90 stays."""
    answer = redact(told, "evidence", id_of(told, "evidence", "evidence_id", "signal = 'build_success'"))
    assert answer.texts == 2
    kept = {row["signal"]: row["text"] for row in told.store.rows("SELECT signal, text FROM evidence")}
    assert kept == {"build_success": MARK, "test_pass_rate": MARK, "verifier": "quality=8\nfine work"}
    assert files_with(tmp_path, "token=abcdef") == []


def test_a_verdict_goes_with_the_lines_it_was_read_from(told, tmp_path):
    before = numbers(told)
    redact(told, "verdict", id_of(told, "verdicts", "verdict_id", "note IS NOT NULL"))
    assert files_with(tmp_path, "fine work") == []
    assert numbers(told) == before


def test_a_review_that_was_asked_for_goes_whole(told, tmp_path):
    """The judge's words stand in the command's request."""
    review = "a long review\n\n# synlynk-meta\nquality=7\ncorrect=true\nrework_needed=false\nverifier_model=j\n"
    told.execute(
        AddVerdict(
            actor="ci", story_id="S-2", review=review, backend="openai", verifier_model="judge-2", prompt_version="v1"
        )
    )
    redact(told, "verdict", id_of(told, "verdicts", "verdict_id", "verifier_model = 'judge-2'"))
    assert files_with(tmp_path, "a long review") == []
    assert (
        json.loads(told.store.rows("SELECT request FROM audit WHERE name = 'add_verdict'")[0]["request"])["review"]
        == MARK
    )


def test_the_rejected_values_of_an_import_go_with_its_answer(ledger, tell, tmp_path):
    """And out of the reason, which quotes them."""
    tell(RUN, SignalReading(run=0, build_success=True), Reject(line=3, reason="hunter2: not a number", value="hunter2"))
    redact(ledger, "rejects", id_of(ledger, "imports", "import_id"))
    assert files_with(tmp_path, "hunter2") == []
    assert ledger.store.rows("SELECT line, reason, value FROM rejects") == [
        {"line": 3, "reason": f"{MARK}: not a number", "value": MARK}
    ]


def test_a_title_goes_from_sources_edits_and_what_was_before_them(told, tmp_path):
    told.execute(EditStory(actor="dana", story_id="S-1", title="Parser of Jane Roe"))
    told.execute(EditStory(actor="dana", story_id="S-1", title="The parser"))
    redact(told, "title", "S-1")
    assert files_with(tmp_path, "Parser of Jane Roe", "The parser") == []
    assert told.ask(ShowStory(story_id="S-1"))["runs"][0]["title"] == MARK
    told.execute(EditStory(actor="dana", story_id="S-1", title="A new one"))
    assert told.ask(ShowStory(story_id="S-1"))["runs"][0]["title"] == "A new one"


def test_a_text_goes_wherever_it_stands_and_where_it_stays_is_said(told, tmp_path):
    """Of a longer note only the text; a story of that name keeps its name."""
    told.execute(
        AddRating(
            actor="dana", reviewer="dana", story_id="sk-live-77", rating=1, create=True, note="see sk-live-77, please"
        )
    )
    answer = redact(told, "text", text="sk-live-77")
    assert [row["note"] for row in told.ask(ListScores())["rows"] if row["story_id"] == "sk-live-77"] == [
        f"see {MARK}, please"
    ]
    assert "main.runs.story_id" in answer.remains
    assert "main.overrides.note" not in answer.remains
    with pytest.raises(NotFound, match="it stands nowhere"):
        redact(told, "text", text="nowhere at all")


def test_what_lies_aside_with_a_withdrawn_import_goes_too(told, tmp_path):
    """And comes back without the words."""
    one = id_of(told, "imports", "import_id")
    rating = rating_of(told, "dana")
    told.execute(WithdrawImport(actor="lee", import_id=one, reason="x"))
    redact(told, "rating", rating)
    assert files_with(tmp_path, SECRET) == []
    told.execute(ReinstateImport(actor="lee", import_id=one))
    (run,) = told.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["note"], run["quality"]) == (MARK, 6)


def test_a_short_note_takes_nothing_of_longer_ones(told):
    """ "ok" is gone as a note of this run; "BUILD OK" and another run's "ok" are not."""
    told.execute(AddRating(actor="fay", reviewer="fay", story_id="S-1", rating=6, note="ok"))
    told.execute(AddRating(actor="gus", reviewer="gus", story_id="S-2", rating=6, note="ok"))
    redact(told, "rating", rating_of(told, "fay"))
    notes = {row["reviewer"]: row["note"] for row in told.store.rows("SELECT reviewer, note FROM overrides")}
    assert (notes["fay"], notes["gus"], notes["dana"]) == (MARK, "ok", SECRET)
    assert told.store.rows("SELECT count(*) AS n FROM evidence WHERE contains(text, 'OK')")[0]["n"] == 2


def test_a_draft_that_repeats_the_words_loses_them(told, tmp_path):
    """Nobody has stored it yet, and it is in the file."""
    run_id = id_of(told, "runs", "run_id", "story_id = 'S-1'")
    told.execute(KeepRatingDraft(actor="eli", reviewer="eli", run_id=run_id, note=f"dana: {SECRET}", rating=7))
    redact(told, "rating", rating_of(told, "dana"))
    assert told.store.rows("SELECT note, rating FROM rating_drafts") == [{"note": f"dana: {MARK}", "rating": 7}]
    assert files_with(tmp_path, SECRET) == []


def test_it_says_before_what_it_would_take_out(told):
    """And changes nothing."""
    found = told.ask(SupposeRedaction(kind="rating", id=rating_of(told, "dana")))
    assert (found["shown"], found["places"], found["run"]["story_id"]) == ([SECRET], 3, "S-1")
    assert told.ask(ListRedactions())["redactions"] == []


def test_older_files_are_named(told, tmp_path):
    """A backup from before holds the words still, and nothing else does."""
    made = told.execute(BackUp(actor="lee"))
    answer = redact(told, "rating", rating_of(told, "dana"))
    assert answer.older_files == [made.path]
    assert SECRET.split('"')[0].encode() in Path(made.path).read_bytes()


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ({"kind": "rating", "id": "nothing"}, "nothing: no such thing: the note of a rating"),
        ({"kind": "title", "id": "S-9"}, "S-9"),
        ({"kind": "rejects", "id": "0198c0de-0000-7000-8000-000000000001"}, "no such thing"),
    ],
)
def test_what_is_not_there_says_so(told, stated, reason):
    with pytest.raises(NotFound, match=reason):
        told.execute(Redact(actor="lee", reason="x", **stated))


def test_a_request_that_would_keep_the_words_is_refused(told):
    """As is one that names nothing, or two things."""
    with pytest.raises(ValueError, match="repeats the text"):
        Redact(actor="lee", kind="text", text="sk-live-77", reason="sk-live-77 leaked")
    with pytest.raises(QualityError, match="repeats the words"):
        redact(told, "rating", rating_of(told, "dana"), reason=f"he wrote {SECRET}")
    with pytest.raises(ValueError, match="give the text"):
        Redact(actor="lee", kind="text", id="x", reason="x")
    with pytest.raises(ValueError, match="give its id"):
        Redact(actor="lee", kind="rating", text="abcdef", reason="x")
    assert "sk-live-77" not in Redact(actor="lee", kind="text", text="sk-live-77", reason="leaked").for_audit()


def test_only_an_admin_may(told):
    command = Redact(actor="eli", kind="title", id="S-1", reason="x")
    for who in (Who("eli", "reviewer"), Who("eli", "admin", frozenset({"ingest", "review", "read"}))):
        with pytest.raises(Forbidden):
            told.execute(command, who)


def test_a_start_does_what_a_killed_process_left(told, tmp_path, monkeypatch):
    """Committed and not written afresh: the bytes are gone after the next opening."""
    monkeypatch.setattr("quality.ledger.ledger.write_afresh", lambda store: None)
    redact(told, "rating", rating_of(told, "dana"))
    assert is_pending(told.store)
    rows = all_rows(told)
    told.close()
    with Ledger(tmp_path / "l.duckdb") as again:
        assert not is_pending(again.store)
        assert all_rows(again) == rows
    assert files_with(tmp_path, SECRET) == []


def test_readers_and_a_second_thread_go_on(told):
    """A cursor from before the file was exchanged is not used again."""
    assert len(told.store.rows("SELECT 1 AS one")) == 1
    redact(told, "rating", rating_of(told, "dana"))
    assert told.store.rows("SELECT count(*) AS n FROM overrides") == [{"n": 2}]
    told.execute(Rebuild(actor="ci"))


def test_a_full_export_carries_it_to_another_ledger(told, tmp_path, monkeypatch):
    """Into an empty one, and into one that has the words: there they go as well."""
    export_rows(told.store, ExportRows(format="jsonl", full=True), tmp_path / "before.jsonl")
    redact(told, "rating", rating_of(told, "dana"))
    export_rows(told.store, ExportRows(format="jsonl", full=True), tmp_path / "after.jsonl")
    monkeypatch.setattr(formats, "READERS", (FullJsonl(),))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with Ledger(tmp_path / "a" / "l.duckdb") as fresh:
        fresh.execute(ImportArtifact(actor="eli", path=str(tmp_path / "after.jsonl")))
        assert (numbers(fresh), all_rows(fresh)) == (numbers(told), all_rows(told))
        assert len(fresh.ask(ListRedactions())["redactions"]) == 1
    with Ledger(tmp_path / "b" / "l.duckdb") as older:
        older.execute(ImportArtifact(actor="eli", path=str(tmp_path / "before.jsonl")))
        older.execute(ImportArtifact(actor="eli", path=str(tmp_path / "after.jsonl")))
        assert all_rows(older) == all_rows(told)
        assert SECRET not in json.dumps(older.store.rows("SELECT request, answer FROM audit"))
    (tmp_path / "before.jsonl").unlink()
    with Ledger(tmp_path / "b" / "l.duckdb"):
        pass
    assert files_with(tmp_path, SECRET) == []


KINDS = st.sampled_from(["rating", "verdict", "evidence", "title", "text"])
SECRETS = st.text(
    st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('\n\t"\\'), min_size=6, max_size=20
).map(lambda text: f"x{text}y{text[::-1]}z")


@settings(
    max_examples=20, phases=[Phase.explicit, Phase.reuse, Phase.generate],
)  # fmt: skip
@given(kind=KINDS, secret=SECRETS, aside=st.booleans(), twice=st.booleans())
def test_whatever_was_written_is_found_nowhere_afterwards(tmp_path_factory, tell, kind, secret, aside, twice):
    """In no file of the folder, no export, no answer; a rebuild gives the same rows, and the numbers are what they were."""
    folder = tmp_path_factory.mktemp("redacted")
    with Ledger(folder / "l.duckdb") as ledger:
        tell(
            StoryFact(story_id="S-1", title=secret), RUN, SignalReading(run=0, build_success=True, occurred_at=NOON),
            Evidence(run=0, signal="build_success", text=f"a\n{secret}\nb", first_line=1, line=2),
            Verdict(run=0, quality=8, note=secret, verifier_model="judge"),
            Override(run=0, quality=3, reviewer="cem", note=f"as {secret} says"), into=ledger, content=secret,
        )  # fmt: skip
        for _ in range(1 + twice):
            ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6, note=secret))
        one = id_of(ledger, "imports", "import_id")
        before = numbers(ledger)
        if aside:
            ledger.execute(WithdrawImport(actor="lee", import_id=one, reason="to be redacted"))
        redact(ledger, "text", text=secret, reason="gone") if kind == "text" else _each(ledger, kind)
        redact_rest(ledger, secret)
        if aside:
            ledger.execute(ReinstateImport(actor="lee", import_id=one))
        assert numbers(ledger) == before
        rows = all_rows(ledger)
        ledger.execute(Rebuild(actor="ci"))
        assert all_rows(ledger) == rows
        export_rows(ledger.store, ExportRows(format="jsonl", full=True), folder / "full.jsonl")
        export_rows(ledger.store, ExportRows(), folder / "rows.csv")
        said = [ledger.ask(ListActivity()), ledger.ask(ShowStory(story_id="S-1")), ledger.ask(ListScores())]
        assert secret not in str(said)
    assert files_with(folder, secret) == []


def _each(ledger, kind):
    """Everything of the kind that is not redacted yet, one by one."""
    table, column = {
        "rating": ("overrides", "override_id"), "verdict": ("verdicts", "verdict_id"), "evidence": ("evidence", "evidence_id"),
        "title": ("story_facts", "story_id"),
    }[kind]  # fmt: skip
    found = ledger.store.rows(
        f"SELECT DISTINCT {column}::VARCHAR AS id FROM (FROM {table} UNION ALL BY NAME FROM withdrawn.{table}) ORDER BY 1"
    )
    for row in found:
        try:
            redact(ledger, kind, row["id"], reason="gone")
        except Conflict:
            continue


def redact_rest(ledger, secret):
    """What is left of it elsewhere, if anything is."""
    try:
        redact(ledger, "text", text=secret, reason="gone")
    except NotFound:
        return
