"""`python -m bench.judges`: 200 prompts evaluated through a server on this machine, 8 at once, beside its own time.

The server answers each question after a delay, as a model would, in a process of its own. Its own time is what it
spent on the 200, by its own clock, divided by the 8 that were at work: nobody who asks 8 at once can be faster.
A bare client that only posts the same bodies over kept connections stands beside it.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

from quality.cli.prompt_batch import evaluate_batch
from quality.cli.prompt_sources import Source
from quality.dimensions import KEYS
from quality.judges import open_judge
from quality.settings import JudgeSettings
from tests.judges.server import ANTHROPIC, OPENAI, JudgeServer

PROMPT = "Summarise the text below in three sentences for somebody who has not read it. " * 20
PATHS = {"anthropic": ("", ANTHROPIC), "openai": ("/v1", OPENAI)}
"""Backend → what its base URL ends in, and where it posts."""
TARGET = "≤ 1.5"
SAID = json.dumps(
    {key: {"score": 7.5, "feedback": "It names the task and leaves the length open. " * 4} for key in KEYS}
)


def serve(pipe, delay: float) -> None:
    """Until the other end closes; each message asks for the seconds spent since the last."""
    with JudgeServer(delay, text=SAID) as server:
        pipe.send(server.address)
        while pipe.recv():
            pipe.send((server.busy_seconds, len(server.calls), server.most_at_once))
            server.busy_seconds, server.most_at_once = 0.0, 0
            server.calls.clear()


@contextmanager
def served(delay: float) -> Iterator[tuple[str, Callable[[], tuple[float, int, int]]]]:
    """Address of a server, and a function that says seconds spent, calls and most at once since it was last asked."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, delay), daemon=True)
    process.start()

    def spent() -> tuple[float, int, int]:
        ours.send(True)
        return ours.recv()

    try:
        yield ours.recv(), spent
    finally:
        ours.send(False)
        process.join()


def post_barely(address: str, path: str, questions: int, at_once: int) -> None:
    host = urlsplit(address).netloc
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": PROMPT}]})

    def share(_place: int) -> None:
        connection = http.client.HTTPConnection(host)
        for _ in range(questions // at_once):
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            json.loads(connection.getresponse().read())
        connection.close()

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(share, range(at_once)))


def report(delay: float, questions: int, at_once: int, repeats: int) -> None:
    for backend, (ending, path) in PATHS.items():
        with served(delay) as (address, spent):
            os.environ[f"{backend.upper()}_BASE_URL"] = address + ending
            settings = JudgeSettings(concurrency=at_once, spend_usd=1e6, spend_tokens=10**12)
            judge = open_judge(backend, settings)
            asked = [Source(str(place), f"{PROMPT}{place}", "bench", place) for place in range(questions)]
            evaluate_batch(asked[:at_once], judge, at_once)  # the library is loaded, the connections stand
            ratios, seconds, bare = [], [], []
            for _ in range(repeats):
                spent()
                start = time.perf_counter()
                found = evaluate_batch(asked, judge, at_once)
                taken = time.perf_counter() - start
                busy, calls, most = spent()
                assert all(evaluation.overall == 7.5 for evaluation in found)
                assert (calls, most) == (questions, at_once)
                ratios.append(taken / (busy / at_once))
                seconds.append(taken)
                start = time.perf_counter()
                post_barely(address, path, questions, at_once)
                bare.append(time.perf_counter() - start)
            judge.close()
        print(
            f"{backend:<10} {questions} evaluations, {at_once} at once, {delay * 1e3:.0f} ms each: "
            f"{statistics.median(seconds):.2f} s, {statistics.median(ratios):.2f} × the server's own time "
            f"({min(ratios):.2f}–{max(ratios):.2f}); a bare client {statistics.median(bare):.2f} s   target {TARGET}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--delay", type=float, action="append", help="seconds; a model takes 1 to 20")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for delay in options.delay or (0.05, 0.2):
        report(delay, options.questions, options.at_once, options.repeats)


if __name__ == "__main__":
    main()
