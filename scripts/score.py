#!/usr/bin/env python3
"""How is a pipeline's `python scripts/score.py --input CANDS.json …` answered? By `python -m quality discriminate`.

From any folder, with the same arguments; it prints the path of the ranking.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.cli import main

SAYS_ITSELF = ("--json", "--path-only", "--help", "-h")


def run(arguments: list[str]) -> int:
    """The exit code of the command."""
    own = [] if any(argument in SAYS_ITSELF for argument in arguments) else ["--path-only"]
    return main(["discriminate", *arguments, *own])


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
