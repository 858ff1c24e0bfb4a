"""What do the columns of Activity and Backup mean? Part of the catalogue."""

from quality.definition import Definition, count, text

LISTED = "quality.ledger.activity.list_activity"
WORDS_OF = "quality.activity_words.words_of"
BACKUPS = "quality.ledger.backups.list_backups"
COMPARED = "quality.ledger.backup_checking.compared"

ACTIVITY_NUMBERS: tuple[Definition, ...] = (
    text("written_at", "When", "When the write was stored here.", LISTED, "time"),
    text("written_by", "Who", "Who asked for it, as they were known to whoever stored it.", LISTED),
    text("write_words", "What", "What was done and what came of it; tick the row for the whole request and answer.", WORDS_OF),
    text("write_about", "Concerns", "The story, run, response, ranking or evaluation that it is about.", WORDS_OF),
    count("n_writes", "Writes", "writes", "Commands that were stored, each with who, when and its answer.", LISTED),
    text("backup_name", "File", "Name of the backup; its time is UTC.", BACKUPS),
    text("made_at", "Made", "When the file was written.", BACKUPS, "time"),
    text("made_by", "By", "Who made it, or whose restore replaced it.", BACKUPS),
    text("backup_kind", "Kind", "A backup that was asked for, or what a restore replaced.", BACKUPS),
    count("backup_runs", "Runs", "runs", "Runs in the backup.", BACKUPS),
    count("backup_writes", "Writes", "writes", "Writes that are recorded in the backup.", BACKUPS),
    text("backup_size", "Size", "Size of the file; a megabyte is a million bytes.", BACKUPS),
    count("writes_since", "Writes since", "writes", "Writes that are in no backup beside the ledger yet.", BACKUPS),
    count("lost_writes", "Would be lost", "writes", "Writes of the ledger that the backup does not have.", COMPARED),
    count("returned_writes", "Come back", "writes", "Writes that only the backup has.", COMPARED),
)  # fmt: skip
