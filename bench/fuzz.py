"""`make fuzz SECONDS=180`: what do the readers do with bytes that nobody thought of?

Coverage-guided, by libFuzzer through atheris (Apache-2.0, which stands in a folder of its own, not among the
dependencies). It begins with the test assets, what the readers' tests say in their source and a small artifact of each
format, and keeps each input that reaches new code in `.fuzz/corpus`, so that the next run goes on from there. Then the
newest inputs go through the ledger too, and the slow ones are timed again, repeated up to 1 MB. What is wrong is in
`.fuzz/faults`, the shortest input of each fault. Exit 1 if there is any.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.fuzz_after import lines_reached, through_ledger, timed_again
from bench.fuzz_seeds import write_seeds

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".fuzz"
LIBFUZZER = (
    "-max_len=32768",
    "-timeout=60",
    "-rss_limit_mb=4096",
    "-print_final_stats=1",
    "-len_control=20",
    "-reload=0",
)
_DONE = re.compile(r"#(\d+)\s+(?:DONE|pulse|NEW|REDUCE)\s.*?cov: (\d+)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=180)
    options = parser.parse_args()
    corpus, faults, seeds = HOME / "corpus", HOME / "faults", HOME / "seeds"
    shutil.rmtree(faults, ignore_errors=True)
    shutil.rmtree(seeds, ignore_errors=True)
    for folder in (corpus, faults, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    write_seeds(seeds)
    end, executions, reached = time.monotonic() + options.seconds, 0, 0
    while (left := int(end - time.monotonic())) > 5:
        done, cover, stopped = _fuzz(left, corpus, faults, seeds)
        executions, reached = executions + done, max(reached, cover)
        if stopped:
            print(f"libFuzzer ended early: {stopped}")
        if not done:
            break
    print(
        f"{executions:,} executions in {options.seconds:,} s, {reached:,} edges, {len(list(corpus.iterdir())):,} inputs kept"
    )
    inputs = sorted([*corpus.iterdir(), *seeds.iterdir()])
    print(lines_reached(inputs))
    through_ledger(inputs, faults)
    timed_again(faults)
    return _report(faults)


def _fuzz(seconds: int, corpus: Path, faults: Path, seeds: Path) -> tuple[int, int, str]:
    """Executions, edges reached, and why it ended before its time."""
    environment = os.environ | {"PYTHONPATH": f"{HOME / 'atheris'}{os.pathsep}{ROOT}"}
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            sys.executable, "-m", "bench.fuzz_target", str(faults), scratch, f"-max_total_time={seconds}",
            f"-artifact_prefix={faults}/", *LIBFUZZER, str(corpus), str(seeds),
        ]  # fmt: skip
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, errors="replace")
    counts = [(int(n), int(cover)) for n, cover in _DONE.findall(run.stderr)] or [(0, 0)]
    why = "" if run.returncode == 0 else "\n".join(run.stderr.splitlines()[-12:])
    return counts[-1][0], max(cover for _, cover in counts), why


def _report(faults: Path) -> int:
    told = [json.loads(path.read_text()) | {"input": path.stem} for path in sorted(faults.glob("*.json"))]
    told += [
        {"fault": path.name.split("-")[0], "what": "libFuzzer stopped at it", "input": path.name}
        for path in faults.iterdir()
        if path.name.startswith(("timeout-", "oom-", "crash-"))
    ]
    for fault in told:
        print(f"{fault['fault']}: {fault['what']} ({faults.name}/{fault['input']})")
    print(f"{len(told)} faults")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
