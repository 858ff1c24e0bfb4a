"""What else does the Stories page show? A run's history, its place in the list, and what a correction does; see
`quality/definitions.py`."""

from quality.definition import Definition, count, text

EVENTS = "quality.ledger.run_history.events_of"
PLACES = "quality.ledger.neighbours.place_of"
SUPPOSED = "quality.ledger.story_corrections.suppose"
CHANGES = {
    "runs": "runs_concerned", "moved": "runs_moved", "renumbered": "runs_renumbered", "ratings": "ratings_moved",
    "effective": "effective_changed", "scores": "auto_changed", "coordinates": "kinds_changed",
}  # fmt: skip
"""What a correction of a story does to the rows (`RowsChanged`) → its definition, in the order it is shown."""

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
    count("runs_concerned", "Runs", "runs", "Runs of the story that is corrected, or of both stories.", SUPPOSED),
    count("runs_moved", "Moved", "runs", "Runs that are of another story afterwards.", SUPPOSED),
    count("runs_renumbered", "Renumbered", "runs",
          "Runs with another number of attempt afterwards, since no two of a story, agent and model share one.", SUPPOSED),
    count("ratings_moved", "Ratings", "ratings", "Standing human ratings that go along with the runs.", SUPPOSED),
    count("effective_changed", "Scores changed", "runs", "Runs with another effective score afterwards.", SUPPOSED),
    count("auto_changed", "Auto changed", "runs", "Runs with another automatic score afterwards.", SUPPOSED),
    count("kinds_changed", "Kind changed", "runs", "Runs that count at another kind of work afterwards.", SUPPOSED),
)  # fmt: skip
