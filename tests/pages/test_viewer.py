"""Who is in front of a page: by a login or without, what each role sees, and that a forged click stores nothing."""

import time
from types import MappingProxyType

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components import allowed, entrance, process, sample, viewer
from pages.components.process import HOME
from quality.commands import AddRating, Rebuild
from quality.home import State
from quality.ledger.ledger import Ledger
from quality.roles import Forbidden
from quality.settings import Settings
from tests.pages.conftest import PAGES, texts

ROLES = {
    "roles": {"by_email": {"vic@example.org": "viewer", "rob@example.org": "reviewer", "ana@example.org": "admin"}}
}
OPEN = {"server": {"allow_anonymous_ui": True}}


class User(dict):
    """What `st.user` is to the pages."""

    def to_dict(self):
        return dict(self)


def claims(person, **more):
    return {
        "is_logged_in": True, "sub": f"u-{person}", "name": person.title(), "email": f"{person}@example.org",
        "email_verified": True, "iat": time.time(), **more,
    }  # fmt: skip


@pytest.fixture
def somebody(monkeypatch):
    """`somebody("vic")` is logged in; `somebody(None)` could log in; `somebody(configured=False)`: no login there is."""

    def set_user(person=None, configured=True, **more):
        user = claims(person, **more) if person else {"is_logged_in": False} if configured else {}
        monkeypatch.setattr(st, "user", User(user))
        monkeypatch.setattr(st, "secrets", {"auth": {"client_id": "x"}} if configured else {})

    return set_user


@pytest.fixture
def address(monkeypatch):
    """`address("0.0.0.0")`: what the server listens on."""
    asked = st.get_option

    def set_address(bound):
        monkeypatch.setattr(st, "get_option", lambda name: bound if name == "server.address" else asked(name))

    return set_address


@pytest.fixture
def opened(tmp_path):
    """`opened(ROLES, OPEN)`: the dashboard's ledger with these settings and one rated story, as the process opens it."""
    ledgers = []

    def open_ledger(*parts):
        settings = Settings.model_validate({name: value for part in parts for name, value in part.items()})
        with Ledger(tmp_path / "l.duckdb", settings) as made:
            made.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, create=True))
        ledgers.append(Ledger(tmp_path / "l.duckdb", settings, served=True))
        HOME.use(ledgers[-1])
        return ledgers[-1]

    yield open_ledger
    HOME.close()


@pytest.fixture
def frame():
    """The entry script, run once."""

    def run():
        app = AppTest.from_file(str(PAGES / "main.py"), default_timeout=20).run()
        assert not app.exception, app.exception
        return app

    return run


def shown(app):
    return " ".join([*texts(app), *(e.value for e in (*app.markdown, *app.caption, *app.title, *app.subheader))])


def test_a_person_alone_at_a_machine_is_its_admin(opened, somebody, address):
    """Under the name that was given, or the dashboard's while there is none."""
    opened()
    somebody(configured=False)
    address("127.0.0.1")
    assert (viewer.who().name, viewer.who().role) == ("dashboard", "admin")


@pytest.mark.parametrize("bound", ["0.0.0.0", "", "192.168.1.5"])
def test_where_others_reach_it_nobody_is_let_in_without_a_login(opened, somebody, address, bound):
    """Even if the process was made to start somehow."""
    opened()
    somebody(configured=False)
    address(bound)
    assert viewer.who() is None
    assert not viewer.may_enter()


def test_anonymous_people_are_viewers_unless_the_settings_say_more(opened, somebody, address):
    """Where it is said that anybody may look; a banner says so on every page."""
    opened(OPEN)
    somebody(configured=False)
    address("0.0.0.0")
    assert viewer.who().role == "viewer"
    with pytest.raises(Forbidden):
        process.execute(AddRating(actor="dashboard", reviewer="dashboard", story_id="S-1", rating=1))
    HOME.close()
    opened(OPEN, {"roles": {"anonymous": "reviewer"}})
    assert viewer.who().role == "reviewer"


def test_the_banner_is_there_where_anybody_may_look_and_nowhere_else(opened, somebody, address, frame):
    """It names the setting and the role."""
    opened(OPEN)
    somebody(configured=False)
    address("0.0.0.0")
    assert "server.allow_anonymous_ui is set. Whoever comes in so is a viewer here." in shown(frame())
    address("127.0.0.1")
    assert "allow_anonymous_ui" not in shown(frame())


def test_whoever_is_not_logged_in_sees_the_door_only(opened, somebody, frame):
    """No filter, no figure, no page."""
    opened(ROLES)
    somebody(None)
    app = frame()
    assert [button.label for button in app.button] == ["**Log in**"]
    assert not app.metric
    assert not app.sidebar.text_input


def test_a_login_without_a_role_is_refused_with_the_reason(opened, somebody, frame):
    """And the way out."""
    opened(ROLES)
    somebody("eve", name="Eve <b>*x*</b>")
    app = frame()
    assert "Nobody has given eve@example.org a role here. Ask whoever keeps quality.toml for it." in texts(app)
    assert any("Eve <b>*x*</b>" in text for text in texts(app))
    assert [button.label for button in app.button] == ["Log out"]


def test_a_login_that_has_ended_is_asked_for_again(opened, somebody, frame):
    """Also in the middle of a session: the ledger is told of nobody."""
    opened(ROLES)
    somebody("ana", iat=time.time() - 13 * 3600)
    app = frame()
    assert "Your login has ended: log in again." in texts(app)
    assert [button.label for button in app.button] == ["**Log in**"]
    with pytest.raises(Forbidden):
        process.execute(Rebuild(actor="ana@example.org"))


@pytest.mark.parametrize(("name", "role"), [("vic", "viewer"), ("rob", "reviewer"), ("ana", "admin")])
def test_name_and_role_stand_in_the_sidebar(opened, somebody, frame, name, role):
    """With the name that writes are recorded under, and the way out."""
    opened(ROLES)
    somebody(name)
    app = frame()
    side = [e.value for e in (*app.sidebar.text, *app.sidebar.markdown)]
    assert any(name.title() in text for text in side)
    assert any(role in text for text in side)
    assert any(f"{name}@example.org" in text for text in side)
    assert "Log out" in [button.label for button in app.sidebar.button]


def test_each_provider_has_its_button(opened, somebody, frame, monkeypatch):
    """Where several are configured."""
    opened(ROLES)
    somebody(None)
    named = {"cookie_secret": "x", "google": MappingProxyType({}), "okta": MappingProxyType({})}
    monkeypatch.setattr(st, "secrets", {"auth": named})
    assert entrance.providers() == ["google", "okta"]
    assert [button.label for button in frame().button] == ["**Log in with google**", "**Log in with okta**"]


def test_a_page_writes_under_the_logins_name_only(opened, somebody):
    """What the ledger keeps is the person of the login; a command signed otherwise is refused."""
    ledger = opened(ROLES)
    somebody("rob")
    mine = AddRating(actor="rob@example.org", reviewer="rob@example.org", story_id="S-1", rating=4)
    assert process.execute(mine).row["quality"] == 4
    for forged in ({"actor": "ana@example.org"}, {"reviewer": "dana"}):
        with pytest.raises(Forbidden, match="writes under no other name"):
            process.execute(mine.model_copy(update=forged))
    with pytest.raises(Forbidden, match="needs the role admin"):
        process.execute(Rebuild(actor="rob@example.org"))
    assert len(ledger.store.rows("SELECT 1 FROM audit")) == 2


def test_a_viewers_forged_command_is_refused_in_the_ledger(opened, somebody):
    """Nothing is stored, whatever the page shows."""
    ledger = opened(ROLES)
    somebody("vic")
    with pytest.raises(Forbidden, match=r"add_rating needs the role reviewer, and vic@example.org is a viewer"):
        process.execute(AddRating(actor="vic@example.org", reviewer="vic@example.org", story_id="S-1", rating=1))
    assert len(ledger.store.rows("SELECT 1 FROM overrides")) == 1


def test_a_page_that_forgets_the_person_is_refused(opened, somebody):
    """There is no way past `process.execute`."""
    opened(ROLES)
    somebody("ana")
    with pytest.raises(Forbidden, match="nobody is named who asks"):
        process.ledger().execute(Rebuild(actor="ana@example.org"))


def test_a_viewer_asks_no_judge(opened, somebody, open_page, monkeypatch):
    """Judges cost money: the button is disabled with the reason, and a click that comes all the same is refused."""
    ledger = opened(ROLES)
    somebody("vic")
    page = open_page("prompts")
    assert page.button(key="evaluate").disabled
    assert "Evaluating a prompt needs the role reviewer; yours is viewer." in shown(page)
    monkeypatch.setattr(allowed, "to", lambda *_: True)
    page = open_page("prompts")
    page.text_area[0].set_value("A prompt").run()
    page.button(key="evaluate").click().run()
    assert "Asking a judge needs the role reviewer; yours is viewer." in texts(page)
    assert not ledger.store.rows("SELECT 1 FROM audit WHERE name = 'store_evaluations'")


@pytest.mark.parametrize(("name", "started"), [("rob", False), ("ana", True)])
def test_leaving_the_sample_is_for_admins(opened, somebody, frame, monkeypatch, name, started):
    """The ledger that everybody sees would be another one."""
    ledger = opened(ROLES)
    somebody(name)
    calls = []
    monkeypatch.setattr(HOME, "_state", State("ready", ledger, sample=True))
    monkeypatch.setattr(HOME, "start_own", lambda: calls.append(name))
    assert frame().button(key="start_own").disabled is not started
    sample._start_own()
    assert bool(calls) is started


def test_work_in_a_thread_is_stored_as_whoever_began_it(opened, somebody):
    """Though the page, and with it the login, is gone by then."""
    opened(ROLES)
    somebody("rob")
    write = process.writer()
    somebody(None)
    assert write(AddRating(actor="rob@example.org", reviewer="rob@example.org", story_id="S-1", rating=4)).row
    with pytest.raises(Forbidden):
        write(AddRating(actor="ana@example.org", reviewer="ana@example.org", story_id="S-1", rating=4))


def test_a_viewer_has_nothing_to_drop(opened, somebody, open_page):
    """Instead of the drop zone the page says what it takes."""
    opened(ROLES)
    somebody("vic")
    page = open_page("ingest")
    assert "Dropping files here needs the role reviewer; yours is viewer." in shown(page)
    assert not page.file_uploader
    somebody("rob")
    assert open_page("ingest").file_uploader


def test_a_viewer_sees_a_run_and_no_form_to_rate_it(opened, somebody, open_page):
    """What it takes is said in its place; the rest of the run is there."""
    ledger = opened(ROLES)
    (run,) = ledger.store.rows("SELECT run_id::VARCHAR AS run_id FROM ledger")
    somebody("vic")
    page = open_page("stories", run=run["run_id"])
    assert "Rating a run needs the role reviewer; yours is viewer." in shown(page)
    assert not page.number_input
    assert not [expander for expander in page.expander if "which model" in expander.label]
    somebody("rob")
    assert open_page("stories", run=run["run_id"]).number_input


def test_a_guest_passes_for_nobody_who_logs_in(opened, somebody, address):
    """Where anybody may come in, a name that is only typed is recorded as such."""
    opened(OPEN, ROLES, {"roles": ROLES["roles"] | {"anonymous": "reviewer"}})
    somebody(None)
    st.session_state["reviewer_name"] = "ana@example.org"
    assert viewer.reviewer() == viewer.who().name == "ana@example.org (guest)"
    with pytest.raises(Forbidden):
        process.execute(AddRating(actor="ana@example.org", reviewer="ana@example.org", story_id="S-1", rating=1))
    HOME.close()
    opened()
    somebody(configured=False)
    address("127.0.0.1")
    assert viewer.reviewer() == "ana@example.org"
    del st.session_state["reviewer_name"]
