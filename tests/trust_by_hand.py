"""Ledgers whose trust can be worked out by hand.

`ONE_MODEL`: eight runs of claude-opus-4, all verified by gpt-5-mini, five reviewed; the verifier is one point lenient always.

| story | A1 | A2 | A3 | A4 | A5 | A6 | A7 | A8 |
|---|---|---|---|---|---|---|---|---|
| verifier | 9 | 8 | 7 | 6 | 9 | 8 | 7 | 6 |
| human | 8 | 7 | 6 | 5 | 8 | – | – | – |

The prediction is verifier − 1: mean 6.5 over all, 6.8 over the reviewed ones. λ = cov ÷ var = (6.8/5) ÷ (10/7) = 0.952.
Calibrated = 6.8 + 0.952·(6.5 − 6.8) = 6.5144. Effective mean = (8 + 7 + 6 + 5 + 8 + 8 + 7 + 6) ÷ 8 = 6.875.
Residuals are 0.048·(human − 6.8): their variance s² = 0.048²·6.8/4 = 0.003917. Five of eight are reviewed, so the error² is
s²/5·(1 − 5/8) + (6.5 − 6.8)²·s²/(5·10/7) = 0.0003431, and the half width 2.7764·0.018523 = 0.0514.

`REVIEWED`: three models in backend, every run reviewed, so that each score is the plain human mean without error. gpt-5 has
five runs of 9 (one dollar each), claude-opus-4 five of 6 (two dollars each), gemini-2.5-pro three of 8: two reviews short.
"""

import csv
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger

ESTIMATE, HALF, EFFECTIVE = 6.5144, 0.0514, 6.875
VERIFIED = {"verifier_agent": "checker", "verifier_model": "gpt-5-mini", "verifier_at": "2026-03-02T10:00:00Z"}
REVIEW = {"reviewer": "dana", "human_at": "2026-03-03T10:00:00Z"}


def run(
    story: str, model: str, *, verifier: float | None = None, human: float | None = None, **more: Any
) -> dict[str, Any]:
    """A row of the CSV; what `more` states comes last and wins."""
    stated = {
        "story_id": story,
        "agent": "builder",
        "model": model,
        "discipline": "backend",
        "ts": "2026-03-02T09:00:00Z",
    }
    rated = ({"quality_verifier": verifier} | VERIFIED if verifier is not None else {}) | (
        {"quality_human": human} | REVIEW if human is not None else {}
    )
    return stated | rated | more


ONE_MODEL = [
    run(f"A{number}", "claude-opus-4", verifier=verifier, human=human)
    for number, (verifier, human) in enumerate(zip([9, 8, 7, 6, 9, 8, 7, 6], [8, 7, 6, 5, 8, None, None, None]), 1)
]
REVIEWED = [
    *(run(f"B{number}", "gpt-5", human=9, cost_usd=1) for number in range(5)),
    *(run(f"B{number}", "claude-opus-4", human=6, cost_usd=2) for number in range(5)),
    *(run(f"B{number}", "gemini-2.5-pro", human=8) for number in range(3)),
]


def csv_of(rows: Iterable[dict[str, Any]]) -> str:
    """The rows as a CSV with every column that one of them states."""
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def fill(ledger: Ledger, folder: Path, rows: Iterable[dict[str, Any]], name: str = "runs.csv") -> None:
    """Import them as one CSV."""
    path = folder / name
    path.write_text(csv_of(rows), encoding="utf-8")
    answer = ledger.execute(ImportArtifact(actor="test", path=str(path), label=name))
    assert (answer.status, answer.rejects) == ("imported", [])
