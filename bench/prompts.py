"""`python -m bench.prompts [--replies N]`: parsing and scoring recorded replies of a judge, beside `json.loads` alone.

The replies are made up from a seed: bare, fenced and in prose, some broken, feedback of a few sentences.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable

from bench.measure import row
from quality.dimensions import KEYS
from quality.judge_json import reply_object
from quality.prompts import score_replies

SEED = 20260301
REPEATS = 5
BROKEN = 0.02
"""Share of the replies that are cut short."""
SENTENCE = "the prompt states role task limits output but leaves one term open and gives no example of what counts"
WORDS = SENTENCE.split()


def replies(count: int) -> tuple[list[str], list[str]]:
    """Replies as a judge writes them, and the JSON that each was made of."""
    draw = random.Random(SEED)
    given, plain = [], []
    for _ in range(count):
        text = json.dumps(_document(draw), indent=draw.choice((None, 1, 2)))
        plain.append(text)
        wrapped = draw.choice((text, f"```json\n{text}\n```", f"Here it is:\n\n```JSON\n{text}\n```\nThat is all."))
        given.append(wrapped[: len(wrapped) // 2] if draw.random() < BROKEN else wrapped)
    return given, plain


def _document(draw: random.Random) -> dict:
    parts = {key: {"score": draw.randint(0, 20) / 2, "feedback": _sentence(draw)} for key in KEYS}
    return parts | {"suggestions": [_sentence(draw) for _ in range(draw.randint(0, 5))]}


def _sentence(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(10, 40)))


def seconds(step: Callable[[], object]) -> float:
    """Median of the repeats."""
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        step()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=10_000)
    count = parser.parse_args().replies
    given, plain = replies(count)
    failed = sum(found.status == "FAILED" for found in score_replies(given))
    print(f"{count:,} replies of {sum(map(len, given)) // count:,} characters on average, {failed:,} FAILED")
    bare = seconds(lambda: [json.loads(text) for text in plain])
    parsed = seconds(lambda: [reply_object(text) for text in plain])
    ours = seconds(lambda: score_replies(given))
    row(f"parse {count:,}", parsed, bare, "s", "–")
    row(f"parse and score {count:,}", ours, bare, "s", "≤ 2 s")


if __name__ == "__main__":
    main()
