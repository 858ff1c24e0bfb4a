"""A verifier's review gives its verdict to the run that the caller names, or a reject with the text as it was."""

import pytest

from quality.commands import AddRating, ImportArtifact
from quality.readers.evidence import excerpt
from quality.readers.verdicts import find_blocks

BLOCK = "# synlynk-meta\nquality=7\ncorrect=true\nrework_needed=no\nverifier_model=gemini-2.5-pro\n"


def verdict(said):
    (one,) = said.verdicts
    return (
        one["quality"],
        one.get("raw"),
        one.get("correct"),
        one.get("rework"),
        one.get("verifier_model"),
        one["conflicting"],
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("b01_fenced_meta.txt", (7.0, None, True, False, "gemini-2.5-pro", False)),
        ("b03_slash_ten.txt", (8.0, "8/10", True, False, "gemini-2.5-pro", False)),
        ("b05b_identical_twice.txt", (6.0, None, True, False, "gemini-2.5-pro", False)),
        ("b06_json_trailing_comma.txt", (7.0, None, True, None, None, False)),
    ],
)
def test_a_verdict_is_found_as_people_and_models_write_it(read, assets, name, expected):
    said = read(assets / name, story_id="S-1")
    assert verdict(said) == expected
    assert said.verdicts[0]["note"] == (assets / name).read_text()
    assert not said.rejects


def test_a_block_that_contradicts_itself_says_so(read, tmp_path):
    path = tmp_path / "review.txt"
    path.write_text("# synlynk-meta\nquality=8\nquality=3\n")
    assert verdict(read(path, story_id="S-1"))[0::5] == (3.0, True)
    path.write_text("# synlynk-meta\nquality=8\ncorrect=true\ncorrect=True\n")
    assert verdict(read(path, story_id="S-1"))[0::5] == (8.0, False)


@pytest.mark.parametrize(
    ("name", "line", "value"),
    [
        ("b02_out_of_range.txt", 2, "9.2e+24"),
        ("b04_nan.txt", 2, "NaN"),
        ("b07_unparseable.txt", None, "I cannot evaluate this change because the diff is empty.\n"),
    ],
)
def test_what_is_no_rating_is_a_reject_with_what_was_written(ingest, rows, assets, name, line, value):
    answer = ingest(assets / name, story_id="S-1")
    assert [(r.line, r.value) for r in answer.rejects] == [(line, value)]
    assert (answer.status, rows("quality")) == ("rejected", [])


@pytest.mark.parametrize(
    "text",
    [
        BLOCK.replace("\n", "\r\n"), BLOCK.replace("=", ": "), "    " + BLOCK.replace("\n", "\n    "), BLOCK.replace("\n", "\r"),
        "~~~\n" + BLOCK + "~~~\n", "**Verdict**\n\n## Synlynk-Meta:\n\n" + BLOCK.split("\n", 1)[1], "\ufeff" + BLOCK,
        BLOCK.replace("quality", "- quality").replace("correct", "- `correct`"),
        BLOCK.replace("=7", "='7'").replace("true", "YES"),
        '{"quality": "7", "correct": true, "rework_needed": false, "verifier_model": "gemini-2.5-pro"}',
        'The "{}" is fine. Verdict: {"reason": "a } and \\" {", "quality": 7, "correct": true, "rework_needed": false,'
        ' "verifier_model": "gemini-2.5-pro",} Bye {',
    ],
)  # fmt: skip
def test_neighbours_of_the_usual_block_are_read_too(read, text):
    assert verdict(read(text, story_id="S-1")) == (7.0, None, True, False, "gemini-2.5-pro", False)
    assert verdict(read(text.removeprefix("\ufeff").encode("utf-16"), story_id="S-1"))[0] == 7.0


def test_unknown_is_not_false(read):
    said = read(BLOCK.replace("true", "unknown").replace("=no", "=perhaps"), story_id="S-1")
    assert verdict(said)[2:4] == (None, None)


def test_of_several_different_blocks_the_last_counts_and_they_conflict(read):
    assert verdict(read(BLOCK + "\nOn second thought:\n" + BLOCK.replace("7", "3"), story_id="S"))[::5] == (3.0, True)


def test_a_quoted_block_never_counts_but_is_seen_to_disagree(read):
    quoted = "".join(f"> {line}\n" for line in BLOCK.replace("=7", "=10").splitlines())
    assert verdict(read(BLOCK + "\nThe author says of it:\n" + quoted, story_id="S"))[::5] == (7.0, True)
    said = read(quoted, story_id="S")
    assert not said.verdicts
    assert "quoted" in said.rejects[0]["reason"]


def test_if_the_last_block_is_bad_the_one_before_does_not_stand_in(read):
    said = read(BLOCK + "\n" + BLOCK.replace("=7", "=85"), story_id="S")
    assert (said.verdicts, said.reasons) == ([], [(7, "quality", "85")])


def test_a_block_without_quality_is_a_reject(read):
    assert "has no quality" in read("# synlynk-meta\ncorrect=true\n", story_id="S").rejects[0]["reason"]


def test_without_a_story_the_reject_says_how_to_name_it(read):
    assert "--story" in read(BLOCK).rejects[0]["reason"]


def test_prose_without_a_block_is_no_review_unless_a_story_is_named(read):
    assert "no format that can be read" in read("Looks good to me.\n").rejects[0]["reason"]
    assert "no verdict block" in read("Looks good to me.\n", story_id="S").rejects[0]["reason"]


def test_the_verdict_goes_to_the_latest_run_and_the_verifier_is_not_its_author(ledger, ingest, rows):
    ingest(
        "story_id,agent,model_version,build_success,ts\nS-1,codex,m1,true,2026-08-01T10:00Z\nS-1,codex,m2,true,2026-08-02T10:00Z\n"
    )
    ingest(BLOCK, name="review.md", story_id="S-1")
    ingest(BLOCK.replace("=7", "=4") + "model_version=m1\n", name="other.md", story_id="S-1")
    assert rows("agent, model_version, quality_verifier, verifier_model") == [
        ("codex", "m1", 4.0, "gemini-2.5-pro"), ("codex", "m2", 7.0, "gemini-2.5-pro"),
    ]  # fmt: skip


def test_a_later_verdict_never_touches_a_human_rating(ledger, ingest, rows):
    ledger.execute(AddRating(actor="t", story_id="S-1", rating=2, reviewer="dana", create=True))
    assert ingest(BLOCK, name="review.md", story_id="S-1").status == "imported"
    assert (
        ledger.execute(ImportArtifact(actor="t", path=str(ledger.path.parent / "review.md"), story_id="S-1")).status
        == "unchanged"
    )
    assert rows("quality, quality_verifier, signal_source") == [(2.0, 7.0, "human")]


def test_evidence_is_the_block_with_five_lines_around_it_and_no_secrets():
    lines = (
        [f"line {n}" for n in range(1, 10)]
        + ["export API_KEY=abcdef123456", "\x1b[31mred\x1b[0m\x07", *BLOCK.splitlines()]
        + ["x"] * 9
    )
    text = excerpt(lines, 12, 16)
    assert text.splitlines()[:5] == ["line 7", "line 8", "line 9", "export API_KEY[secret]", "red"]
    assert text.splitlines()[-5:] == ["x"] * 5
    assert len(excerpt(["é" * 9000], 1, 1).encode()) <= 4096


@pytest.mark.parametrize(
    "secret",
    ["ghp_" + "a" * 36, "sk-proj-" + "a" * 30, "AKIA" + "A" * 16, "Bearer abcdefghijklmnop", "https://dana:hunter22@host/x",
     "password: hunter22", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"],
)  # fmt: skip
def test_usual_secrets_are_masked(secret):
    text = excerpt(["before", *secret.splitlines(), "after"], 1, 1)
    assert "[secret]" in text
    assert all(part not in text for part in ("hunter22", "aaaaaaaa", "AAAAAAAA", "MIIE", "abcdefgh"))


def test_blocks_know_their_lines():
    (block,) = find_blocks(["prose", *BLOCK.splitlines(), "", "prose"])
    assert (block.first, block.last, block.quoted) == (2, 6, False)


SESSION = "============ test session starts ============\ncollected 2 items\n\ntest_a.py .F [100%]\n\n"
ENDED = "============ 1 failed, 1 passed in 0.10s ============\n"
VERDICT = '{"quality": 9, "correct": true, "verifier_model": "m"}\n'
META = "\n# synlynk-meta\nquality=9\nverifier_model=m\n"


@pytest.mark.parametrize(
    "text",
    [
        SESSION + VERDICT + ENDED,
        SESSION + META + ENDED,
        SESSION + ENDED + '{"quality": 9}\n',
        "2026-01-01T00:00:00.0Z " + (SESSION + VERDICT + ENDED).replace("\n", "\n2026-01-01T00:00:00.0Z "),
    ],
    ids=["JSON within", "meta block within", "a bare number below", "in CI"],
)
def test_a_log_that_prints_a_verdict_is_a_log(read, text):
    """What a test prints rates nobody."""
    said = read(text, story_id="S-1")
    assert (said.format, said.verdicts) == ("console log", [])
    assert said.signals[0]["test_pass_rate"] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        SESSION + ENDED + META,
        SESSION + ENDED + VERDICT,
        f"I ran it:\n```\n{SESSION}{ENDED}```\n{VERDICT}",
        f"{VERDICT}\nThis is why:\n```text\n{SESSION}{ENDED}```\n",
        f"All is well.\n3 passed in 0.10s\n{META}",
    ],
    ids=["meta block below", "whole verdict below", "log in a fence", "log in a fence below", "a line of a log"],
)
def test_a_review_that_shows_a_log_is_a_review(read, text):
    """It ends with its verdict, or quotes the log in a fence."""
    said = read(text, story_id="S-1")
    assert (said.format, said.verdicts[0]["quality"]) == ("verifier review", 9)
