"""Are the questions of trust answered over HTTP as they are by the command line? Numbers of tests/trust_by_hand.py."""

import pytest

from quality.trust_commands import TRUST_REQUESTS
from tests.trust_by_hand import ONE_MODEL, REVIEWED, fill


@pytest.mark.parametrize("question", TRUST_REQUESTS, ids=lambda question: question.name)
def test_every_question_has_an_answer_in_json(owner, tmp_path, question):
    """On a ledger with verified, reviewed and lacking models."""
    fill(owner.ledger, tmp_path, [*ONE_MODEL, *REVIEWED])
    body = {"verifier_model": "gpt-5-mini"} if question.name == "list_pairs" else {}
    answer = owner.post(question.name, body)
    assert (answer.status_code, "error" in answer.json()) == (200, False)


def test_a_route_over_http_names_the_best(owner, tmp_path):
    """With its kind of work as stated; one that is misspelt is refused by name."""
    fill(owner.ledger, tmp_path, REVIEWED)
    found = owner.post("show_route", {"discipline": "backend"}).json()
    assert (found["best"], found["models"][0]["p_best"]) == (["gpt-5"], 1)
    refused = owner.post("show_route", {"dicipline": "backend"})
    assert (refused.status_code, "dicipline" in refused.json()["error"]) == (422, True)


def test_a_time_to_come_is_refused(owner):
    """Nobody knows what will be known; a time without a zone is no instant."""
    answer = owner.post("rank_models", {"as_of": "2999-01-01T00:00:00Z"})
    assert (answer.status_code, "is yet to come" in answer.json()["error"]) == (400, True)
    assert owner.post("rank_models", {"as_of": "2026-01-01T00:00:00"}).status_code == 422
