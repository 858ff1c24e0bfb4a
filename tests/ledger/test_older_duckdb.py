"""A ledger file made here opens with duckdb 1.5.5, which the shared ledger of a larger team still needs."""

import os
import subprocess
import sys
from pathlib import Path

from quality.commands import AddRating
from quality.ledger.ledger import Ledger

OLDER = Path(__file__).parents[2] / ".compat" / "duckdb-1.5.5"
READ = """
import sys, duckdb
with duckdb.connect(sys.argv[1], read_only=True) as connection:
    print(duckdb.__version__, connection.execute("SELECT quality, note FROM ledger").fetchall())
"""


def test_a_ledger_file_made_here_opens_with_duckdb_1_5_5(tmp_path):
    assert OLDER.is_dir(), "duckdb 1.5.5 is not here: make .compat/duckdb-1.5.5/.installed"
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, note="schön", create=True))
    environment = os.environ | {"PYTHONPATH": str(OLDER)}
    found = subprocess.run(
        [sys.executable, "-c", READ, str(path)], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.strip() == "1.5.5 [(9.0, 'schön')]"
