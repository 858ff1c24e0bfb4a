"""Who wrote what, and when? The audit in words: a page of it, one write whole, and what it can be filtered by."""

import json
from typing import Any

from quality.activity_commands import MOST_WRITES, ListActivity
from quality.activity_words import label_of, subjects_of, words_of
from quality.errors import NotFound
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.ledger.story_identity import ids_of

SOURCE = "queries/activity"
MOST_ACTORS = 1_000
"""Names that are offered as a filter."""
JSON_SPACES = 2


def list_activity(store: Store, question: ListActivity) -> dict[str, Any]:
    """`writes`, latest first, the `total` that fits, and `older` and `newer`: where the next page and the one before begin.

    Each write has `command_id`, `kind`, `label`, `actor`, `recorded_at`, `words` and `subjects`. A page after which
    there is nothing has `older` null, one before which there is nothing has `newer` null.
    """
    wanted, page = _conditions(store, question), min(question.limit, MOST_WRITES)
    rows, more_older, more_newer = _page(store, question, wanted, page)
    begun = _settings_begun(store, rows)
    return {
        "total": store.rows(_with("count"), wanted)[0]["n"],
        "writes": [told(row, begun) for row in rows],
        "older": rows[-1]["command_id"] if rows and more_older else None,
        "newer": rows[0]["command_id"] if rows and more_newer else None,
    }


def show_write(store: Store, command_id: str) -> dict[str, Any]:
    """One write as in the list, with `request` and `answer` as indented JSON, and the `import_id` of an import.

    Raises:
        NotFound: no such write.
    """
    rows = store.rows(load_sql(SOURCE)["one"], {"command_id": command_id})
    if not rows:
        raise NotFound(f"{command_id}: no such write: choose one from Activity")
    row = rows[0]
    whole = {"import_id": row["import_id"], "request": _text(row["request"]), "answer": _text(row["answer"])}
    return told(row, _settings_begun(store, rows)) | whole


def activity_facets(store: Store) -> dict[str, list[str]]:
    """`actors` and `kinds` that wrote, most frequent first."""
    sql = load_sql(SOURCE)
    return {
        "actors": [row["actor"] for row in store.rows(sql["actors"], {"limit": MOST_ACTORS}) if row["actor"]],
        "kinds": [row["name"] for row in store.rows(sql["kinds"])],
    }


def _page(store: Store, question: ListActivity, wanted: dict[str, Any], size: int) -> tuple[list[dict], bool, bool]:
    """The rows of the page, and whether there are older and newer ones. A place that is not there is the beginning."""
    cursor = question.after or question.before
    at = store.rows(load_sql(SOURCE)["place"], {"command_id": cursor}) if cursor else []
    place = {"at": at[0]["recorded_at"] if at else None, "id": cursor if at else None}
    if question.after and at:
        found = store.rows(_with("newer"), wanted | place | {"limit": size + 1})
        if len(found) > size:
            return found[:size][::-1], True, True
        place = {"at": None, "id": None}  # the newest page is a full one
    found = store.rows(_with("older"), wanted | place | {"limit": size + 1})
    return found[:size], len(found) > size, place["at"] is not None


def _conditions(store: Store, question: ListActivity) -> dict[str, Any]:
    wanted = question.model_dump(include={"by", "kinds", "since", "until"}) | {"instants": None}
    if question.about:
        ids, sql = {question.about, *ids_of(store, question.about)}, load_sql(SOURCE)
        rows = store.rows(sql["about"], {"about": question.about, "ids": list(ids)})
        for one in ids:
            rows += store.rows(sql["naming"], {"needle": json.dumps(one, ensure_ascii=False)})
        wanted["instants"] = [row["recorded_at"] for row in rows]
    return wanted


def _with(name: str) -> str:
    sql = load_sql(SOURCE)
    return sql[name].replace("/* fitting */", sql["fitting"])


def _settings_begun(store: Store, rows: list[dict[str, Any]]) -> dict[Any, str]:
    """Instant of a write → hash of the settings that came into force with it."""
    found = store.rows(load_sql(SOURCE)["settings_begun"], {"instants": [row["recorded_at"] for row in rows]})
    return {row["valid_from"]: row["hash"] for row in found}


def told(row: dict[str, Any], begun: dict[Any, str]) -> dict[str, Any]:
    """A row of the audit in words; `begun` = instant of a write → settings that came into force with it."""
    request, answer = _parsed(row["request"]), _parsed(row["answer"])
    words = words_of(row["name"], row["actor"] or "", request, answer)
    new = begun.get(row["recorded_at"])
    return {
        "command_id": row["command_id"],
        "kind": row["name"],
        "label": label_of(row["name"]),
        "actor": row["actor"],
        "recorded_at": row["recorded_at"],
        "words": f"{words}; with new settings" if new else words,
        "settings_hash": new,
        "subjects": [vars(subject) for subject in subjects_of(request, answer)],
    }


def _parsed(text: str | None) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(text: str | None) -> str:
    try:
        return json.dumps(json.loads(text or "null"), indent=JSON_SPACES, ensure_ascii=False)
    except ValueError:
        return text or ""
