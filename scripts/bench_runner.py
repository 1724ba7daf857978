#!/usr/bin/env python3
"""What run.py costs over papermill alone, on the same chapters.

Whole processes are timed in pairs, the order within a pair by chance. Exit
code 1 where the median costs more than 3 % and a second over papermill's.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import nbformat

from commandline import ROOT, Parser, command
from onthefly.refused import Refused
from running import request

# One process for all chapters, as in run.py: papermill is loaded once.
PLAIN = """
import pathlib, sys, papermill
preset, folder, *paths = sys.argv[1:]
for path in map(pathlib.Path, paths):
    papermill.execute_notebook(
        path, f"{folder}/{path.name}", {"preset": preset}, cwd=path.parent
    )
"""


def make_chapters(folder):
    """Write three chapters of some 4 s: sleep, compute, print."""
    for number in (10, 20, 30):
        cells = [
            nbformat.v4.new_code_cell(source)
            for source in (
                'preset = "S"\ndevice = "auto"\nseed = 2018',
                "import time",
                *["time.sleep(0.15); print(sum(range(10**6)))"] * 20,
            )
        ]
        cells[0].metadata.tags = ["parameters"]
        kernel = {"name": "python3", "display_name": "Python 3",
                  "language": "python"}  # fmt: skip
        notebook = nbformat.v4.new_notebook(
            cells=cells, metadata={"kernelspec": kernel}
        )
        nbformat.write(notebook, folder / f"{number}_made_{number}.ipynb")


def seconds(line, build):
    """Return how long the command line takes; its output goes to `build`."""
    environment = {
        **os.environ,
        "ONTHEFLY_BUILD": str(build),
        "ONTHEFLY_RESULTS": str(build / "results"),
    }
    start = time.perf_counter()
    done = subprocess.run(
        line, env=environment, capture_output=True, text=True
    )
    elapsed = time.perf_counter() - start
    if done.returncode:
        said = done.stdout + done.stderr
        raise Refused(f"{line[1]} failed:\n{said}")
    return elapsed


def compare(paths, preset, pairs):
    """Return two lists of seconds: papermill alone, and run.py."""
    times = {"papermill": [], "run.py": []}
    for pair in range(1, pairs + 1):
        for name in random.sample(list(times), 2):
            with tempfile.TemporaryDirectory() as folder:
                build = pathlib.Path(folder)
                plain = [sys.executable, "-c", PLAIN, preset, folder, *paths]
                ours = [
                    sys.executable, ROOT / "scripts" / "run.py",
                    *paths, "--preset", preset, "--build", folder,
                    "--notebooks", paths[0].parent,
                ]  # fmt: skip
                line = plain if name == "papermill" else ours
                times[name].append(seconds(line, build))
            print(f"pair {pair}: {name} {times[name][-1]:.2f} s", flush=True)
    return times["papermill"], times["run.py"]


@command
def main(argv=None):
    """Print both medians and their difference; return the exit code."""
    parser = Parser(__doc__)
    parser.add_argument(
        "chapters",
        nargs="*",
        metavar="CHAPTER",
        help="chapters of the book (default: made ones)",
    )
    parser.add_argument("--preset", default="S")
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        notebooks = ROOT / "notebooks"
        if not options.chapters:
            notebooks = pathlib.Path(folder).resolve()
            make_chapters(notebooks)
        paths = request.choose(options.chapters, notebooks)
        plain, ours = compare(paths, options.preset, options.pairs)
    base, cost = statistics.median(plain), statistics.median(ours)
    over, allowed = cost - base, 0.03 * base + 1
    print(
        f"papermill {base:.2f} s, run.py {cost:.2f} s: "
        f"{over:+.2f} s, {over / base:+.1%} (allowed {allowed:.2f} s)"
    )
    return 1 if over > allowed else 0


if __name__ == "__main__":
    sys.exit(main())
