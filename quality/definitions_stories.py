"""What else does the Stories page show? A run's history and its place in the list; see `quality/definitions.py`."""

from quality.definition import Definition, count, text

EVENTS = "quality.ledger.run_history.events_of"
PLACES = "quality.ledger.neighbours.place_of"

STORY_NUMBERS: tuple[Definition, ...] = (
    text("known_at", "Recorded", "When it was recorded here: the score follows it from then on.", EVENTS, "time"),
    text("event", "What was recorded", "A reading, verdict, rating, withdrawal, or who stated what of the run.", EVENTS),
    text("said_by", "By", "Whose word it is: the reviewer, the verifier, or who brought the artifact.", EVENTS),
    Definition(
        "score_change", "Change", "difference", "points", -10, 10,
        "Effective score after the event minus before it; empty where one of them is unknown.", EVENTS,
    ),
    count("list_position", "Place", "runs", "Place of the run among those that fit the filters, in this order.", PLACES),
    count("n_waiting", "Review list", "runs", "Runs on the review list that nobody has rated since.",
          "quality.ledger.review_list.show_review_list"),
)  # fmt: skip
