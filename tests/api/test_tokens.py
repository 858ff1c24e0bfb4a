"""What a token opens over HTTP, what it does not, and under which name its writes stand."""

import json
from datetime import date

import httpx
import pytest

from quality.api.tokens import Unauthorised, hash_of, new_token, who_sends
from quality.ledger.ledger import Ledger
from quality.roles import OWNER
from quality.server_settings import TokenSettings
from quality.settings import Settings

SENT = {name: f"qt_{name}" for name in ("ci", "bot", "reader", "panel", "old")}
TOKENS = {
    "ci": {"scopes": ["ingest"]},
    "bot": {"scopes": ["review", "read"]},
    "reader": {"scopes": ["read"]},
    "panel": {"scopes": ["review"], "on_behalf": True},
    "old": {"scopes": ["read"], "expires": "2026-01-31"},
}
SETTINGS = Settings.model_validate(
    {"server": {"tokens": {name: {"sha256": hash_of(SENT[name]), **rest} for name, rest in TOKENS.items()}}}
)
RATING = {"story_id": "S-1", "rating": 4}


@pytest.fixture
def post(tmp_path, serve_ledger):
    """`post("ci", "add_rating", body)`: a request with the token of that name."""
    with Ledger(tmp_path / "ledger.duckdb", SETTINGS, served=True) as ledger, serve_ledger(ledger) as owner:
        owner.post("add_rating", {"actor": "dana", "reviewer": "dana", "create": True, **RATING})

        def send(token, name, body=None, **parts):
            headers = {"Authorization": f"Bearer {SENT.get(token, token)}"}
            url = f"{owner.address}/api/v1/commands/{name}"
            body = {"files": parts} if parts else {"json": {} if body is None else body}
            return httpx.post(url, headers=headers, timeout=30, trust_env=False, **body)

        send.ledger = ledger
        send.owner = owner
        yield send


def audit(post):
    """(command, actor, reviewer) of each write, the oldest first."""
    found = post.ledger.store.rows("SELECT name, actor, request FROM audit ORDER BY recorded_at")
    return [(row["name"], row["actor"], json.loads(row["request"]).get("reviewer")) for row in found]


def test_a_token_that_ingests_stores_an_artifact_under_its_own_name(post):
    """It need not say who it is; it may neither read nor rate."""
    parts = {
        "command": (None, json.dumps({"path": "r.log", "story_id": "S-1"})),
        "artifact": ("r.log", b"5 passed in 1.0s"),
    }
    answer = post("ci", "import_artifact", **parts)
    assert (answer.status_code, answer.json()["status"]) == (200, "imported"), answer.text
    assert audit(post)[-1][:2] == ("import_artifact", "token:ci")
    for name in ("list_scores", "export_rows", "add_rating", "rebuild"):
        assert post("ci", name, RATING if name == "add_rating" else {}).status_code == 403
    record = {"metadata": {"response_id": "r-1", "model": "m1", "occurred_at": "2026-03-02T12:00:00Z"}}
    assert post("ci", "store_responses", {"responses": [record]}).json()["stored"] == 1


def test_a_token_that_reviews_rates_under_its_own_name(post):
    """Rating, reviewer and actor are the token's; another's name is refused with the reason."""
    assert post("bot", "add_rating", RATING).status_code == 200
    assert audit(post)[-1] == ("add_rating", "token:bot", "token:bot")
    for forged in ({"actor": "dana"}, {"reviewer": "dana"}, {"actor": "dana", "reviewer": "dana"}):
        answer = post("bot", "add_rating", RATING | forged)
        assert answer.status_code == 403
        assert "token:bot writes under no other name" in answer.json()["error"]
    assert len(audit(post)) == 2


def test_a_token_that_rates_on_behalf_is_named_in_the_audit(post):
    """Whose rating it is and who sent it are two things."""
    assert post("panel", "add_rating", RATING | {"reviewer": "dana"}).status_code == 200
    assert audit(post)[-1] == ("add_rating", "token:panel", "dana")
    assert post("panel", "add_rating", RATING | {"actor": "dana", "reviewer": "dana"}).status_code == 403


def test_a_token_that_reads_asks_and_exports_and_writes_nothing(post):
    """The export is streamed as for the owner."""
    assert post("reader", "list_scores").json()["total"] == 1
    assert post("reader", "export_rows").content.startswith(b"run_id,")
    for name in ("add_rating", "rebuild", "prune_responses"):
        refused = post("reader", name, RATING if name == "add_rating" else {})
        assert refused.status_code == 403
        assert refused.json()["exit_code"] == 2


def test_a_refusal_says_what_is_missing(post):
    """The scope it needs, those it has, and for what no token may do who may."""
    assert post("reader", "add_rating", RATING).json()["error"] == (
        "add_rating needs the scope review, and token:reader has read: use a token that has it"
    )
    assert "rebuild is open to no token" in post("bot", "rebuild").json()["error"]
    forced = {"story_id": "S-1", "force": True}
    assert "open to no token" in post("bot", "undo_rating", forced).json()["error"]


def test_a_token_is_refused_before_its_body_is_received(post):
    """Whatever is in it."""
    assert post("reader", "import_artifact", {"no": "command"}).status_code == 403


@pytest.mark.parametrize("sent", ["old", "qt_", "qt_ci2", hash_of(SENT["ci"])])
def test_unknown_expired_and_hashed_tokens_are_nobodys(post, sent):
    """What is kept cannot be sent; the answer does not say which it was."""
    answer = post(sent, "list_scores")
    assert answer.status_code == 401
    assert "missing, wrong or expired" in answer.json()["error"]


def test_the_owners_secret_stays_the_owner(post):
    """Under any name, and with everything an admin may."""
    assert post.owner.post("rebuild", {"actor": "eli"}).status_code == 200
    assert audit(post)[-1][:2] == ("rebuild", "eli")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'"actor"', b'{"actor": NaN}', b"\xff"])
def test_a_body_that_is_no_command_is_refused_for_a_token_too(post, body):
    """Its name is put only into what is an object."""
    headers = {"Authorization": f"Bearer {SENT['bot']}"}
    url = f"{post.owner.address}/api/v1/commands/add_rating"
    assert httpx.post(url, content=body, headers=headers, trust_env=False).status_code == 422


def kept(token, **more):
    return {"x": TokenSettings(sha256=hash_of(token), scopes=("read",), **more)}


def test_a_token_works_through_its_last_day():
    """In UTC."""
    tokens = kept("t", expires=date(2026, 3, 1))
    assert who_sends("Bearer t", None, tokens, date(2026, 3, 1)).name == "token:x"
    with pytest.raises(Unauthorised):
        who_sends("Bearer t", None, tokens, date(2026, 3, 2))


@pytest.mark.parametrize("header", ["t", "Basic t", "Bearer", "Bearer  t", "Bearer t ", "BearerT t", "Bearer t,t"])
def test_only_a_bearer_token_in_its_form_counts(header):
    """The scheme in any case, as RFC 9110 has it."""
    with pytest.raises(Unauthorised):
        who_sends(header, None, kept("t"))
    assert who_sends("bearer t", None, kept("t")).name == "token:x"


def test_without_a_secret_nobody_is_the_owner():
    """Not even somebody who sends nothing."""
    for header in ("", "Bearer ", "Bearer None"):
        with pytest.raises(Unauthorised):
            who_sends(header, None, {})
    assert who_sends("Bearer s", "s", {}) is OWNER


def test_every_token_is_compared_in_constant_time(monkeypatch):
    """All of them, whether the first fits or none does."""
    compared = []
    monkeypatch.setattr("quality.api.tokens.secrets.compare_digest", lambda a, b: compared.append((a, b)) or a == b)
    tokens = {f"n{n}": TokenSettings(sha256=hash_of(f"t{n}"), scopes=("read",)) for n in range(3)}
    for sent in ("t0", "t2", "none"):
        compared.clear()
        if sent == "none":
            with pytest.raises(Unauthorised):
                who_sends(f"Bearer {sent}", "s", tokens)
        else:
            who_sends(f"Bearer {sent}", "s", tokens)
        assert len(compared) == 4


def test_new_tokens_are_long_and_all_different():
    """43 characters of 6 bits after the prefix: 256 random bits."""
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert {len(token.removeprefix("qt_")) for token in made} == {43}
