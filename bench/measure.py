"""How long does a step take and how much memory, in a process of its own, beside another in the same run?"""

import multiprocessing
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measure:
    seconds: float
    """Median over the repeats."""
    peak_mb: float
    """Resident memory of the process at its highest, the imports included."""


def in_fresh_process(
    step: Callable[..., None], *args: object, repeats: int = 1, prepare: Callable[[], None] | None = None
) -> Measure:
    """Run the step `repeats` times, each in a fresh process; the clock starts after the imports."""
    context = multiprocessing.get_context("spawn")
    found = []
    for _ in range(repeats):
        if prepare:
            prepare()
        ours, theirs = context.Pipe()
        process = context.Process(target=_timed, args=(theirs, step, args))
        process.start()
        theirs.close()
        found.append(ours.recv())
        process.join()
        if isinstance(found[-1], str):
            raise RuntimeError(found[-1])
    return Measure(statistics.median(s for s, _ in found), max(mb for _, mb in found))


def milliseconds(step: Callable[[], object], repeats: int = 30) -> tuple[float, float]:
    """p50 and p95 of a short step in this process, in milliseconds, after one warm-up."""
    step()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        taken.append((time.perf_counter() - start) * 1e3)
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def row(name: str, ours: float, bare: float, unit: str, target: str, more: str = "") -> None:
    """One line of the report: what we take, what the bare minimum takes, and their ratio."""
    print(
        f"{name:<34} {ours:>10.3f} {unit:<3} bare {bare:>9.3f} {unit:<3} ratio {ours / bare:>6.2f}   target {target}  {more}"
    )


def _timed(pipe, step: Callable[..., None], args: tuple) -> None:
    try:
        start = time.perf_counter()
        step(*args)
        seconds = time.perf_counter() - start
        pipe.send((seconds, _peak_mb()))
    except Exception as error:
        pipe.send(f"{step.__name__}: {error!r}")


def _peak_mb() -> float:
    """The kernel's high-water mark of this process; the resource module's would include the parent's at the fork."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1e3
