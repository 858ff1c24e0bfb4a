"""Does the screen Prompts show what a judge said, say why there is no score, and compare two versions?"""

import json

import pytest

from pages.components import prompt_draft, prompt_history, prompt_view
from quality.commands import EvaluatedPrompt, ImportArtifact, ListEvaluations, StoreEvaluations
from quality.evaluation import EvaluationMetadata
from quality.judges import ScriptedJudge
from quality.judging import JudgeFailure, JudgeReply
from quality.prompts import score_reply, sha256_of
from tests.pages.conftest import HOSTILE, texts

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")
REPLY = json.dumps({
    "structure": {"score": 9, "feedback": HOSTILE}, "clarity": {"score": 8, "feedback": "One meaning."},
    "completeness": {"score": 6, "feedback": "No output format."}, "specificity": {"score": 6, "feedback": "Vague."},
    "suggestions": ["Say **how** long.", HOSTILE],
})  # fmt: skip
"""(9 + 8 + 6 + 6) / 4 = 7.25, halves up 7.3: Good, yellow."""
LOWER = REPLY.replace('"score": 9', '"score": 5')
"""(5 + 8 + 6 + 6) / 4 = 6.25 → 6.3: Adequate, yellow; 1.0 and on structure 4.0 less."""


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def judge(monkeypatch):
    """`judge(answer)` → the questions it gets; it answers as a model of OpenAI's, whatever is chosen."""

    def say(answer):
        asked = []

        def script(request):
            asked.append(request)
            if isinstance(answer, JudgeFailure):
                return answer
            return JudgeReply(
                text=answer,
                model="gpt-4o-mini",
                backend="openai",
                input_tokens=1200,
                output_tokens=80,
                latency_ms=1250.0,
            )

        monkeypatch.setattr(prompt_draft, "open_judge", lambda *_, **__: ScriptedJudge([script]))
        return asked

    return say


def evaluate(page, text, name="bot"):
    """Type, press Evaluate, and wait for the judge."""
    page.text_area(key="prompt_text").set_value(text)
    page.text_input(key="prompt_name").set_value(name)
    page.button(key="evaluate").click().run()
    return settled(page)


def settled(page):
    if "job:evaluation" in page.session_state:
        page.session_state["job:evaluation"].finished.wait()
        page.run()
    assert not page.exception
    return page


def stored(ledger, text="A prompt", reply=REPLY, name="bot", story_id=None, **metadata):
    """An evaluation in the ledger; its id."""
    known = {"backend": "openai", "model": "gpt-4o-mini", "prompt_version": "evaluate_prompt-v1"} | metadata
    found = score_reply(reply, (1, 1, 1, 1)).model_copy(
        update={"metadata": EvaluationMetadata(**known, prompt_sha256=sha256_of(text))}
    )
    kept = EvaluatedPrompt(text=text, name=name, story_id=story_id, evaluation=found)
    return ledger.execute(StoreEvaluations(actor="dana", evaluations=[kept])).evaluation_ids[0]


def opened(open_page, evaluation_id, **state):
    return open_page("prompts", **{"url:evaluation": evaluation_id}, **state)


def table(page, column):
    return next(frame.value for frame in page.dataframe if column in frame.value.columns)


def shown(page):
    return [element.value for element in (*page.markdown, *page.caption, *page.subheader, *page.error)]


def test_an_empty_screen_says_what_is_judged(empty, open_page):
    """Four dimensions, no prompt yet; nothing is to be picked."""
    page = open_page("prompts")
    assert [heading.value for heading in page.subheader] == ["Prompt", "What is judged", "All prompts"]
    assert sum(text.startswith("**") for text in shown(page)) == 4
    assert any("No prompts yet. The first that is evaluated shows here" in text for text in shown(page))
    assert page.selectbox(key="prompt_from_history").disabled


def test_judges_without_a_key_are_listed_with_the_reason_and_cannot_be_chosen(empty, open_page):
    page = open_page("prompts")
    assert page.selectbox(key="prompt_judge").options == ["scripted: no real judgement"]
    said = " ".join(shown(page))
    assert "Anthropic cannot be asked: no key: set ANTHROPIC_API_KEY" in said
    assert "OpenAI cannot be asked: no key: set OPENAI_API_KEY" in said


def test_a_judge_with_a_key_is_chosen_before_the_scripted_one(empty, open_page, monkeypatch):
    """The key itself is nowhere on the page."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
    page = open_page("prompts")
    assert page.selectbox(key="prompt_judge").options == ["OpenAI · gpt-4o-mini", "scripted: no real judgement"]
    assert page.selectbox(key="prompt_judge").value == "openai"
    assert "0123456789" not in str([*shown(page), *texts(page)])


def test_an_evaluation_shows_score_label_colour_and_the_judges_words(empty, open_page, judge):
    """7.25 is 7.3, Good and yellow; the table has score and weight, feedback and suggestions stand as text."""
    asked = judge(REPLY)
    page = evaluate(open_page("prompts"), "Answer in at most three sentences.")
    assert {metric.label: metric.value for metric in page.metric} == {"Overall": "7.3"}
    assert any(":yellow-badge[" in text and "Good · yellow" in text for text in shown(page))
    rows = table(page, "dimension_weight").set_index("dimension")
    assert rows["dimension_score"].to_dict() == {
        "Structure": 9.0, "Clarity": 8.0, "Completeness": 6.0, "Specificity": 6.0
    }  # fmt: skip
    assert rows["dimension_weight"].tolist() == [0.25] * 4
    assert HOSTILE in texts(page)
    assert f"2. {HOSTILE}" in texts(page)
    assert "script" not in str(shown(page))
    assert len(asked) == 1
    assert "Answer in at most three sentences." in asked[0].user


def test_who_judged_and_what_it_took_are_there(empty, open_page, judge):
    judge(REPLY)
    page = evaluate(open_page("prompts"), "A prompt")
    facts = table(page, "value").set_index("name")["value"].to_dict()
    assert facts.items() >= {
        "Judge": "openai", "Model": "gpt-4o-mini", "Judge's instructions": "evaluate_prompt-v1", "Tokens in": "1,200",
        "Tokens out": "80", "Latency": "1.2 s", "SHA-256 of the text": sha256_of("A prompt"), "Recorded by": "dashboard",
    }.items()  # fmt: skip
    assert "A prompt" in texts(page)


def test_it_is_stored_and_stands_in_the_url(empty, open_page, judge):
    """A link shows the same evaluation; the name that was left out is the first line."""
    judge(REPLY)
    page = evaluate(open_page("prompts"), "\n You are a bot.\nBe short.", name="")
    (row,) = empty.ask(ListEvaluations())["evaluations"]
    assert (row["name"], row["overall"], row["actor"], row["story_id"]) == ("You are a bot.", 7.3, "dashboard", None)
    assert page.query_params["evaluation"] in (row["evaluation_id"], [row["evaluation_id"]])
    again = opened(open_page, row["evaluation_id"])
    assert again.metric[0].value == "7.3"
    assert table(again, "n_evaluations").loc[0, ["prompt", "overall", "label"]].tolist() == [
        "You are a bot.",
        7.3,
        "Good",
    ]


def test_a_reply_that_cannot_be_read_is_failed_and_shown_on_request(empty, open_page, judge):
    """No score, no guess, nobody is asked again; code, remedy and the raw words as text. It is kept."""
    asked = judge(f"An 8, I would say. {HOSTILE}")
    page = evaluate(open_page("prompts"), "A prompt")
    assert page.error[0].value == "No score: the judge's answer cannot be read. Nothing is guessed."
    assert any(text.startswith("EVALUATION_PARSE_FAILED: the reply is not JSON") for text in texts(page))
    assert f"An 8, I would say. {HOSTILE}" in texts(page)
    assert not page.metric
    assert len(asked) == 1
    assert [row["status"] for row in empty.ask(ListEvaluations())["evaluations"]] == ["FAILED"]
    assert table(page, "n_evaluations").loc[0, "label"] == "FAILED"


def test_a_judge_without_an_answer_leaves_nothing_and_keeps_the_draft(empty, open_page, judge):
    judge(JudgeFailure(code="rate_limit", message="429 of <b>the server</b>: wait a minute", backend="openai"))
    page = evaluate(open_page("prompts"), "A prompt")
    assert page.error[0].value == "The judge gave no answer, so there is no score. Nothing was stored."
    assert "429 of <b>the server</b>: wait a minute" in texts(page)
    assert page.text_area(key="prompt_text").value == "A prompt"
    assert empty.ask(ListEvaluations())["evaluations"] == []
    judge(REPLY)
    page.button(key="evaluate").click().run()
    assert not settled(page).error


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the prompt is empty or blank: give 1 to 50,000 characters"),
        (" \n", "the prompt is empty or blank: give 1 to 50,000 characters"),
        ("x" * 50_001, "the prompt has 50,001 characters: give 1 to 50,000, for example its part that matters"),
    ],
    ids=["empty", "blank", "too long"],
)
def test_a_prompt_of_a_bad_length_is_refused_before_anybody_is_asked(empty, open_page, judge, text, reason):
    """What was typed is still there to be shortened."""
    asked = judge(REPLY)
    page = evaluate(open_page("prompts"), text)
    assert page.error[0].value == "Not evaluated."
    assert reason in texts(page)
    assert asked == []
    assert page.text_area(key="prompt_text").value == text


def test_the_longest_prompt_is_judged(empty, open_page, judge):
    judge(REPLY)
    assert evaluate(open_page("prompts"), "x" * 50_000).metric[0].value == "7.3"


def test_a_scripted_score_is_marked_wherever_it_stands(empty, open_page):
    """In the result and in the list, in the same words."""
    page = evaluate(open_page("prompts"), "A prompt")
    assert any("scripted: no real judgement" in text for text in shown(page))
    assert table(page, "n_evaluations").loc[0, "judge"] == "scripted: no real judgement"


def test_two_versions_are_compared_side_by_side(empty, open_page):
    """6.3 then 7.3: overall + 1.0, structure 5 then 9 + 4.0, the rest 0; the changed lines as text."""
    first = stored(empty, "Same\nOld <b>line</b>", LOWER)
    second = stored(empty, "Same\nNew line", REPLY)
    page = opened(open_page, second, **{"url:against": first})
    rows = table(page, "difference").set_index("dimension")
    assert rows.loc["Overall", ["before", "after"]].tolist() == [6.3, 7.3]
    assert rows["difference"].tolist() == pytest.approx([1.0, 4.0, 0.0, 0.0, 0.0])
    assert "--- v1\n+++ v2\n@@ -1,2 +1,2 @@\n Same\n-Old <b>line</b>\n+New line" in texts(page)
    assert opened(open_page, first, **{"url:against": second}).dataframe[2].value.equals(page.dataframe[2].value)


def test_choosing_what_to_compare_with_stands_in_the_url(empty, open_page):
    first, second = stored(empty, "a", LOWER), stored(empty, "b", REPLY)
    page = opened(open_page, second)
    page.selectbox(key=f"against-{second}").select_index(0).run()
    assert page.query_params["against"] in (first, [first])
    assert table(page, "difference") is not None


def test_a_difference_of_a_failed_evaluation_is_unknown(empty, open_page):
    """Not 0, and not the other's score."""
    first, second = stored(empty, "a", "no json"), stored(empty, "b", REPLY)
    rows = table(opened(open_page, second, **{"url:against": first}), "difference")
    assert rows["difference"].isna().all()
    assert rows["after"].notna().all()


def test_another_judge_is_said(empty, open_page):
    first, second = stored(empty, "a", model="claude-x"), stored(empty, "b")
    page = opened(open_page, second, **{"url:against": first})
    assert any("Different judges" in text for text in shown(page))


def test_the_history_is_of_this_prompt_alone(empty, open_page):
    """The same name within a story is another prompt; the latest is first."""
    empty.execute(ImportArtifact(actor="ci", path=str(rows_file(empty)), story_id=None))
    stored(empty, "elsewhere", name="bot", story_id="S-1")
    stored(empty, "a", LOWER)
    page = opened(open_page, stored(empty, "b", REPLY))
    history = next(f.value for f in page.dataframe if list(f.value.columns) == list(prompt_history.COLUMNS))
    assert history[["version", "overall"]].values.tolist() == [[2, 7.3], [1, 6.3]]
    prompts = table(page, "n_evaluations")
    assert prompts["prompt"].tolist() == ["bot", "S-1 · bot"]
    assert prompts["n_evaluations"].tolist() == [2, 1]


def rows_file(ledger):
    path = ledger.path.with_name("rows.csv")
    path.write_text("story_id,agent,model,done_criteria\nS-1,builder,m1,It <b>works</b>.\n")
    return path


def test_done_criteria_can_be_picked_and_keep_their_story(empty, open_page, judge):
    """The evaluation belongs to the story, under its own name."""
    empty.execute(ImportArtifact(actor="ci", path=str(rows_file(empty))))
    judge(REPLY)
    page = open_page("prompts")
    page.selectbox(key="prompt_from_story").set_value("S-1").run()
    assert page.text_area(key="prompt_text").value == "It <b>works</b>."
    assert "Story S-1" in texts(page)
    page.button(key="evaluate").click().run()
    settled(page)
    (row,) = empty.ask(ListEvaluations(story_id="S-1"))["evaluations"]
    assert (row["name"], row["story_id"], row["overall"]) == ("done_criteria", "S-1", 7.3)
    page.button(key="detach_story").click().run()
    assert "Story S-1" not in texts(page)


def test_a_prompt_of_the_history_can_be_edited(empty, open_page):
    """Text and name are in hand again, so that the next evaluation is its next version."""
    page = opened(open_page, stored(empty, "Old text"))
    page.button(key="edit_text").click().run()
    assert (page.text_area(key="prompt_text").value, page.text_input(key="prompt_name").value) == ("Old text", "bot")
    assert "evaluation" not in page.query_params
    picked = open_page("prompts")
    picked.selectbox(key="prompt_from_history").select_index(0).run()
    assert picked.text_area(key="prompt_text").value == "Old text"


def test_a_link_from_a_story_takes_its_text_in_hand(empty, open_page):
    """Once: what is typed afterwards stays."""
    empty.execute(ImportArtifact(actor="ci", path=str(rows_file(empty))))
    run_id = empty.store.rows("SELECT run_id::VARCHAR AS run_id FROM ledger")[0]["run_id"]
    page = open_page("prompts", run=run_id, **{"url:of": "done_criteria"})
    assert page.text_area(key="prompt_text").value == "It <b>works</b>."
    page.text_area(key="prompt_text").set_value("better").run()
    assert page.text_area(key="prompt_text").value == "better"


def test_a_link_to_no_evaluation_says_so(empty, open_page):
    page = opened(open_page, "nonsense")
    assert page.error[0].value == "This evaluation is not in the open ledger."
    assert "nonsense: no such evaluation: list them with list_evaluations" in texts(page)


def test_every_colour_of_the_model_has_a_look_with_a_shape_of_its_own():
    """Nothing leans on the colour alone."""
    from quality.dimensions import COLOURS

    assert set(prompt_view.LOOKS) == {colour for _, colour in COLOURS}
    assert len({icon for _, icon in prompt_view.LOOKS.values()}) == len(COLOURS)


def test_every_number_of_the_screen_is_in_the_catalogue():
    from quality.definitions import DEFINITIONS

    names = {
        *prompt_view.PARTS,
        *prompt_history.COLUMNS,
        *prompt_history.PROMPTS,
        "difference",
        *prompt_view.MEASURED[1:],
    }
    assert names <= set(DEFINITIONS)
