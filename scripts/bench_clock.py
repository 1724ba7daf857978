"""Show that measure() agrees with pyperf's timeit, side by side in one run.

    python scripts/bench_clock.py [--rounds N] [--limit SHARE]

Each round times the same functions by `pyperf timeit` (new processes) and by
`measure` (in another new process), in random order.  Prints the ratio of the
medians, round by round, with its interval, and the ratio of the fastest
samples of all rounds, which a noisy machine disturbs least.  Exits 1 where
the fastest differ by more than the limit (5 %).
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from commandline import Parser, command
from onthefly.quantity import Quantity

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
print(json.dumps(times.series("it").values))
"""


def _run(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def by_measure(statement):
    """Return the seconds of a call by the lab's clock, a list."""
    return json.loads(
        _run("-c", OURS.format(setup=SETUP, statement=statement))
    )


def by_pyperf(statement):
    """Return the seconds of a call by pyperf's command line, a list."""
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
        return pyperf.Benchmark.load(str(path)).get_values()


@command
def main(argv=None):
    """Run the comparison; return its exit status."""
    parser = Parser(__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--limit", type=float, default=0.05)
    options = parser.parse_args(argv)
    failed = False
    ways = {"ours": by_measure, "pyperf": by_pyperf}
    for name, statement in STATEMENTS.items():
        taken = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way in random.sample(list(ways), 2):
                taken[way].append(ways[way](statement))
        ours, theirs = (
            Quantity.median(map(statistics.median, taken[way]), run=name)
            for way in ways
        )
        fastest = min(map(min, taken["ours"])) / min(
            map(min, taken["pyperf"])
        )
        apart = abs(fastest - 1) > options.limit
        print(
            f"{name:<22} measure / pyperf timeit: "
            f"medians {ours / theirs}, fastest {fastest:.3f}×: "
            f"{'APART' if apart else 'agree'}"
        )
        failed |= apart
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
