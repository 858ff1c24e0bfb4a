"""`token new`: the token once on standard output, its hash to paste, nothing stored."""

import tomllib

import pytest

from quality.api.tokens import hash_of, who_sends
from quality.settings import load_settings


def test_what_is_pasted_lets_the_token_in(run, tmp_path, ledger_path):
    """Standard output is the token alone; the lines for quality.toml are those that the settings read."""
    done = run("token", "new", "ci", "--scope", "ingest", "--scope", "read", "--days", "3")
    token = done.out.strip()
    pasted = done.err[done.err.index("[server") :]
    assert done.code == 0
    assert token.startswith("qt_")
    assert token not in done.err
    assert tomllib.loads(pasted)["server"]["tokens"]["ci"]["sha256"] == hash_of(token)
    (tmp_path / "quality.toml").write_text(pasted)
    settings = load_settings(ledger_path).values
    who = who_sends(f"Bearer {token}", None, settings.server.tokens)
    assert (who.name, who.scopes, who.on_behalf) == ("token:ci", {"ingest", "read"}, False)


def test_nothing_is_stored_and_no_token_is_made_twice(run, ledger_path):
    """A token that is lost is made anew."""
    first, second = (run("token", "new", "ci", "--scope", "review", "--on-behalf", "--json").json for _ in range(2))
    assert first["token"] != second["token"]
    assert "on_behalf = true" in first["toml"]
    assert not ledger_path.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["a.b", "--scope", "read"], "not a name"),
        (["token:x", "--scope", "read"], "not a name"),
        (["x", "--scope", "admin"], "no such scope: give ingest, review, read"),
        (["x"], "--scope"),
    ],
)
def test_a_name_or_scope_that_does_not_fit_is_refused(run, words, reason):
    """In one line that says what does."""
    done = run("token", "new", *words)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err


def test_a_token_pasted_in_place_of_its_hash_is_not_shown(run, tmp_path):
    """It is refused without being repeated, in the settings and by doctor."""
    token = run("token", "new", "ci", "--scope", "read").out.strip()
    (tmp_path / "quality.toml").write_text(f'[server.tokens.ci]\nsha256 = "{token}"\nscopes = ["read"]\n')
    done = run("doctor")
    assert done.code == 2
    assert "server.tokens.ci.sha256" in done.err
    assert token not in done.out + done.err
