"""What does the fuzzer try? One process of libFuzzer on all readers; started by `bench.fuzz`, which gives it atheris.

    python -m bench.fuzz_target FAULTS SCRATCH [libFuzzer's own arguments] CORPUS SEEDS

A fault does not end the process: its input is kept in the folder FAULTS, the shortest of each kind.
"""

import hashlib
import json
import random
import resource
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["quality.readers"]):
    from bench.fuzz_checks import Fault, faults_of

from bench.fuzz_edits import edited

MOST_SECONDS = 5.0
MOST_GROWTH = 300 * 1024
"""KB of resident memory that one input (at most 32 KB) may add to the highest so far."""
SLOW = 0.3
"""Seconds from which an input is kept to be timed again, repeated up to 1 MB."""
AGAIN = 8
"""One input in so many is read twice."""


class Target:
    def __init__(self, faults: Path, scratch: Path) -> None:
        self.faults = faults
        self.file = scratch / "input"
        self.runs = 0

    def try_one(self, data: bytes) -> None:
        """Read the bytes; note what is wrong."""
        self.runs += 1
        self.file.write_bytes(data)
        before, start = _peak(), time.perf_counter()
        found = faults_of(self.file, again=self.runs % AGAIN == 0)
        seconds, growth = time.perf_counter() - start, _peak() - before
        if seconds > MOST_SECONDS:
            found.append(Fault("slow", f"{len(data) // 1024} KB", f"{seconds:.1f} s"))
        elif seconds > SLOW:
            start_of = hashlib.sha1(data[:64], usedforsecurity=False).hexdigest()[:6]
            self._keep(Fault("perhaps slow", start_of, f"{seconds:.2f} s"), data)
        if growth > MOST_GROWTH and self.runs > AGAIN:
            found.append(Fault("memory", f"{growth // 100_000}00 MB", f"{growth:,} KB for {len(data):,} bytes"))
        for fault in found:
            self._keep(fault, data)

    def _keep(self, fault: Fault, data: bytes) -> None:
        name = hashlib.sha1(fault.key.encode(), usedforsecurity=False).hexdigest()[:12]
        path = self.faults / name
        if path.exists() and path.stat().st_size <= len(data):
            return
        path.write_bytes(data)
        path.with_suffix(".json").write_text(json.dumps({"fault": fault.key, "what": fault.what}))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    faults, scratch, *arguments = sys.argv[1:]
    target = Target(Path(faults), Path(scratch))

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if chance.random() < 0.4:
            return atheris.Mutate(data, most)
        return edited(data, chance)[:most]

    atheris.Setup([sys.argv[0], *arguments], target.try_one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
