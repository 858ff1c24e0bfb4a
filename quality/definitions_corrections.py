"""What do the columns about imports, and what withdrawing one would change, mean? Part of the catalogue."""

from quality.definition import Definition, count, text

LISTED = "quality.ledger.withdrawals.list_imports"
FORGOTTEN = "quality.ledger.redactions.suppose_redaction"
SHOWN = "quality.ledger.withdrawals.show_import"

CORRECTION_NUMBERS: tuple[Definition, ...] = (
    text("imported_at", "When", "When the file was stored here.", LISTED, "time"),
    text("imported_by", "Who", "Who brought it.", LISTED),
    text("import_file", "File", "The file's name, or where it came from.", LISTED),
    text("import_brought", "Brought", "What was stored of it.", LISTED),
    text("import_state", "State", "Whether what it brought counts, or is withdrawn.", LISTED),
    count("n_imports", "Imports", "imports", "Files that were brought in, withdrawn ones included.", LISTED),
    count("runs_gone", "Runs gone", "runs", "Runs that only it speaks of: without it they are in no number.", SHOWN),
    count("runs_kept", "Runs kept", "runs", "Other runs that it speaks of: without it they lose only that.", SHOWN),
    count("ratings_waiting", "Ratings waiting", "ratings", "People's own ratings of the runs gone; they wait for them.", SHOWN),
    count("import_signals", "Readings", "readings", "Readings of signals that the import brought.", SHOWN),
    count("import_verdicts", "Verdicts", "ratings", "Ratings by a verifier agent that the import brought.", SHOWN),
    count("import_overrides", "Ratings", "ratings", "Ratings by people that the file itself holds.", SHOWN),
    count("import_stories", "Stories told", "stories", "Stories that the import says something of.", SHOWN),
    count("import_rejects", "Rejects", "records", "Records of it that could not be used.", SHOWN),
    text("import_run_state", "Without the import", "What becomes of the run where the import is withdrawn.", SHOWN),
    count("redacted_places", "Places", "places", "Values that the words stand in, copies and audit included.", FORGOTTEN),
    count("redacted_characters", "Characters", "characters", "Of the words that are taken out, each text once.", FORGOTTEN),
)  # fmt: skip
