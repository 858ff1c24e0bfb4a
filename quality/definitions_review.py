"""What do the numbers of the review queue mean? Part of the catalogue; see `quality/definitions.py`."""

from quality.definition import Definition, count

TOTALS = "quality.ledger.review_queue.show_review_totals"

REVIEW_NUMBERS: tuple[Definition, ...] = (
    count("n_drawn", "Drawn", "runs", "Runs that were drawn for a reviewer, each time that one was.", TOTALS),
    count("n_answered", "Rated", "runs", "Draws that their reviewer rated in time; the rating still stands.", TOTALS),
    count("n_skipped", "Skipped", "runs", "Draws that their reviewer passed over.", TOTALS),
    count("n_given_back", "Given back", "runs", "Draws that were given back before anybody looked at them.", TOTALS),
    count("n_expired", "Expired", "runs", "Draws whose reservation ended without a rating.", TOTALS),
    count("n_open", "Left", "runs", "Draws that are reserved and have no rating yet.", TOTALS),
)
"""What became of draws; the first is the sum of the others."""
