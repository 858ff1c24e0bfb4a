"""What a login's claims open: by e-mail only if it was verified, by claim, under which name, and until when."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quality.logins import person_of
from quality.roles import ROLES
from quality.server_settings import RoleSettings
from quality.settings import load_settings

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANA = {"sub": "u-1", "name": "Ana Roe", "email": "Ana@Example.org", "email_verified": True, "iat": NOON.timestamp()}
BY_EMAIL = {"by_email": {"ana@example.ORG": "admin", "*@example.org": "reviewer"}}
BY_CLAIM = {"claim": "groups", "by_claim": {"quality": "reviewer", "leads": "admin"}}


def role(claims, **roles):
    found = person_of(claims, RoleSettings.model_validate(roles), NOON)
    return found.who.role if found.who else None


def test_a_verified_email_gives_its_role_in_any_case():
    """An exact address goes with its domain; the highest that fits counts."""
    assert role(ANA, **BY_EMAIL) == "admin"
    assert role(ANA | {"email": "bob@example.org"}, **BY_EMAIL) == "reviewer"
    assert role(ANA | {"email": "bob@evil-example.org"}, **BY_EMAIL) is None
    assert role(ANA | {"email": "ana@example.org@evil.example"}, **BY_EMAIL) is None


@pytest.mark.parametrize("verified", [False, None, "false", 1, "yes", ""])
def test_an_email_that_was_not_verified_gives_nothing(verified):
    """Neither a role nor the name under which the ledger would record it."""
    claims = ANA | {"email_verified": verified}
    assert role(claims, **BY_EMAIL) is None
    found = person_of(claims, RoleSettings(logged_in="viewer"), NOON)
    assert (found.who.name, found.who.role, found.shown) == ("u-1", "viewer", "Ana Roe")
    assert "not verified" in person_of(claims, RoleSettings.model_validate(BY_EMAIL), NOON).reason


def test_a_provider_that_never_says_can_be_trusted_and_one_that_says_no_cannot():
    """`trust_unstated_email` fills silence only."""
    silent = {name: value for name, value in ANA.items() if name != "email_verified"}
    assert role(silent, **BY_EMAIL, trust_unstated_email=True) == "admin"
    assert role(silent | {"email_verified": False}, **BY_EMAIL, trust_unstated_email=True) is None


@pytest.mark.parametrize(
    ("groups", "expected"),
    [("quality", "reviewer"), (["x", "quality"], "reviewer"), (["quality", "leads"], "admin"), ("leads quality", None),
     ([], None), (None, None), ({"quality": 1}, None), ([["leads"]], None), (7, None)],
)  # fmt: skip
def test_a_claim_may_be_one_text_or_a_list(groups, expected):
    """Whatever else a provider sends there gives nothing."""
    assert role(ANA | {"groups": groups}, **BY_CLAIM) == expected


def test_a_claim_is_found_by_its_name_or_its_path():
    """A name may hold dots itself."""
    nested = ANA | {"realm_access": {"roles": ["leads"]}}
    assert role(nested, claim="realm_access.roles", by_claim={"leads": "admin"}) == "admin"
    dotted = ANA | {"https://team.example/roles": ["leads"]}
    assert role(dotted, claim="https://team.example/roles", by_claim={"leads": "admin"}) == "admin"
    assert role(ANA, claim="email.domain", by_claim={"example.org": "admin"}) is None


def test_an_unknown_person_gets_nothing_unless_that_is_said():
    """And is told whom to ask; with many providers anybody in the world can log in."""
    found = person_of(ANA, RoleSettings(), NOON)
    assert found.who is None
    assert found.reason == "Nobody has given ana@example.org a role here. Ask whoever keeps quality.toml for it."
    assert role(ANA, logged_in="viewer") == "viewer"


@pytest.mark.parametrize(
    ("claims", "name_claim", "expected"),
    [
        (ANA, "email", "ana@example.org"),
        (ANA, "name", "Ana Roe"),
        (ANA | {"preferred_username": " ana \n roe "}, "preferred_username", "ana roe"),
        (ANA, "nickname", "u-1"),
        (ANA | {"name": "token:ci"}, "name", "u-1"),
        (ANA | {"name": "x" * 201}, "name", "u-1"),
    ],
)
def test_people_are_recorded_under_the_claim_that_the_settings_name(claims, name_claim, expected):
    """Else under `sub`, which is theirs alone; nobody passes for a token."""
    found = person_of(claims, RoleSettings(name_claim=name_claim, logged_in="reviewer"), NOON)
    assert found.who.name == expected


def test_a_login_that_names_nobody_opens_nothing():
    """What is written must be somebody's."""
    claims = {"iat": NOON.timestamp(), "email": "a@example.org"}
    assert person_of(claims, RoleSettings(logged_in="admin"), NOON).who is None


def test_a_login_ends():
    """After `login_hours`, counted from its issue; without that at its own end; without either at once."""
    hour = timedelta(hours=1)
    roles = RoleSettings(logged_in="viewer", login_hours=2)
    assert person_of(ANA, roles, NOON + 2 * hour).who
    over = person_of(ANA, roles, NOON + 2 * hour + timedelta(seconds=1))
    assert (over.who, over.reason) == (None, "Your login has ended: log in again.")
    ends = {**ANA, "iat": None, "exp": (NOON + hour).timestamp()}
    assert person_of(ends, roles, NOON + hour).who
    assert person_of(ends, roles, NOON + hour + timedelta(seconds=1)).who is None
    assert person_of({**ANA, "iat": None}, roles, NOON).who is None


VALUES = st.none() | st.booleans() | st.floats() | st.integers() | st.text()
NAMES = ("sub", "name", "email", "email_verified", "groups", "iat", "exp")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, VALUES | st.lists(VALUES, max_size=3))))
def test_no_claim_whatever_it_holds_makes_a_fault(claims):
    """A login opens what the settings give, or nothing with a reason."""
    found = person_of(claims, RoleSettings.model_validate(BY_EMAIL | BY_CLAIM | {"logged_in": "viewer"}), NOON)
    assert (found.who is None) == bool(found.reason)
    assert found.who is None or (found.who.role in ROLES and found.who.name)


@pytest.mark.parametrize(
    ("roles", "reason"),
    [({"by_email": {"ana": "admin"}}, "no e-mail"), ({"by_email": {"ana@": "admin"}}, "no e-mail"),
     ({"by_email": {"a@b": "boss"}}, "admin"), ({"by_claim": {"x": "admin"}}, "by_claim needs claim"),
     ({"logged_in": "all"}, "none"), ({"login_hours": 0}, "greater than 0")],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(roles, reason):
    """With the reason."""
    with pytest.raises(ValidationError, match=reason):
        RoleSettings.model_validate(roles)


def test_the_settings_of_the_readme_are_read_and_give_the_roles_it_says(tmp_path):
    """An admin by e-mail, reviewers by claim, everybody at the domain a viewer, others nothing."""
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    example = readme.split("## Who may do what")[1].split("```toml\n")[1].split("```")[0]
    (tmp_path / "quality.toml").write_text(example)
    settings = load_settings(tmp_path / "ledger.duckdb").values
    assert settings.server.allowed_hosts == ("quality.example.org",)
    people = {"ana@example.org": [], "bob@example.org": ["reviewers"], "cy@example.org": "x", "eve@evil.example": []}
    found = [person_of(ANA | {"email": who, "groups": of}, settings.roles, NOON).who for who, of in people.items()]
    assert [who and who.role for who in found] == ["admin", "reviewer", "viewer", None]
