"""What is left of a restore that is killed? The old ledger or the restored one, whole."""

import subprocess
import sys

from quality.backup_commands import BackUp, CheckBackup
from quality.commands import AddRating
from quality.ledger.ledger import Ledger

KILLED = """
import os, signal, sys
from quality.backup_commands import Restore
from quality.ledger import backup_restoring, backups, store
from quality.ledger.ledger import Ledger

path, backup, folder = sys.argv[1:]
WATCHED = {backup_restoring.restore, backup_restoring.swap, backup_restoring._link, backups.sync,
           store.Store.exchange, store.Store._open_again, store.Store._close_connection}
CODES = {getattr(function, "__wrapped__", function).__code__ for function in WATCHED}

def trace_until(step):
    left = step
    def lines(frame, event, arg):
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return lines
    def calls(frame, event, arg):
        return lines if frame.f_code in CODES else None
    sys.settrace(calls)

def child(work):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    work()
    os._exit(0)

def restore(step):
    def work():
        with Ledger(path) as ledger:
            trace_until(step)
            ledger.execute(Restore(actor="ops", path=backup))
            sys.settrace(None)
    return work

def look():
    with Ledger(path) as ledger:
        row = ledger.store.rows("SELECT (SELECT list(story_id ORDER BY story_id) FROM ledger) AS stories, "
                                "(SELECT count(*) FROM audit) AS writes")[0]
        print(*row["stories"], row["writes"], flush=True)

before = open(path, "rb").read()
step = 0
while True:
    open(path, "wb").write(before)
    killed = child(restore(step))
    assert child(look) == 0
    step += 3
    if not killed:
        break
"""


def rate(ledger, story):
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=story, rating=7, create=True))


def test_killed_at_any_line_the_ledger_is_the_old_one_or_the_restored_one(ledger):
    """SIGKILL at every third line of the exchange, until one gets through."""
    rate(ledger, "S-1")
    backup = ledger.execute(BackUp(actor="ops"))
    rate(ledger, "S-2")
    ledger.close()
    command = [sys.executable, "-W", "ignore", "-c", KILLED, str(ledger.path), backup.path, str(ledger.path.parent)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    found = done.stdout.splitlines()
    assert set(found) == {"S-1 S-2 3", "S-1 2"}, found
    assert found == sorted(found, reverse=True), "once restored, always restored"
    assert len(found) > 10
    with Ledger(ledger.path) as again:
        again.ask(CheckBackup(path=backup.path))
    assert list(ledger.path.parent.glob("*.restoring-*")) == []
