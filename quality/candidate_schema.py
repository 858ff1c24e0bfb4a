"""What is the form of a ranking, for programs in other languages? `candidate_ranking.schema.json`, made from the models.

`python -m quality.candidate_schema` writes it anew; a test says when that is due.
"""

import json
from pathlib import Path

from quality.candidate_output import Ranking

FILE = Path(__file__).with_name("candidate_ranking.schema.json")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """The JSON schema of a ranking."""
    return json.dumps({"$schema": DIALECT, **Ranking.model_json_schema()}, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
