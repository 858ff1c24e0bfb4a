"""Commands over HTTP: who may send them, what comes back, and what never does."""

import json
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from quality.api import routes
from quality.errors import QualityError

RATING = {"actor": "eli", "reviewer": "eli", "story_id": "S-1", "rating": 4}


def test_a_command_is_carried_out_and_answered(owner):
    """The answer is that of the ledger, with times in UTC."""
    answer = owner.post("add_rating", RATING)
    assert answer.status_code == 200
    assert answer.json()["row"]["quality"] == 4.0
    assert answer.json()["row"]["ts"].endswith("Z")
    assert owner.post("list_scores", {}).json()["total"] == 1


def test_the_same_key_again_changes_nothing(owner):
    """A request that is sent again after a lost answer does not rate twice."""
    first, again = (owner.post("add_rating", RATING | {"idempotency_key": "k-1"}).json() for _ in range(2))
    assert first == again
    assert len(owner.post("show_story", {"story_id": "S-1"}).json()["runs"][0]["overrides"]) == 2


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", "Basic abc", "Bearer é"])
def test_without_the_secret_nothing_is_told(owner, given):
    """401 whatever the name and the body are."""
    headers = {"Authorization": given.encode("latin-1")}
    url = f"{owner.address}/api/v1/commands/"
    for name in ("add_rating", "no_such"):
        answer = httpx.post(url + name, json=RATING, headers=headers, trust_env=False, verify=False)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert owner.secret not in answer.text


@pytest.mark.parametrize(
    ("name", "body", "status", "reason"),
    [
        ("add_ratng", {}, 404, "add_ratng: no such command. Did you mean: add_rating"),
        (
            "add_rating",
            RATING | {"rating": 11},
            422,
            "add_rating: rating = 11: Input should be less than or equal to 10",
        ),
        ("add_rating", RATING | {"ratng": 1}, 422, "add_rating: ratng: no such field. Did you mean: rating"),
        ("add_rating", {"rating": 1}, 422, "missing: give it"),
        ("add_rating", RATING | {"story_id": "S-9"}, 404, "S-9: no such story. Did you mean: S-1?"),
        ("undo_rating", {"actor": "x", "reviewer": "x", "story_id": "S-1"}, 409, "the latest is by dana"),
        ("export_rows", {"full": True}, 400, "--full is written as jsonl"),
        ("import_artifact", {"actor": "x", "path": "/etc/hostname"}, 422, "send multipart/form-data"),
    ],
)
def test_a_fault_is_one_line_with_its_exit_code(owner, name, body, status, reason):
    """Status, {"error", "exit_code"}, no traceback."""
    answer = owner.post(name, body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "exit_code"}
    assert reason in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert answer.json()["exit_code"] == 2


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"rating": NaN}', b"null"])
def test_a_body_that_is_no_command_is_refused(owner, body):
    """Whatever the bytes are."""
    headers = {"Authorization": f"Bearer {owner.secret}"}
    answer = httpx.post(
        f"{owner.address}/api/v1/commands/add_rating", content=body, headers=headers, trust_env=False, verify=False
    )
    assert answer.status_code == 422


def test_other_methods_and_addresses_are_refused(owner):
    """405 names what is allowed, 404 the address."""
    headers = {"Authorization": f"Bearer {owner.secret}"}
    answer = httpx.get(f"{owner.address}/api/v1/commands/add_rating", headers=headers, trust_env=False, verify=False)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert httpx.get(f"{owner.address}/api/v2", trust_env=False, verify=False).status_code == 404


def test_a_request_over_the_limit_is_refused(owner):
    """413, declared or not: a body without a length is cut off."""
    big = RATING | {"note": "x" * (1 << 20)}
    assert owner.post("add_rating", big).status_code == 413
    headers = {"Authorization": f"Bearer {owner.secret}"}
    undeclared = iter([json.dumps(big).encode()[:600_000], json.dumps(big).encode()[600_000:]])
    url = f"{owner.address}/api/v1/commands/add_rating"
    assert httpx.post(url, content=undeclared, headers=headers, trust_env=False, verify=False).status_code == 413


def test_the_bytes_of_an_artifact_travel_and_no_path_is_opened(owner, tmp_path: Path):
    """The path in the command is a name to show, whatever it points at."""
    secret_file = tmp_path / "private.txt"
    secret_file.write_text("not yours")
    command = {"actor": "eli", "path": str(secret_file), "label": "r.bin"}
    parts = {"command": (None, json.dumps(command)), "artifact": ("../../x", b"\x00\x01 no format")}
    headers = {"Authorization": f"Bearer {owner.secret}"}
    url = f"{owner.address}/api/v1/commands/import_artifact"
    answer = httpx.post(url, files=parts, headers=headers, trust_env=False, verify=False)
    assert answer.status_code == 200
    assert (answer.json()["path"], answer.json()["status"]) == ("r.bin", "rejected")
    assert "not yours" not in answer.text
    no_artifact = httpx.post(
        url, files={"command": (None, json.dumps(command))}, headers=headers, trust_env=False, verify=False
    )
    assert no_artifact.status_code == 422
    odd = {**parts, "../../evil": ("evil", b"x")}
    assert "no such part" in httpx.post(url, files=odd, headers=headers, trust_env=False, verify=False).json()["error"]
    twice = [*parts.items(), ("artifact", ("y", b"x"))]
    assert "comes twice" in httpx.post(url, files=twice, headers=headers, trust_env=False, verify=False).json()["error"]


def test_an_export_is_streamed_with_its_number_of_rows(owner):
    """The body is the file."""
    answer = owner.post("export_rows", {"bom": True})
    assert answer.headers["quality-rows"] == "1"
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbfrun_id,address,")
    assert answer.content.endswith(b"\r\n")


def test_an_unexpected_fault_tells_nothing_of_the_inside(owner, monkeypatch, caplog):
    """500 and a sentence; the traceback is in the owner's log."""
    monkeypatch.setattr(owner.ledger, "ask", lambda question, who=None: 1 / 0)
    answer = owner.post("examine", {})
    assert answer.status_code == 500
    assert answer.json() == {"error": "the ledger's owner met an unexpected fault: see its log", "exit_code": 2}
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("starting", [lambda: None, lambda: (_ for _ in ()).throw(QualityError("not open"))])
def test_before_the_ledger_is_open_callers_are_told_to_wait(serve, starting):
    """503, which a caller waits for."""
    with serve(Starlette(routes=routes(starting))) as address:
        assert (
            httpx.post(f"{address}/api/v1/commands/examine", json={}, trust_env=False, verify=False).status_code == 503
        )
