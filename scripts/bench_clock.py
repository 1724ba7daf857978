"""Show that measure() agrees with pyperf's timeit, side by side in one run.

    python scripts/bench_clock.py [--rounds N] [--limit SHARE]

Each round times the same functions by `pyperf timeit` (a new process) and by
`measure` (in another new process), in random order.  Prints the ratio of the
medians with its interval, and exits 1 where one is farther from 1 than the
limit (5 %) with its whole interval.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(NOTEBOOKS))

from onthefly.timings import ratio  # noqa: E402

SETUP = "from onthefly.kernels import count, pi_python"
STATEMENTS = {
    "loop of 10,000 steps": "count.add(10_000)",
    "1,000 shots": "pi_python.pi_python(1000)",
    "1 shot": "pi_python.pi_python(1)",
}
OURS = """
import json, sys
{setup}
from onthefly.clock import measure
times = measure({{"it": lambda: {statement}}}, budget=1.0, rounds=15)
print(json.dumps(times.seconds("it").value))
"""


def _run(*arguments):
    paths = [str(NOTEBOOKS), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    return done.stdout


def by_measure(statement):
    """Return the median seconds of a call by the lab's clock."""
    return json.loads(
        _run("-c", OURS.format(setup=SETUP, statement=statement))
    )


def by_pyperf(statement):
    """Return the median seconds of a call by pyperf's command line."""
    import pyperf

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "timeit.json"
        _run(
            "-m", "pyperf", "timeit", "--processes", "2", "--values", "5",
            "--copy-env", "-q", "-o", str(path),
            # The lab calls a function; so must pyperf, or the cost of that
            # call would be the difference.
            "-s", f"{SETUP}; it = lambda: {statement}", "it()",
        )  # fmt: skip
        return pyperf.Benchmark.load(str(path)).median()


def main(argv=None):
    """Run the comparison; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--limit", type=float, default=0.05)
    options = parser.parse_args(argv)
    failed = False
    for name, statement in STATEMENTS.items():
        pairs = []
        for _ in range(options.rounds):
            ways = {"ours": by_measure, "pyperf": by_pyperf}
            order = random.sample(list(ways), 2)
            taken = {way: ways[way](statement) for way in order}
            pairs.append((taken["ours"], taken["pyperf"]))
        found = ratio(*zip(*pairs, strict=True))
        low, high = 1 - options.limit, 1 + options.limit
        apart = found.high < low or found.low > high
        within = low <= found.value <= high
        verdict = "agrees" if within else "apart" if apart else "not resolved"
        print(f"{name:<22} measure / pyperf timeit = {found}: {verdict}")
        failed |= apart
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
