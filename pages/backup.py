"""Is the ledger safe, and how is an earlier state brought back? Backups beside it; one opened to take along or restore."""

from pages.components import activity_data, backup_view, backups, page

name = backups.opened()
if name:
    backups.back()
else:
    page.title(
        "Backup", "The whole ledger as one file, made while everybody works on; checked before it replaces anything."
    )
if backups.may_see():
    found = activity_data.backups()
    backups.notes()
    if not name:
        backups.make(found)
        backups.listed(found)
        backups.upload(found)
    elif one := backup_view.named(found, name):
        backup_view.heading(one)
        backup_view.restore(found, one)
