"""`prompt` scores a recorded reply or asks a judge; what it prints, stores and exits with is what its help says."""

import io
import json
import sys
from pathlib import Path

import pytest

from quality.commands import AddRating, ListEvaluations, ShowEvaluation
from quality.ledger.ledger import Ledger

CASES = json.loads((Path(__file__).parents[1] / "assets/oracle/prompts/cases.json").read_text())
KEYS = ["status", "overall", "label", "colour", "dimensions", "suggestions", "failure"]
REPLY = '{"structure": {"score": 8, "feedback": "s"}, "clarity": 7, "completeness": 7, "specificity": 7, "suggestions": ["a"]}'


@pytest.fixture
def write(tmp_path):
    def to(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return to


@pytest.fixture
def stdin(monkeypatch):
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_worked_cases_through_the_command_line(run, write, case):
    """One JSON document with the seven keys; exit 0 or, FAILED, 1."""
    done = run("prompt", "--reply", write("reply.txt", case["reply"]), "--json", **case["env"])
    expected = case["expected"]
    assert list(done.json) == KEYS
    assert (done.json["status"], done.code) == (expected["status"], 1 if expected["status"] == "FAILED" else 0)
    if expected["status"] == "FAILED":
        assert done.json["failure"]["code"] == expected["failure_code"]
        assert (done.json["overall"], done.json["dimensions"], done.json["suggestions"]) == (None, [], [])
    else:
        assert [done.json[k] for k in KEYS[1:4]] == [expected[k] for k in KEYS[1:4]]
        assert {d["key"]: d["score"] for d in done.json["dimensions"]} == expected["scores"]
        assert {d["key"]: d["weight"] for d in done.json["dimensions"]} == pytest.approx(expected["weights"], abs=1e-6)


def test_a_recorded_reply_in_a_process_of_its_own(process, write):
    """No key, no ledger and no network; a bad weight is said on standard error, beside the document."""
    done = process("prompt", "--reply", write("r.json", REPLY), "--json", EVAL_WEIGHT_CLARITY="abc")
    assert (done.code, done.json["overall"], list(done.json)) == (0, 7.3, KEYS)
    assert done.err.startswith("warning: EVAL_WEIGHT_CLARITY='abc' is not a finite number")


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + REPLY.encode(), REPLY.replace(", ", ",\r\n").encode() + b"\r\n", REPLY.encode("utf-16"),
        b"```json\r\n" + REPLY.encode() + b"\r\n```\r\n",
    ],
)  # fmt: skip
def test_a_reply_as_editors_save_it(run, write, stdin, content):
    """With a BOM, CR LF or in UTF-16; as a file or on standard input, with the prompt named or not."""
    assert run("prompt", "--reply", write("r.txt", content), "--json").json["overall"] == 7.3
    stdin(content)
    assert run("prompt", write("p.md", "p"), "--reply", "-", "--json").json["overall"] == 7.3


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"\xff\x00\x80", b"[" * 100_000, b'{"clarity": "\xff"}'])
def test_a_reply_of_any_bytes_is_a_result(run, write, content):
    """Scored or FAILED, never a fault."""
    done = run("prompt", "--reply", write("r.txt", content), "--json")
    assert (done.code, list(done.json)) == (0 if done.json["status"] == "SUCCESS" else 1, KEYS)


def test_the_scripted_judge_says_what_it_is(run, write):
    """In the JSON and to people; the same prompt gets the same score."""
    first, second = (
        run("prompt", write("p.md", "Sum it up.\n"), "--judge", name, "--json") for name in ("scripted", "mock")
    )
    assert list(first.json) == [*KEYS, "metadata", "warnings"]
    assert (first.json["metadata"]["scripted"], first.json["metadata"]["model"]) == (True, "scripted")
    assert first.json["overall"] == second.json["overall"]
    shown = run("prompt", "p.md", "--judge", "scripted")
    assert shown.out.startswith("Scripted judge: made up")
    assert (shown.code, "Overall" in shown.out, "Specificity" in shown.out) == (0, True, True)


def test_the_raw_reply_is_shown_on_request(run, write):
    """And not otherwise."""
    reply = write("r.txt", "An 8, I would say.\nReally.")
    asked = run("prompt", "--reply", reply, "--details")
    assert (asked.code, asked.out.endswith("An 8, I would say.\nReally.\n")) == (1, True)
    assert "An 8" not in run("prompt", "--reply", reply).out
    assert run("prompt", "--reply", reply, "--details", "--json").json["reply"] == "An 8, I would say.\nReally."


def test_a_stored_evaluation_has_a_history(run, write, ledger_path):
    """Versions of one name belong together; a file with another line ending is the same text."""
    for text in (b"Sum it up.\n", b"Sum it up, in one line.\n", b"Sum it up.\r\n"):
        assert run("prompt", write("p.md", text), "--judge", "scripted", "--store", "--name", "sum").code == 0
    history = run("prompt", "--history", "--name", "sum", "--json").json
    assert [(row["version"], row["actor"], row["metadata"]["backend"]) for row in history["evaluations"]] == [
        (1, "dana", "scripted"), (2, "dana", "scripted"), (1, "dana", "scripted"),
    ]  # fmt: skip
    assert "sum" in run("prompt", "--history").out
    with Ledger(ledger_path) as ledger:
        shown = ledger.ask(ShowEvaluation(evaluation_id=history["evaluations"][0]["evaluation_id"]))
    assert shown["text"] == "Sum it up."


def test_without_store_no_ledger_is_touched(run, write, ledger_path):
    assert run("prompt", write("p.md", "p"), "--judge", "scripted").code == 0
    assert not ledger_path.exists()


def test_what_a_judge_answered_is_stored_and_no_answer_is_not(run, write, ledger_path, monkeypatch):
    """A reply that cannot be read is part of the history; a missing key is not."""
    run("prompt", write("p.md", "p"), "--reply", write("r.txt", "no"), "--store")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    done = run("prompt", "p.md", "--judge", "claude", "--store", "--json")
    assert (done.code, done.json["failure"]["code"]) == (1, "JUDGE_NO_KEY")
    with Ledger(ledger_path) as ledger:
        (row,) = ledger.ask(ListEvaluations())["evaluations"]
    assert (row["name"], row["failure"]["code"]) == ("p.md", "EVALUATION_PARSE_FAILED")


def test_a_story_that_is_not_known_is_said_before_anybody_judges(run, write, ledger_path):
    """Nothing is stored, and the nearest story is named."""
    with Ledger(ledger_path) as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="STORY-7", rating=9, create=True))
    done = run("prompt", write("p.md", "p"), "--judge", "scripted", "--store", "--story", "STORY-8")
    assert (done.code, done.out) == (2, "")
    assert "STORY-8: no such story. Did you mean: STORY-7?" in done.err
    assert run("prompt", "p.md", "--judge", "scripted", "--store", "--story", "STORY-7").code == 0
    rows = run("prompt", "--history", "--story", "STORY-7", "--json").json["evaluations"]
    assert [(row["name"], row["story_id"]) for row in rows] == [("prompt", "STORY-7")]


RUNS = (
    "story_id,agent,model,test_pass_rate,done_criteria,prompt\nS-1,a,m,1,All suites are read.,Read all suites.\n"
    "S-2,a,m,1,,\n"
)


def test_a_storys_own_text_is_taken_from_the_ledger(run, write):
    """Its done criteria, or by --name its prompt; it is kept under that name, or with --reply only scored."""
    run("ingest", write("runs.csv", RUNS))
    assert run("prompt", "--story", "S-1", "--judge", "scripted", "--store").code == 0
    assert run("prompt", "--story", "S-1", "--name", "prompt", "--judge", "scripted", "--store").code == 0
    assert run("prompt", "--story", "S-1", "--reply", write("r.json", REPLY), "--json").json["overall"] == 7.3
    found = run("prompt", "--history", "--story", "S-1", "--json").json["evaluations"]
    assert [(row["name"], row["characters"]) for row in found] == [("prompt", 16), ("done_criteria", 20)]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("S-2",), "S-2: no text 'done_criteria': the story has neither done_criteria nor prompt"),
        (("S-1", "--name", "x"), "S-1: no text 'x': the story has done_criteria and prompt"),
        (("S-3",), "S-3: no such story"),
    ],
)
def test_a_story_without_the_text_is_named_with_what_it_has(run, write, arguments, reason):
    """Exit 2, and nobody is asked."""
    run("ingest", write("runs.csv", RUNS))
    done = run("prompt", "--story", *arguments, "--judge", "scripted")
    assert done.code == 2
    assert reason in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("p.md",), "nobody to judge: add --judge"),
        (("--judge", "scripted"), "which prompt?"),
        (("p.md", "--judge", "scripted", "--reply", "r"), "leave --judge out, or --reply"),
        (("p.md", "--judge", "gpt"), "choose one of anthropic, openai, scripted, claude, mock"),
        (("p.md", "--reply", "nowhere"), "nowhere: no such file"),
        (("nowhere.md", "--reply", "p.md"), "nowhere.md: no such file"),
        (("nowhere.md", "--judge", "scripted"), "nowhere.md: no such file"),
        (("nowhere.jsonl", "--judge", "scripted"), "nowhere.jsonl: no such file"),
        (("blank.md", "--judge", "scripted"), "empty or blank: give 1 to 50,000 characters"),
        (("long.md", "--judge", "scripted"), "50,001 characters: give 1 to 50,000"),
        (("bytes", "--judge", "scripted"), "no text in UTF-8 or UTF-16"),
        (("p.md", "--judge", "scripted", "--name", "n"), "add --store"),
        (("-", "--judge", "scripted", "--store"), "add --name"),
        (("p.md", "--judge", "scripted", "--history"), "--history lists what is stored"),
        (("folder", "--reply", "p.md"), "a batch needs a judge"),
        (("empty", "--judge", "scripted"), "no files in it"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_that_says_what_to_do(run, write, tmp_path, arguments, reason):
    """Exit 2; with --json the error is the document."""
    files = {"p.md": "p", "blank.md": " \n", "long.md": "x" * 50_001, "bytes": b"\xff\x80\x00", "folder/a.md": "p"}
    for name, content in files.items():
        write(name, content)
    (tmp_path / "empty").mkdir()
    done = run("prompt", *arguments, "--json")
    assert (done.code, done.json["exit_code"]) == (2, 2)
    assert reason in done.json["error"]
    assert done.err.count("\n") == 1


def test_a_folder_is_a_batch(run, write, ledger_path):
    """In order, hidden files left out; what is no prompt is a reject with its reason, the rest is scored and stored."""
    for name, content in {"b.md": "two", "a.txt": "one", ".hidden": "x", "c.png": b"\x89PNG\xff", "d.md": "\n"}.items():
        write(f"prompts/{name}", content)
    done = run("prompt", "prompts", "--judge", "scripted", "--store", "--json")
    assert done.code == 1
    assert [(one["id"], one["status"]) for one in done.json["prompts"]] == [("a.txt", "SUCCESS"), ("b.md", "SUCCESS")]
    assert [(one["file"], one["reason"]) for one in done.json["rejects"]] == [
        ("prompts/c.png", "no text in UTF-8 or UTF-16: save it as text first"),
        ("prompts/d.md", "the prompt is empty or blank: give 1 to 50,000 characters"),
    ]
    with Ledger(ledger_path) as ledger:
        names = {row["name"] for row in ledger.ask(ListEvaluations())["evaluations"]}
    assert names == {"prompts/a.txt", "prompts/b.md"}


def test_a_jsonl_is_a_batch(run, write):
    """A prompt a line, under text or prompt; a line that is none is a reject with its number."""
    lines = [
        '\ufeff{"id": "a", "text": "one"}', '{"id": 2, "prompt": "two", "more": 1}', "", '{"text": "three"}', "no JSON",
        "[]", '{"id": "b"}', '{"id": "a", "text": "again"}', '{"id": [], "text": "x"}', '{"id": "c", "text": " "}',
        '{"id": "d", "text": "\\ud800!"}', "[" * 100_000,
    ]  # fmt: skip
    done = run("prompt", write("many.jsonl", "\r\n".join(lines)), "--judge", "scripted", "--json")
    assert done.code == 1
    assert [(one["id"], one["line"]) for one in done.json["prompts"]] == [("a", 1), ("2", 2), ("line 4", 4), ("d", 11)]
    assert [one["line"] for one in done.json["rejects"]] == [5, 6, 7, 8, 9, 10, 12]
    reasons = ["not JSON", "no object", "no text", "line 1 already", "whole number", "empty or blank", "not JSON"]
    assert all(part in one["reason"] for part, one in zip(reasons, done.json["rejects"], strict=True))


def test_a_batch_of_good_prompts_exits_with_0(run, write):
    """And shows a row each."""
    done = run(
        "prompt", write("two.jsonl", '{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n'), "--judge", "mock"
    )
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == ["Scripted", "prompt", "a", "b"]


def test_what_was_judged_is_kept_when_the_rest_is_interrupted(run, write, ledger_path, monkeypatch):
    """Ctrl-C in the middle of a paid batch loses nothing that a judge has answered."""

    def interrupted(judge, requests, concurrency, on_done):
        on_done(0, judge.ask(requests[0]))
        raise KeyboardInterrupt

    monkeypatch.setattr("quality.cli.prompt_batch.ask_many", interrupted)
    source = write("two.jsonl", '{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n')
    assert run("prompt", source, "--judge", "scripted", "--store").code == 130
    with Ledger(ledger_path) as ledger:
        assert [row["name"] for row in ledger.ask(ListEvaluations())["evaluations"]] == ["a"]
