#!/usr/bin/env python3
"""Time kernels under one version of a library after another.

    python scripts/sweep.py numba 0.58:0.68 --pages one-decorator
    python scripts/sweep.py python 3.9:3.13 --kernels pi_python

Makes an environment a version with uv, from the lock with that one library
changed.  Times the kernels of the pages that use the library in new
processes, all versions in turn and in random order.  Prints a table for each
kernel, with the steps that asv finds, and draws them.  For `python` the
interpreters found here are the versions.

What is measured is kept after each process, and the same command goes on
with what is left.  The .venv is left alone.

Exit code 0: done, also where a version cannot be had, which its row says;
2: refused, or nothing could be measured; 130: interrupted.
"""

import hashlib
import re
import shlex
import sys

from commandline import (
    Interrupted,
    Parser,
    aligned,
    check_name,
    command,
    folder,
    shown,
)
from onthefly import figures, files, results
from onthefly.quantity import MIN_ROUNDS
from onthefly.refused import Refused
from running import preconditions
from sweeping import job, kept, kernels, versions, words

REPEAT = 9  # processes a version: an interval is no outlier's with them
SIZE = 10_000
LONGEST = 120  # letters of a file's name


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("library", help="a distribution, as numba; or python")
    add("versions", help="FROM:TO, the newest patch of each minor version "
        "from FROM to TO; or a list, as 0.60,0.61.2")  # fmt: skip
    add("--pages", nargs="+", default=[], metavar="SLUG",
        help="pages of the book whose kernels are timed")  # fmt: skip
    add("--kernels", nargs="+", default=[], metavar="NAME",
        help="only these, by function or by file, as pi_numba")  # fmt: skip
    add("--repeat", type=int, default=REPEAT, metavar="K",
        help=f"processes a version (default: {REPEAT})")  # fmt: skip
    add("--size", type=int, default=SIZE, metavar="N",
        help=f"of a kernel's data (default: {SIZE})")  # fmt: skip
    add("--force", action="store_true", help="measure all anew")
    add("--record", metavar="NAME",
        help="put it into the book, as this machine's")  # fmt: skip
    add("--build", type=folder, default=results.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)")  # fmt: skip
    add("--to", type=folder, default=kept.SHELF, metavar="DIR",
        help="where --record puts it (default: book/sweeps)")  # fmt: skip
    return parser.parse_args(argv)


def check(options):
    """Raise Refused for an option that is none; return what is asked for."""
    if options.repeat < 1:
        raise Refused(f"--repeat {options.repeat}: give 1 or more")
    if options.size < 1:
        raise Refused(f"--size {options.size}: give 1 or more")
    if not (options.pages or options.kernels):
        raise Refused("no kernels named; give --pages, or --kernels")
    if options.record is not None:
        check_name("--record", options.record)
        if options.repeat < MIN_ROUNDS:
            raise Refused(
                f"--record: {options.repeat} processes a version give no "
                f"interval; repair: --repeat {REPEAT}"
            )
    return versions.asked(options.versions)


def timed(options):
    """Return the [Kernel] to time; raises Refused where there is none."""
    pages = options.pages
    found, left = kernels.of_pages(pages) if pages else kernels.every()
    if not found:
        raise Refused(
            f"{', '.join(pages)}: no kernel there can be timed by "
            "itself; repair: --kernels pi_python, or another page"
        )
    found = kernels.chosen(found, left, options.kernels)
    if options.library == versions.PYTHON:
        return found
    fitting = [k for k in found if options.library in k.needs]
    if not fitting:
        used = sorted({name for k in found for name in k.needs})
        raise Refused(
            f"{options.library}: none of these kernels imports it; repair: "
            f"sweep one of {', '.join([*used, versions.PYTHON])}, or other "
            "kernels"
        )
    return fitting


def path_of(options):
    """Return where a sweep is kept: its name says what was asked for."""
    asked = [options.versions, *options.pages, *options.kernels]
    name = re.sub(r"[^\w.]+", "-", " ".join(asked))
    if len(name) > LONGEST:
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        name = f"{name[:LONGEST]}-{digest}"
    return options.build / "sweep" / options.library / f"{name}.json"


def request(options):
    """Return the command that makes this sweep again, without its folders."""
    text = ["scripts/sweep.py", options.library, options.versions]
    for name in ("pages", "kernels"):
        if given := getattr(options, name):
            text += [f"--{name}", *given]
    for name, usual in (("repeat", REPEAT), ("size", SIZE)):
        if (given := getattr(options, name)) != usual:
            text += [f"--{name}", str(given)]
    return shlex.join(text)


def job_of(options):
    """Return the Job that the options ask for; raises Refused."""
    wanted = check(options)
    return job.Job(
        options.library,
        wanted,
        timed(options),
        options.size,
        options.repeat,
        request(options),
        path_of(options),
        options.build.resolve() / "sweep" / "envs",
    )


def tell(line):
    """Print what is done now."""
    print(f"sweep: {line}", flush=True)


def show(sweep, path):
    """Print the tables; draw the figures beside the file."""
    for kernel in sweep.kernels:
        print(f"\n{kernel}")
        for line in aligned([list(words.HEAD), *words.rows(sweep, kernel)],
                            left=True):  # fmt: skip
            print(line)
    print()
    for number, chart in enumerate(words.charts(sweep), 1):
        picture = path.with_name(f"{path.stem}-{number}.svg")
        files.write(picture, figures.svg(chart, f"sweep-{number}"))
        tell(chart.finding)
        tell(shown(picture))
    tell(shown(path))


def record(sweep, options):
    """Put a sweep that is finished into the book, under a machine's name."""
    if sweep.left():
        raise Refused(
            "--record: not finished; repair: the same command again"
        )
    sweep.machine["slug"] = options.record
    name = f"{options.library}-{path_of(options).name}"
    target = options.to / options.record / name
    kept.save(sweep, target)
    tell(f"{shown(target)}: recorded")


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    asked = job_of(options)
    with preconditions.alone(options.build / "sweep"):
        return swept(options, asked)


def swept(options, asked):
    """Make the sweep, as far as it is not made yet; return the exit code."""
    sweep = job.begun(asked, options.force)
    try:
        pythons = {
            row.version: python
            for row, python in job.prepared(sweep, asked, tell)
        }
        job.measure(sweep, asked, pythons, tell)
    except KeyboardInterrupt:
        count = sum(len(row.runs) for row in sweep.rows)
        raise Interrupted(
            f"interrupted; {count} processes are kept in "
            f"{shown(asked.path)}, and the same command goes on"
        ) from None
    if not any(row.runs for row in sweep.rows):
        raise Refused(
            "\n".join(f"{r.version}: {r.reason}" for r in sweep.rows)
        )
    show(sweep, asked.path)
    if options.record:
        record(sweep, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
