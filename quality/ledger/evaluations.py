"""How are evaluations of prompts kept? Each as an observation, the text once by its hash; read as a history."""

import json
from typing import Any

from pydantic_core import to_json

from quality.commands import EvaluatedPrompt, EvaluationsStored, ListEvaluations, StoreEvaluations
from quality.dimensions import colour_of, label_of
from quality.errors import NotFound
from quality.evaluation import EvaluationMetadata
from quality.ledger.ratings import refuse_unknown_story
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.ledger.story_identity import ids_of
from quality.prompts import check_prompt, sha256_of
from quality.settings import Settings

MAX_ROWS = 1_000
"""Evaluations that are listed at once."""
JSON_COLUMNS = ("dimensions", "suggestions", "warnings", "weights")
MEASURED = tuple(name for name in EvaluationMetadata.model_fields if name != "prompt_sha256")
MEANT = "/* meant */"
EVERYTHING = {"name": None, "story_id": None, "no_story": False, "latest": False}


def store_evaluations(tx: Transaction, command: StoreEvaluations, settings: Settings) -> EvaluationsStored:
    """Append them, in the order given; nothing that is there already is touched.

    Raises:
        NotFound: a story that the ledger does not know.
        QualityError: a prompt that is blank or too long.
    """
    for story_id in {prompt.story_id for prompt in command.evaluations} - {None}:
        refuse_unknown_story(tx, str(story_id))
    return EvaluationsStored(
        evaluation_ids=[_stored(tx, command.actor, prompt, place) for place, prompt in enumerate(command.evaluations)]
    )


def _stored(tx: Transaction, actor: str, prompt: EvaluatedPrompt, place: int) -> str:
    sql, found = load_sql("evaluations"), prompt.evaluation
    stamp = {"now": tx.now, "actor": actor}
    text = check_prompt(prompt.text)
    sha256 = sha256_of(text)
    tx.execute(sql["add_prompt_text"], {**stamp, "sha256": sha256, "text": text})
    facts = {
        "name": prompt.name, "story_id": prompt.story_id, "prompt_sha256": sha256, "status": found.status,
        "overall": found.overall, "reply": found.reply, "line": place, "occurred_at": prompt.occurred_at,
        "failure_code": found.failure and found.failure.code, "failure_message": found.failure and found.failure.message,
        **{name: to_json(getattr(found, name)).decode() for name in JSON_COLUMNS},
        **{name: getattr(found.metadata, name) for name in MEASURED},
    }  # fmt: skip
    return tx.value(sql["add_evaluation"], {**stamp, **facts})


def list_evaluations(store: Store, question: ListEvaluations) -> dict[str, Any]:
    """`evaluations`, latest first, at most `MAX_ROWS`, and the `total` that fits. `label` and `colour` are as now.

    Those of a story that was merged are that story's: one prompt, in the order in which its texts were evaluated.
    """
    wanted = {
        "name": question.prompt_name, "story_id": question.story_id and ids_of(store, question.story_id)[0],
        "no_story": question.no_story, "latest": question.latest,
    }  # fmt: skip
    rows = _rows(store, wanted, min(question.limit, MAX_ROWS))
    total = store.rows(_sql("count"), wanted)[0]["n"]
    return {"total": total, "evaluations": rows}


def show_evaluation(store: Store, evaluation_id: str) -> dict[str, Any]:
    """One evaluation as in the list, with `text` and `reply`.

    Raises:
        NotFound: no such evaluation.
    """
    prompt = next(iter(store.rows(_sql("prompt_of"), {"evaluation_id": evaluation_id})), None)
    if prompt is None:
        raise NotFound(f"{evaluation_id}: no such evaluation: list them with list_evaluations")
    wanted = {**EVERYTHING, **prompt, "no_story": prompt["story_id"] is None}
    (row,) = (row for row in _rows(store, wanted, None) if row["evaluation_id"] == evaluation_id.lower())
    return row | store.rows(_sql("words_of"), {"evaluation_id": evaluation_id})[0]


def _rows(store: Store, wanted: dict[str, Any], limit: int | None) -> list[dict[str, Any]]:
    return [_opened(row) for row in store.rows(_sql("list"), {**wanted, "limit": limit})]


def _sql(name: str) -> str:
    sql = load_sql("queries/evaluations")
    return sql[name].replace(MEANT, sql["meant"].strip())


def _opened(row: dict[str, Any]) -> dict[str, Any]:
    """The row in the form of an `Evaluation`: lists as lists, failure and metadata as objects."""
    row |= {name: json.loads(row[name]) for name in JSON_COLUMNS}
    code, message, overall = row.pop("failure_code"), row.pop("failure_message"), row["overall"]
    row["failure"] = {"code": code, "message": message} if code else None
    row["label"] = None if overall is None else label_of(overall)
    row["colour"] = None if overall is None else colour_of(overall)
    row["metadata"] = {name: row.pop(name) for name in MEASURED} | {"prompt_sha256": row["prompt_sha256"]}
    return row
