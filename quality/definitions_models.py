"""What do the numbers of models by kind of work, by week, in depth and side by side mean? Part of the catalogue."""

from quality.definition import Definition, count

QUERIES = "quality.ledger.queries_models"
COVERAGE = f"{QUERIES}.coverage"

MODEL_NUMBERS: tuple[Definition, ...] = (
    count("n_tiers", "Runs", "runs", "Runs that have a score from exactly these tiers.", COVERAGE),
)
