"""An artifact may say itself which run it is of and when it ended; what it says is used, or it is said why not."""

import json

import pytest

PROPERTIES = '<properties><property name="{}" value="{}"/></properties>'


def junit(*properties, inside="", attributes=""):
    told = "".join(f'<property name="{name}" value="{value}"/>' for name, value in properties)
    case = f'<testcase classname="C" name="a">{inside}</testcase>'
    return f'<testsuite name="S" {attributes}><properties>{told}</properties>{case}</testsuite>'


def key(said):
    return tuple(said.runs[0].get(name) for name in ("story_id", "agent", "model_version", "attempt"))


@pytest.mark.parametrize(
    "name", ["story_id", "story", "Story_ID", "quality.story_id", "quality_tiers.story", "story-id"]
)
def test_a_suites_property_names_the_story(read, name):
    """In any case, with or without the prefix."""
    said = read(junit((name, "S-7")))
    assert (key(said), said.rejects, said.warnings) == (("S-7", None, None, None), [], [])


def test_the_whole_run_can_be_stated(read):
    """Agent, model, attempt and start count beside a story."""
    said = read(
        junit(("story", "S-7"), ("agent", "a"), ("model", "m"), ("attempt", "2"), ("started_at", "2026-03-01T09:30Z"))
    )
    assert key(said) == ("S-7", "a", "m", 2)
    assert said.runs[0]["started_at"].isoformat() == "2026-03-01T09:30:00+00:00"


def test_bare_names_without_a_story_are_somebody_elses(read):
    """A build agent, a phone's model."""
    assert key(read(junit(("agent", "jenkins-4"), ("model", "Pixel 8")), story_id="S-1")) == ("S-1", None, None, None)
    assert key(read(junit(("quality.agent", "a")), story_id="S-1")) == ("S-1", "a", None, None)


def test_a_test_cases_property_is_not_the_reports(read):
    """Nor is what a test prints."""
    assert read(junit(inside=PROPERTIES.format("story_id", "S-7"))).rejects


def test_the_caller_goes_first_and_a_contradiction_names_both(read):
    """Of another story nothing else is taken either."""
    said = read(junit(("story_id", "S-7"), ("agent", "a")), story_id="S-1")
    assert key(said) == ("S-1", None, None, None)
    assert said.warnings == ["it says story_id 'S-7', the caller says 'S-1': the caller's counts"]
    said = read(junit(("story_id", "S-7"), ("agent", "a")), story_id="S-7", agent="b")
    assert (key(said), said.warnings) == (
        ("S-7", "b", None, None),
        ["it says agent 'a', the caller says 'b': the caller's counts"],
    )


def test_a_report_of_two_stories_is_a_reject_that_names_them(read):
    """Whose tests are whose is not guessed; with the caller's word it is read."""
    both = f"<testsuites>{junit(('story_id', 'S-7'))}{junit(('story_id', 'S-8'))}</testsuites>"
    said = read(both)
    assert "story_id S-7, S-8: split it" in said.rejects[0]["reason"]
    assert (said.signals, key(read(both, story_id="S-1"))) == ([], ("S-1", None, None, None))


@pytest.mark.parametrize(
    "stated", [("attempt", "0"), ("attempt", "second"), ("started_at", "2026-03-01T09:30"), ("started_at", "soon")]
)
def test_what_cannot_be_used_is_a_warning_that_quotes_it(read, stated):
    """The rest stands."""
    said = read(junit(("story_id", "S-7"), stated))
    assert key(said) == ("S-7", None, None, None)
    assert len(said.warnings) == 1
    assert repr(stated[1]) in said.warnings[0]


def test_nunit_and_sarif_name_their_run(read):
    """By the properties of a suite, of a run and of its automation details."""
    nunit = (
        '<test-run testcasecount="1"><test-suite type="T" name="T"><properties><property name="story_id" value="S-7"/>'
        '</properties><test-case name="a" fullname="T.a" result="Passed"/></test-suite></test-run>'
    )
    assert key(read(nunit))[0] == "S-7"
    run = {"tool": {"driver": {"name": "t"}}, "results": []}
    for place in (
        {"properties": {"story_id": "S-7"}},
        {"automationDetails": {"properties": {"quality.story_id": "S-7"}}},
    ):
        assert key(read(json.dumps({"version": "2.1.0", "runs": [run | place]})))[0] == "S-7"


@pytest.mark.parametrize(
    ("time", "what"),
    [
        ("2026-01-13T07:23:07", "names no zone: not used"),
        ("Fri Nov 08 11:02:33 CET 2019", "is none that can be read (ISO 8601): not used"),
        ("2126-01-13T07:23:07Z", "lies in the future: not used"),
        ("2026-13-45T99:00:00Z", "is none that can be read (ISO 8601): not used"),
    ],
)
def test_a_time_that_cannot_be_used_is_quoted_once(read, time, what):
    """Told of two suites it is one warning."""
    whole = f'<testsuites timestamp="{time}">' + junit(attributes=f'timestamp="{time}"') + "</testsuites>"
    said = read(whole, story_id="S-1")
    assert "occurred_at" not in said.signals[0]
    assert said.warnings == [f"the time {time!r} {what}"]


def test_times_that_can_be_used_are(read):
    """Of JSON reports and of go's events as well as of XML; a missing one is not said here."""
    assert (
        read(junit(attributes='timestamp="2026-01-13T08:23:07+01:00"'), story_id="S-1").signals[0]["occurred_at"].hour
        == 7
    )
    mocha = {"stats": {"passes": 1, "end": "2026-01-13T07:23:07Z"}, "tests": [{}], "passes": [{"fullTitle": "a"}]}
    assert read(json.dumps(mocha), story_id="S-1").signals[0]["occurred_at"].hour == 7
    events = [{"Time": "2026-01-13T07:23:07Z", "Action": a, "Package": "p", "Test": "T"} for a in ("run", "pass")]
    stream = "\n".join(map(json.dumps, [*events, events[1] | {"Test": None}]))
    assert read(stream, story_id="S-1").signals[0]["occurred_at"].hour == 7
    said = read(junit(), story_id="S-1")
    assert ("occurred_at" in said.signals[0], said.warnings) == (False, [])
