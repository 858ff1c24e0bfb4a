"""Who may ask what: the role or scope a command needs, and under whose name it writes."""

import pytest

from quality.commands import COMMANDS, AddRating, Rebuild, UndoRating
from quality.ledger.ledger import Ledger
from quality.response_commands import PruneResponses
from quality.roles import NOBODY, OWNER, ROLES, As, Forbidden, Who, admit, objection

REVIEWING = {
    "add_rating",
    "undo_rating",
    "attest_model",
    "add_verdict",
    "accept_report",
    "add_to_review_list",
    "remove_from_review_list",
    "draw_for_review",
    "skip_draw",
    "give_back_draws",
    "keep_rating_draft",
    "drop_rating_draft",
}
INGESTING = {
    "import_artifact",
    "store_evaluations",
    "store_ranking",
    "store_responses",
    "add_feedback",
    "add_feedbacks",
}
ADMINISTERING = {"rebuild", "prune_responses", "withdraw_import", "reinstate_import", "redact"}


def person(role, name="ana@example.org"):
    return Who(name, role)


def token(*scopes, on_behalf=False):
    return Who("token:ci", "reviewer", frozenset(scopes), on_behalf)


def rating(actor="ana@example.org", reviewer=None, **more):
    return AddRating(actor=actor, reviewer=reviewer or actor, story_id="S-1", rating=7, create=True, **more)


def test_every_write_is_of_one_kind():
    """Whoever adds a command decides who may ask it; one that says nothing is for admins and open to no token."""
    known = {name: kind for name, kind in COMMANDS.items() if kind.writes}
    for name in REVIEWING | INGESTING | ADMINISTERING:
        kind = known[name]
        expected = (
            ("admin", None) if name in ADMINISTERING else ("reviewer", "review" if name in REVIEWING else "ingest")
        )
        assert (kind.needs, kind.scope) == expected, name
    for name, kind in known.items():
        assert (kind.needs == "admin") == (kind.scope is None), (
            f"{name}: what a token may do, a reviewer may, and vice versa"
        )
        assert kind.needs != "viewer", f"{name} writes"


def test_a_question_that_a_viewer_may_ask_a_token_that_reads_may_and_no_other():
    """Few questions are for more than viewers: what is in a backup, which lists every name in it."""
    for name, kind in COMMANDS.items():
        if not kind.writes:
            assert (kind.needs == "viewer") == (kind.scope == "read"), name
    asked = {name for name, kind in COMMANDS.items() if not kind.writes and objection(person("viewer"), kind) is None}
    assert asked >= {"show_story", "show_run", "list_models", "list_scores", "export_rows", "list_responses", "examine"}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_those_below_it_may(role):
    """viewer < reviewer < admin."""
    may = {name for name, kind in COMMANDS.items() if kind.writes and objection(person(role), kind) is None}
    assert (may & (REVIEWING | INGESTING) == REVIEWING | INGESTING) is (role != "viewer")
    assert (may >= ADMINISTERING) is (role == "admin")
    assert bool(may) is (role != "viewer")


def test_a_refusal_names_command_role_and_remedy():
    """So that who reads it knows whom to ask for what."""
    with pytest.raises(
        Forbidden, match=r"add_rating needs the role reviewer, and ana@example.org is a viewer: ask whoever"
    ):
        admit(person("viewer"), rating())
    assert Forbidden.status == 403


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("actor", "reviewer"), [("bob", "bob"), ("bob", "ana@example.org"), ("ana@example.org", "bob")]
)
def test_nobody_writes_under_anothers_name(role, actor, reviewer):
    """Whatever the role: the actor and whose rating it is are who asks."""
    with pytest.raises(Forbidden):
        admit(person(role), rating(actor, reviewer))


def test_taking_back_anothers_rating_is_for_admins():
    """`force` is what makes it another's."""
    mine = UndoRating(actor="ana@example.org", reviewer="ana@example.org", story_id="S-1")
    admit(person("reviewer"), mine)
    forced = mine.model_copy(update={"force": True})
    with pytest.raises(Forbidden, match="needs the role admin"):
        admit(person("reviewer"), forced)
    admit(person("admin"), forced)
    with pytest.raises(Forbidden, match="open to no token"):
        admit(token("review"), UndoRating(actor="token:ci", reviewer="token:ci", story_id="S-1", force=True))


def test_a_token_does_what_its_scopes_say_and_nothing_else():
    """Scopes do not contain each other."""
    for scope, names in (("review", REVIEWING), ("ingest", INGESTING)):
        may = {name for name, kind in COMMANDS.items() if objection(token(scope), kind) is None}
        assert names <= may
        assert not may & (ADMINISTERING | {"show_run", "export_rows"})
    reads = {name for name, kind in COMMANDS.items() if objection(token("read"), kind) is None}
    assert reads >= {"show_run", "export_rows"}
    assert not {name for name in reads if COMMANDS[name].writes}
    with pytest.raises(Forbidden, match=r"rebuild is open to no token, and token:ci is one"):
        admit(token("ingest", "review", "read"), Rebuild(actor="token:ci"))
    with pytest.raises(
        Forbidden, match=r"add_rating needs the scope review, and token:ci has ingest, read: use a token"
    ):
        admit(token("ingest", "read"), rating("token:ci"))


def test_a_token_rates_for_people_only_where_that_is_said():
    """The actor, which the audit keeps, is the token all the same."""
    with pytest.raises(Forbidden, match=r"reviewer = 'bob': token:ci writes under no other name"):
        admit(token("review"), rating("token:ci", "bob"))
    admit(token("review", on_behalf=True), rating("token:ci", "bob"))
    with pytest.raises(Forbidden, match="actor = 'bob'"):
        admit(token("review", on_behalf=True), rating("bob", "bob"))


def test_the_owner_of_the_file_may_everything_under_any_name():
    """The command line of the machine: whoever can read the file could change it anyway."""
    admit(OWNER, rating("whoever"))
    admit(OWNER, PruneResponses(actor="x"))


def test_the_ledger_refuses_before_it_does_anything(tmp_path):
    """A command that a viewer forged stores neither a row nor an audit entry, and burns no idempotency key."""
    with Ledger(tmp_path / "l.duckdb") as ledger:
        version = ledger.version
        with pytest.raises(Forbidden):
            ledger.execute(rating(idempotency_key="k"), person("viewer"))
        assert ledger.version == version
        assert ledger.execute(rating(idempotency_key="k"), person("reviewer")).created


def test_a_ledger_that_others_ask_knows_nobody_by_default(tmp_path):
    """A face that forgets to say who asks is refused: there is no way round the door."""
    with Ledger(tmp_path / "l.duckdb", served=True) as ledger:
        with pytest.raises(Forbidden, match="nobody is named who asks"):
            ledger.execute(rating())
        with pytest.raises(Forbidden):
            ledger.execute(rating(actor="dashboard"), NOBODY)
        assert As(ledger, OWNER).execute(rating()).created
