"""What is said beside a calibrated score? The same on screen and on the command line."""

from typing import Any


def remark(row: dict[str, Any]) -> str:
    """How the calibrated score differs from the effective mean, or what is missing for one; "" where neither is known.

    >>> remark({"n_needed": 2, "lenience_words": ""}), remark({"n_needed": 0, "lenience_words": "auto is 1.2 harsh here"})
    ('review 2 more', 'auto is 1.2 harsh here')
    >>> remark({"n_needed": None, "lenience_words": ""})
    ''
    """
    return f"review {row['n_needed']} more" if row["n_needed"] else row["lenience_words"]
