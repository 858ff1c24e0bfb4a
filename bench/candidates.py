"""`python -m bench.candidates`: 100,000 candidates with a panel, and 200 of them with a judge, beside the server's time.

Without a judge: reading and checking the file, ranking, writing, and the whole command as a process of its own; from
25,000 on in doubling sizes, so that what grows faster than the candidates shows. Every candidate has a title and a
reason of its own; the columns that count are drawn from a seed.

With a judge: four questions a candidate, 8 at once, to a server on this machine that takes a set time for each. Its own
time is what it spent on all of them, by its own clock, divided by 8: nobody who asks 8 at once can be faster.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.judges import PATHS, served
from quality.candidate_input import read_candidates
from quality.candidate_ranking import callers, rank
from quality.judges.candidates import judge_candidates
from quality.settings import JudgeSettings

SEED = 20261202
SIZES = (25_000, 50_000, 100_000)
CATEGORIES = ("docs", "reference", "guardrail", "workflow", "tests", "prompt", "misc")
LEVELS = ("low", "low", "medium", "high")
AT_ONCE = 8
SCORED_IN, RATIO = "≤ 5 s", "≤ 1.5"
OFF_SERVER = 1e6
"""US dollars and more: no limit stops a bench."""


def made_up(count: int) -> bytes:
    """A file of so many candidates."""
    draw = random.Random(SEED)
    many = [
        {
            "id": f"c{place}", "title": f"Proposal {place}", "category": draw.choice(CATEGORIES),
            "risk_level": draw.choice(LEVELS), "executor_support": draw.random() < 0.6,
            "source_refs": [f"feedback-{number}.md" for number in range(draw.randrange(6))],
            "target_path": f"skills/{draw.choice(('minutes', 'reports', 'trading'))}-{place % 500}/SKILL.md",
            "proposed_change_summary": "Add a short note on owners", "rationale": f"Asked for {place} times",
            "execution_plan": {"action": "append_markdown_section", "section_heading": "## Notes",
                               "content_lines": ["Write one action per line.", "Name an owner."]},
        }
        for place in range(count)
    ]  # fmt: skip
    return json.dumps({"run_id": "bench", "target": {"path": "skills"}, "candidates": many}).encode()


def report_panel(sizes: tuple[int, ...], repeats: int) -> None:
    before = None
    for count in sizes:
        content = made_up(count)
        parts = [_panel(content) for _ in range(repeats)]
        reading, ranking, writing = (statistics.median(column) for column in zip(*parts))
        total, process = reading + ranking + writing, _process(content)
        grows = f"× {total / before[0] / (count / before[1]):.2f} a candidate" if before else ""
        print(
            f"panel {count:>8,}: read {reading:5.2f} s, rank {ranking:5.2f} s ({SCORED_IN}), write {writing:5.2f} s, "
            f"the whole command {process:5.2f} s {grows}"
        )
        before = (total, count)


def _panel(content: bytes) -> tuple[float, float, float]:
    start = time.perf_counter()
    read = read_candidates(content)
    read_at = time.perf_counter()
    ranking = rank(read.file, with_panel=True)
    ranked_at = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        nowhere.writelines(ranking.chunks())
    return read_at - start, ranked_at - read_at, time.perf_counter() - ranked_at


def _process(content: bytes) -> float:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "candidates.json"
        source.write_bytes(content)
        command = [sys.executable, "-m", "quality", "discriminate", "--panel", "--path-only", "--input", str(source)]
        start = time.perf_counter()
        subprocess.run([*command, "--state-root", folder], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def report_judge(count: int, delay: float, repeats: int) -> None:
    candidates = read_candidates(made_up(count)).file.candidates
    settings = JudgeSettings(concurrency=AT_ONCE, spend_usd=OFF_SERVER, spend_tokens=10**12)
    for backend, (ending, _) in PATHS.items():
        with served(delay) as (address, spent):
            os.environ[f"{backend.upper()}_BASE_URL"] = address + ending
            judge_candidates(candidates[:AT_ONCE], callers(True), backend, settings)  # the library is loaded
            spent()
            seconds, ratios = [], []
            for _ in range(repeats):
                start = time.perf_counter()
                judged = judge_candidates(candidates, callers(True), backend, settings)
                seconds.append(time.perf_counter() - start)
                own = spent()[0] / AT_ONCE
                ratios.append(seconds[-1] / own)
                assert judged.use.failed == 0, judged.warnings
        print(
            f"judge {backend:>9} {count} × 4, {delay * 1e3:.0f} ms a question: {statistics.median(seconds):.2f} s, "
            f"× {statistics.median(ratios):.2f} the server's own time ({RATIO})"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--candidates", type=int, default=200, help="asked about, with a judge")
    parser.add_argument("--delays", type=float, nargs="*", default=[0.2], help="seconds the server takes a question")
    parser.add_argument("--only", choices=["panel", "judge"])
    chosen = parser.parse_args()
    print(f"load of this machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    if chosen.only != "judge":
        report_panel(SIZES, chosen.repeats)
    for one in chosen.delays if chosen.only != "panel" else ():
        report_judge(chosen.candidates, one, chosen.repeats)
