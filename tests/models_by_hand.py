"""Eight runs of two models, by hand; the table is in `tests/ledger/test_models.py`."""

from pathlib import Path

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger

LINES = """\
story_id,title,agent,model,attempt,discipline,test_pass_rate,tests_total,quality_verifier,verifier_agent,verifier_model,\
verifier_at,quality_human,reviewer,human_at,ts,duration_vs_estimate,cost_usd,duration_s,model_at_dispatch,model_at_completion
A,Parse *this*,a,m1,1,backend,1.0,20,8,v,j,2026-03-02T10:00:00Z,6,dana,2026-03-02T12:00:00Z,2026-03-02T09:00:00Z,,0.50,60,,
B,Sum,a,m1,1,backend,,,7,v,j,2026-03-08T23:59:00Z,,,,2026-03-08T09:00:00Z,,1.50,,,
C,Docs,a,m1,1,docs,0.4,10,,,,,,,,2026-03-09T00:00:00Z,,,,,
A,Parse *this*,a,m2,1,backend,0.8,10,5,v,j,2026-03-30T09:00:00Z,,,,2026-03-30T09:00:00Z,,,,,
B,Sum,a,m2,1,backend,0.6,10,9,v,j,2026-03-30T09:00:00Z,9,dana,2026-03-30T10:00:00Z,2026-03-30T09:00:00Z,,,,,
D,Rename,a,m2,1,,,,,,,,3,eli,2026-03-30T10:00:00Z,,,,,,
C,Docs,a,m2,1,docs,0.2,10,,,,,,,,2026-03-30T09:00:00Z,,,,m2,m1
E,Empty,a,m1,1,docs,,,,,,,,,,,,,,,
"""


def fill(ledger: Ledger, folder: Path) -> None:
    """Import them as one CSV."""
    path = folder / "runs.csv"
    path.write_text(LINES, encoding="utf-8")
    answer = ledger.execute(ImportArtifact(actor="test", path=str(path), label="runs.csv"))
    assert answer.status == "imported", answer
