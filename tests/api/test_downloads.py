"""An export leaves over HTTP as a stream: for programs with a token and an ETag, for a browser by a link that ends."""

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from quality.api import downloads
from quality.api.downloads import EXPORT_PATH, MOST_TICKETS, TICKETS, Gone, Tickets, download_path, question_of
from quality.api.uploads import Malformed
from quality.commands import AddRating, ExportRows
from quality.errors import QualityError
from quality.export import export_rows


def get(owner, path, **headers):
    return httpx.get(f"{owner.address}/{path.lstrip('/')}", headers=headers, timeout=30, trust_env=False)


def export(owner, query="", **headers):
    return get(owner, f"{EXPORT_PATH}{query}", **({"Authorization": f"Bearer {owner.secret}"} | headers))


def rate(owner, story, rating):
    owner.ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=story, rating=rating, create=True))


def written(owner, tmp_path: Path, **question) -> bytes:
    export_rows(owner.ledger.store, ExportRows(**question), tmp_path / "out", owner.ledger.settings.scoring)
    return (tmp_path / "out").read_bytes()


def test_the_subscribers_csv_is_what_the_command_line_writes(owner, tmp_path):
    answer = export(owner)
    assert (answer.status_code, answer.headers["quality-rows"]) == (200, "1")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-encoding"] == "identity", "squeezed on one core it takes ten times as long"
    assert answer.content == written(owner, tmp_path)


def test_parameters_choose_filters_columns_format_and_day(owner, tmp_path):
    rate(owner, "S-2", 4)
    answer = export(owner, "?story_id=S-2&columns=quality,story_id&format=excel")
    assert answer.content == b"\xef\xbb\xbfquality,story_id\r\n4.0,S-2\r\n"
    profiles = export(owner, "?profiles=true&format=jsonl")
    assert profiles.content == written(owner, tmp_path, profiles=True, format="jsonl")
    assert export(owner, "?as_of=2020-01-31").headers["quality-rows"] == "0"


def test_an_export_that_the_caller_has_is_not_sent_again(owner):
    """304 without a body; after a write, and for other columns, it is another one. A weak or listed tag will do."""
    etag = export(owner).headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = export(owner, **{"If-None-Match": known})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", etag)
    assert export(owner, "?columns=quality", **{"If-None-Match": etag}).status_code == 200
    rate(owner, "S-2", 4)
    answer = export(owner, **{"If-None-Match": etag})
    assert (answer.status_code, answer.headers["quality-rows"]) == (200, "2")
    assert answer.headers["etag"] != etag


def test_profiles_of_the_present_have_no_etag_because_ages_grow(owner):
    assert "etag" not in export(owner, "?profiles=true").headers
    assert "etag" in export(owner, "?profiles=true&as_of=2020-01-31").headers


def test_nobody_gets_an_export_without_the_secret(owner):
    assert get(owner, EXPORT_PATH).status_code == 401
    assert export(owner, Authorization="Bearer wrong").status_code == 401


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?colums=quality", "colums: no such parameter. Did you mean: columns"),
        ("?columns=qualty", "qualty: no such column of the rows. Did you mean: quality"),
        ("?format=xlsx", "format = 'xlsx'"),
        ("?tier=best", "'best': Input should be 'auto', 'verifier' or 'human'"),
        ("?as_of=yesterday", "as of yesterday: not a time"),
        ("?full=true", "--full is written as jsonl"),
    ],
)
def test_what_does_not_fit_is_one_line(owner, query, reason):
    answer = export(owner, query)
    assert answer.status_code in (400, 422)
    assert reason in answer.json()["error"]


def test_a_ticket_gives_a_browser_its_file(owner, tmp_path):
    """Under its name, never kept by a cache, as often as it is asked for while the ticket works."""
    ticket = TICKETS.issue(ExportRows(format="parquet"), "Größe 1.parquet")
    for _ in range(2):
        answer = get(owner, download_path(ticket))
        assert answer.status_code == 200
        assert answer.content == written(owner, tmp_path, format="parquet")
    disposition = answer.headers["content-disposition"]
    assert disposition == "attachment; filename=\"Gr__e 1.parquet\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.parquet"
    assert answer.headers["cache-control"] == "no-store"


def test_a_ticket_that_is_over_or_guessed_is_gone(owner, monkeypatch):
    """Both are told the same, and what to do."""
    monkeypatch.setattr(downloads, "TICKETS", Tickets(lifetime=-1.0))
    over = downloads.TICKETS.issue(ExportRows(), "rows.csv")
    answers = [get(owner, download_path(ticket)) for ticket in (over, "x" * 43)]
    assert [answer.status_code for answer in answers] == [410, 410]
    assert answers[0].json() == answers[1].json()
    assert "load the page again" in answers[0].json()["error"]


def test_a_ticket_of_what_cannot_be_exported_is_not_made():
    with pytest.raises(QualityError, match="no such column"):
        Tickets().issue(ExportRows(columns=("mood",)), "x.csv")


def test_there_are_only_so_many_tickets():
    """The oldest goes first."""
    tickets = Tickets()
    first, second = (tickets.issue(ExportRows(), "x.csv") for _ in range(2))
    for _ in range(MOST_TICKETS - 1):
        tickets.issue(ExportRows(), "x.csv")
    assert tickets.find(second).file_name == "x.csv"
    with pytest.raises(Gone):
        tickets.find(first)


def test_a_day_is_its_end_in_utc_and_a_time_needs_its_zone():
    """A day that is not over ends now."""
    assert question_of({"as_of": "2026-01-31"}).as_of == datetime(2026, 2, 1, tzinfo=UTC) - timedelta(microseconds=1)
    assert question_of({"as_of": f"{datetime.now(UTC):%Y-%m-%d}"}).as_of <= datetime.now(UTC)
    with pytest.raises(QualityError, match="has no time zone"):
        question_of({"as_of": "2026-01-31T10:00"})
    with pytest.raises(Malformed, match="no such parameter"):
        question_of({"story": "S-1"})


def test_a_write_meanwhile_is_not_held_up_by_a_download(owner):
    """A reader who takes their time holds a snapshot, and nobody waits for it."""
    ticket = TICKETS.issue(ExportRows(), "rows.csv")
    with httpx.stream("GET", f"{owner.address}/{download_path(ticket)}", timeout=30, trust_env=False) as answer:
        rate(owner, "S-2", 4)
        rows = list(csv.DictReader(io.StringIO(answer.read().decode(), newline="")))
    assert [row["story_id"] for row in rows] == ["S-1"]
