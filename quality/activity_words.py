"""What does a write look like in the words of a lead? One sentence a kind of command, and what it is about.

A sentence goes on from who wrote: "Ada" + "rated STORY-7: 7.5". What the audit keeps may come from another version
or have been redacted, so a sentence that cannot be made falls back to the kind's name.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from quality.redaction_commands import WHAT

Json = dict[str, Any]
Sentence = Callable[[str, Json, Json], str]
"""Actor, request and answer → the sentence."""

MOST_SUBJECTS = 20
"""Things that one write is linked to."""
SUBJECT_KEYS = {
    "run_id": "run", "story_id": "story", "response_id": "response", "ranking_id": "ranking",
    "evaluation_id": "evaluation", "from_id": "story",
}  # fmt: skip
"""Key in a request or answer → kind of thing that its value names."""
PARTS = ("stories", "runs", "signals", "verdicts", "overrides", "evaluations", "responses", "rankings")
"""Counts of an import that are told, in this order."""
SINGULAR = {"stories": "story", "signals": "signal reading", "overrides": "rating", "feedback": "feedback event"}
PLURAL = {"signals": "signal readings", "overrides": "ratings", "feedback": "feedback events"}
UNKNOWN, FIRST = "unknown", 1
"""A model that is not known, and the attempt that is not told."""
FORGETTING = ("redact", "forget")
"""How the name of a kind begins that takes words out for good."""
SHOWN = 80
"""Characters of a name within a sentence."""


@dataclass(frozen=True)
class Kind:
    """A kind of write: its name in a list of choices, and how one is told."""

    label: str
    tell: Sentence
    forgets: bool = False
    """It takes words out of the ledger for good, which an older backup still holds."""


@dataclass(frozen=True)
class Subject:
    """One thing that a write is about."""

    kind: str
    id: str
    label: str


def words_of(name: str, actor: str, request: Json, answer: Json) -> str:
    """The write as a sentence that goes on from who wrote.

    >>> words_of("rebuild", "Ada", {}, {"runs": 240, "responses": 0, "settings_hash": "ab"})
    'scored everything anew: 240 runs'
    >>> words_of("launch_rocket", "Ada", {"story_id": "S-1"}, {})
    'launch rocket: S-1'
    """
    kind = KINDS.get(name)
    try:
        if kind:
            return kind.tell(actor, request, answer)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        pass  # kept by another version, or redacted: the kind's name is what is left
    first = next(iter(subjects_of(request, answer)), None)
    said = kind.label.lower() if kind else name.replace("_", " ")
    return f"{said}: {first.label}" if first else said


def label_of(name: str) -> str:
    """A kind of write as a choice.

    >>> label_of("add_rating"), label_of("launch_rocket")
    ('Rating', 'Launch rocket')
    """
    return KINDS[name].label if name in KINDS else name.replace("_", " ").capitalize()


def forgets(name: str) -> bool:
    """Whether a kind of write takes words out for good; one that is not known by its name.

    >>> forgets("redact"), forgets("add_rating")
    (True, False)
    """
    return KINDS[name].forgets if name in KINDS else name.startswith(FORGETTING)


def subjects_of(request: Json, answer: Json) -> list[Subject]:
    """What a write is about, each thing once; a story is left out where its run is named."""
    found: dict[tuple[str, str], Subject] = {}
    for one in _named(answer, request):
        if len(found) == MOST_SUBJECTS:
            break
        found.setdefault((one.kind, one.id), one)
    told = {s.label.split(" · ")[0] for s in found.values() if s.kind == "run"}
    return [s for s in found.values() if s.kind != "story" or _cut(s.id) not in told]


def _named(answer: Json, request: Json) -> Iterator[Subject]:
    for part in (answer.get("run"), *_list(answer.get("runs")), *_list(answer.get("responses"))):
        if isinstance(part, dict):
            yield from _in(part)
    yield from _in(answer)
    for evaluation_id in _list(answer.get("evaluation_ids")):
        yield Subject("evaluation", str(evaluation_id), "an evaluation")
    yield from _in(request)
    for part in (*_list(request.get("evaluations")), *_list(request.get("runs")), *_list(request.get("stories"))):
        if isinstance(part, dict):
            yield from _in(part)


def _in(part: Json) -> Iterator[Subject]:
    for key, kind in SUBJECT_KEYS.items():
        if kind == "story" and isinstance(part.get("run_id"), str):
            continue
        if isinstance(value := part.get(key), str) and value:
            yield Subject(kind, value, _label(kind, value, part))


def _label(kind: str, value: str, part: Json) -> str:
    if kind == "run" and part.get("story_id"):
        return _run(part)
    return value if kind == "story" else f"{kind} {value}"


def _run(run: Json) -> str:
    """The parts of a run's key that tell it from others.

    >>> _run({"story_id": "S-1", "model_version": "m-1", "attempt": 2}), _run({"story_id": "S-1", "model_version": "unknown"})
    ('S-1 · m-1 · attempt 2', 'S-1')
    """
    model, attempt = run.get("model_version"), run.get("attempt") or FIRST
    parts = (model if model != UNKNOWN else None, f"attempt {attempt}" if attempt > FIRST else None)
    return " · ".join([_cut(str(run["story_id"])), *filter(None, parts)])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def some(count: int, what: str) -> str:
    """So many of something, by its plural.

    >>> some(1, "stories"), some(2, "overrides"), some(1, "runs")
    ('1 story', '2 ratings', '1 run')
    """
    if count == 1:
        return f"1 {SINGULAR.get(what, what.removesuffix('s'))}"
    return f"{count:,} {PLURAL.get(what, what)}"


def _file(path: str) -> str:
    """A file's name, or of a long path its end.

    >>> _file("ci/junit.xml"), len(_file("x" * 500 + "/junit.xml")), _file("x" * 500 + "/junit.xml")[-10:]
    ('ci/junit.xml', 80, '/junit.xml')
    """
    line = " ".join(path.split())
    return line if len(line) <= SHOWN else "…" + line[1 - SHOWN :]


def _these(counts: Json, parts: tuple[str, ...]) -> str:
    return ", ".join(some(counts[part], part) for part in parts if counts.get(part))


def _whose(reviewer: str, actor: str) -> str:
    return "their own" if reviewer == actor else f"{_cut(reviewer)}'s"


def _rating(value: Any) -> str:
    return f"{float(value):.10g}"


def _rated(actor: str, request: Json, answer: Json) -> str:
    run, rating, reviewer = _run(answer["run"]), _rating(request["rating"]), request["reviewer"]
    begun = ", a story that was not known before" if answer.get("created") else ""
    if reviewer == actor:
        return f"rated {run}: {rating}{begun}"
    return f"stored {_cut(reviewer)}'s rating of {run}: {rating}{begun}"


def _took_back(actor: str, request: Json, answer: Json) -> str:
    whose = _whose(answer["reviewer"] or "an unnamed reviewer", actor)
    return f"took back {whose} rating {_rating(answer['rating'])} of {_run(answer['run'])}"


def _attested(actor: str, request: Json, answer: Json) -> str:
    return f"stated that {_cut(request['model'])} did {_run(answer['run'])}"


def _verdict(actor: str, request: Json, answer: Json) -> str:
    by, run = _cut(answer["verifier_model"]), _run(answer["run"])
    if answer["verdict_id"] is None:
        return f"asked {by} to review {run}: no usable verdict"
    score = "" if answer["quality"] is None else f": {_rating(answer['quality'])}"
    return f"asked {by} to review {run}{score}{' (simulated)' if answer.get('simulated') else ''}"


def _imported(actor: str, request: Json, answer: Json) -> str:
    name, counts = _file(request.get("label") or answer["path"]), answer["counts"]
    rejects = some(counts["rejects"], "rejects") if counts.get("rejects") else ""
    if answer["status"] == "rejected":
        return f"brought {name}, of which nothing could be used{': ' if rejects else ''}{rejects}"
    if answer["status"] == "unchanged":
        return f"brought {name} again: nothing new"
    return f"imported {name}: {', '.join(filter(None, [_these(counts, PARTS), rejects])) or 'nothing new'}"


def _accepted(actor: str, request: Json, answer: Json) -> str:
    runs = answer["runs"]
    of = _run(runs[0]) if len(runs) == 1 else some(len(runs), "runs")
    return f"confirmed that an older report is of {of}"


def _evaluated(actor: str, request: Json, answer: Json) -> str:
    names = list(dict.fromkeys(one["name"] for one in request["evaluations"]))
    if len(names) == 1:
        return f"kept {some(len(answer['evaluation_ids']), 'evaluations')} of the prompt {_cut(names[0])}"
    return f"kept {some(len(answer['evaluation_ids']), 'evaluations')} of {some(len(names), 'prompts')}"


def _rebuilt(actor: str, request: Json, answer: Json) -> str:
    responses = f", {some(answer['responses'], 'responses')}" if answer.get("responses") else ""
    return f"scored everything anew: {some(answer['runs'], 'runs')}{responses}"


def _responses(actor: str, request: Json, answer: Json) -> str:
    parts = [
        some(answer["stored"], "responses") if answer["stored"] else "",
        f"{answer['restated']:,} in other words" if answer["restated"] else "",
        some(answer["feedback"], "feedback") if answer["feedback"] else "",
        f"{answer['unchanged']:,} known already" if answer["unchanged"] else "",
        f"{answer['pruned']:,} old ones removed" if answer.get("pruned") else "",
    ]
    return f"stored {', '.join(filter(None, parts)) or 'nothing new'}"


def _heard(actor: str, request: Json, answer: Json) -> str:
    said = f"{str(request['signal']).replace('_', ' ')} on response {_cut(request['response_id'])}"
    return f"gave feedback: {said}{' (known already)' if answer['status'] == 'known' else ''}"


def _heard_many(actor: str, request: Json, answer: Json) -> str:
    held = f", {answer['held']:,} held until their response is stored" if answer["held"] else ""
    known = f", {answer['known']:,} known already" if answer["known"] else ""
    return f"stored {some(answer['counted'], 'feedback')}{held}{known}"


def _pruned(actor: str, request: Json, answer: Json) -> str:
    return f"removed {some(answer['responses'], 'responses')} that were old"


def _ranked(actor: str, request: Json, answer: Json) -> str:
    if answer["status"] == "known":
        return f"brought a ranking of {some(answer['candidates'], 'candidates')} again: nothing new"
    return f"stored a ranking of {some(answer['candidates'], 'candidates')}"


def _backed_up(actor: str, request: Json, answer: Json) -> str:
    return f"backed the ledger up: {_cut(answer['name'])}"


def _restored(actor: str, request: Json, answer: Json) -> str:
    lost = answer["lost"]
    what = "nothing was lost" if lost == 0 else f"{some(lost, 'writes')} made since left out" if lost else ""
    return f"restored {_cut(answer['name'])}{': ' if what else ''}{what}"


def _migrated(actor: str, request: Json, answer: Json) -> str:
    return f"brought the file from schema {request['from']} to {request['to']}"


def _listed(actor: str, request: Json, answer: Json) -> str:
    why = f": {_cut(request['why'])}" if request.get("why") else ""
    return f"put {some(answer['added'], 'runs')} on the review list{why}"


def _unlisted(actor: str, request: Json, answer: Json) -> str:
    return f"took {some(answer['removed'], 'runs')} off the review list"


def _changed_fields(answer: Json) -> str:
    names = {"org_domain": "domain", "estimated_tokens": "estimate", "done_criteria": "done criteria"}
    return ", ".join(names.get(one["field"], one["field"]) for one in answer["changes"]) or "nothing counts otherwise"


def _edited(actor: str, request: Json, answer: Json) -> str:
    return f"corrected {_cut(answer['story_id'])}: {_changed_fields(answer)}"


def _unedited(actor: str, request: Json, answer: Json) -> str:
    return f"took back a correction of {_cut(answer['story_id'])}: {_changed_fields(answer)}"


def _merged(actor: str, request: Json, answer: Json) -> str:
    return f"merged {_cut(answer['from_id'])} into {_cut(answer['story_id'])}: {some(answer['rows']['moved'], 'runs')} moved"


def _split_off(actor: str, request: Json, answer: Json) -> str:
    return (
        f"split {_cut(answer['from_id'])} off {_cut(answer['story_id'])}: {some(answer['rows']['moved'], 'runs')} moved"
    )


def _withdrew(actor: str, request: Json, answer: Json) -> str:
    gone = answer["brought"]["runs_gone"]
    return f"withdrew the import of {_file(answer['label'])}" + (f": {some(gone, 'runs')} gone" if gone else "")


def _reinstated(actor: str, request: Json, answer: Json) -> str:
    back = answer["runs_back"]
    return f"reinstated the import of {_file(answer['label'])}" + (f": {some(back, 'runs')} back" if back else "")


def _redacted(actor: str, request: Json, answer: Json) -> str:
    of = _run(answer["run"]) if answer.get("run") else _cut(answer.get("story_id") or "")
    return f"redacted {WHAT[answer['kind']]}{f' of {of}' if of else ''}: {some(answer['places'], 'places')}"


def _drawn(actor: str, request: Json, answer: Json) -> str:
    return f"drew {some(answer['drawn'], 'runs')} for review; {some(answer['open'], 'runs')} now open"


def _skipped(actor: str, request: Json, answer: Json) -> str:
    return f"passed over a drawn run; {some(answer['left'], 'runs')} left"


def _gave_back(actor: str, request: Json, answer: Json) -> str:
    return f"gave {some(answer['given_back'] + answer['skipped'], 'drawn runs')} back"


KINDS: dict[str, Kind] = {
    "add_rating": Kind("Rating", _rated),
    "undo_rating": Kind("Rating taken back", _took_back),
    "attest_model": Kind("Model stated", _attested),
    "add_verdict": Kind("Review by a judge", _verdict),
    "import_artifact": Kind("Import", _imported),
    "accept_report": Kind("Older report confirmed", _accepted),
    "store_evaluations": Kind("Prompt evaluation", _evaluated),
    "add_to_review_list": Kind("Review asked for", _listed),
    "remove_from_review_list": Kind("Taken off the review list", _unlisted),
    "draw_for_review": Kind("Drawn for review", _drawn),
    "skip_draw": Kind("Drawn run skipped", _skipped),
    "give_back_draws": Kind("Drawn runs given back", _gave_back),
    "edit_story": Kind("Story corrected", _edited),
    "undo_story_edit": Kind("Correction of a story taken back", _unedited),
    "merge_stories": Kind("Stories merged", _merged),
    "split_story": Kind("Story split off again", _split_off),
    "rebuild": Kind("Rebuild", _rebuilt),
    "store_responses": Kind("Responses", _responses),
    "add_feedback": Kind("Feedback", _heard),
    "add_feedbacks": Kind("Feedback, many at once", _heard_many),
    "prune_responses": Kind("Old responses removed", _pruned),
    "store_ranking": Kind("Ranking of candidates", _ranked),
    "withdraw_import": Kind("Import withdrawn", _withdrew),
    "reinstate_import": Kind("Import reinstated", _reinstated),
    "redact": Kind("Redaction", _redacted, forgets=True),
    "back_up": Kind("Backup", _backed_up),
    "restore": Kind("Restore", _restored),
    "migrate": Kind("New schema", _migrated),
}
"""Every kind of command that leaves a row in the audit → how it is told."""
