#!/usr/bin/env python3
"""Time kernels under one version of a library after another.

    python scripts/sweep.py numba 0.58:0.68 --pages one-decorator
    python scripts/sweep.py python 3.9:3.13 --kernels pi_python

Makes an environment a version with uv, from the lock with that one library
changed.  Times the kernels that use the library, at each size, in new
processes, all versions in turn and in random order.  Prints a table for each
kernel, with the steps that asv finds, and draws them.  For `python` the
interpreters found here are the versions.

Each round of a version is kept, and the same command goes on with what is
left.  The .venv is left alone.

Exit code 0: done, also where a version cannot be had, which its row says;
2: refused, or nothing could be measured; 130: interrupted.
"""

import hashlib
import json
import re
import shlex
import sys

from commandline import (
    ROOT,
    Interrupted,
    Parser,
    aligned,
    check_name,
    command,
    folder,
    shown,
)
from onthefly import figures, files, folders
from onthefly.errors import UserError
from onthefly.measure import machine
from onthefly.measure.samples import MIN_ROUNDS
from onthefly.page import checkout
from onthefly.terminal.sizes import sizes_of, whole
from onthefly.tools import interpreters
from onthefly.tools.uv import Impossible
from running import preconditions
from sweeping import kernels, record, report, trials, versions

REPEAT = "9"  # processes a version: an interval is no outlier's with them
SIZES = "1e3,1e4,1e5"
LONGEST = 120  # letters of a file's name


def parse(argv):
    """Return the command line's options; raises UserError."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("library", help="a distribution, as numba; or python")
    add("versions", help="FROM:TO, the newest patch of each minor version "
        "from FROM to TO; or a list, as 0.60,0.61.2")  # fmt: skip
    add("--pages", nargs="+", default=[], metavar="SLUG",
        help="pages of the book whose kernels are timed")  # fmt: skip
    add("--kernels", nargs="+", default=[], metavar="NAME",
        help="only these, by function or by file, as pi_numba")  # fmt: skip
    add("--sizes", default=SIZES,
        help="elements of a kernel's data: a list, or smallest:largest "
        f"(default: {SIZES})")  # fmt: skip
    add("--repeat", default=REPEAT, metavar="K",
        help=f"processes a version (default: {REPEAT})")  # fmt: skip
    add("--force", action="store_true", help="measure all anew")
    add("--record", metavar="NAME",
        help="put it into the book, as this machine's")  # fmt: skip
    add("--build", type=folder, default=folders.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)")  # fmt: skip
    add("--to", type=folder, default=record.ARCHIVE, metavar="DIR",
        help="where --record puts it (default: book/sweeps)")  # fmt: skip
    options = parser.parse_args(argv)
    typed = sys.argv[1:] if argv is None else map(str, argv)
    options.command = shlex.join(["scripts/sweep.py", *typed])
    options.sizes = sizes_of(options.sizes)
    options.repeat = whole(options.repeat, "--repeat")
    if not (options.pages or options.kernels):
        raise UserError("no kernels named; give --pages, or --kernels")
    if options.record is not None:
        check_name("--record", options.record)
        if options.repeat < MIN_ROUNDS:
            raise UserError(
                f"--record: {options.repeat} processes a version give no "
                f"interval; repair: --repeat {REPEAT}"
            )
    asked = [options.versions, *options.pages, *options.kernels]
    options.name = re.sub(r"[^\w.]+", "-", " ".join(asked))[:LONGEST]
    return options


def begun(options, timed, names):
    """Return (Sweep, path of its file): what is kept, or a new one.

    timed  list of Kernel
    names  of the versions

    What would make its times others is in the name of the file, so that they
    are never mixed.
    """
    sources = {trials.SOURCE, *(f for k in timed for f in k.files)}
    sweep = record.Sweep(
        options.library,
        options.command,
        [kernel.name for kernel in timed],
        options.sizes,
        options.repeat,
        {f: checkout.file_hash(ROOT / f) for f in sorted(sources)},
        machine.record(),
        [record.Row(name) for name in names],
    )
    key = [sweep.kernels, sweep.sizes, sweep.made_from, names,
           sweep.machine["slug"], sys.version]  # fmt: skip
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:8]
    folder = options.build / "sweep" / options.library
    path = folder / f"{options.name}-{digest}.json"
    if path.exists() and not options.force:
        kept = record.load(path)
        kept.repeat, kept.command = sweep.repeat, sweep.command
        return kept, path
    return sweep, path


def prepare(sweep, timed, paths, folder):
    """Return {version: path of its Python} of each that can be had.

    timed   list of Kernel
    paths   {version that was asked for: path of its interpreter, or None}
    folder  of the environments

    A Row that is left out says why.  What failed before is tried again.
    """
    needs, pythons = set().union(*(kernel.needs for kernel in timed)), {}
    for row, (name, python) in zip(sweep.rows, paths.items(), strict=True):
        row.reason, row.failed = "", row.failed if row.runs else {}
        try:
            python = versions.python_of(
                sweep.library, name, python, needs, folder, row.packages
            )
        except Impossible as error:
            row.reason = str(error)
        else:
            row.version = row.packages.get(sweep.library, row.version)
            pythons[row.version] = python
    return pythons


def measure(sweep, timed, paths, path, folder):
    """Measure what a Sweep has not yet, and keep it at `path`.

    timed, paths, folder  as in `prepare`

    Raises UserError where nothing can be measured.
    """
    try:
        pythons = prepare(sweep, timed, paths, folder)
        trials.measure(sweep, timed, pythons, path, tell)
    except KeyboardInterrupt:
        count = sum(len(row.runs) for row in sweep.rows)
        raise Interrupted(
            f"interrupted; {count} rounds of versions are kept in "
            f"{shown(path)}, and the same command goes on"
        ) from None
    if not any(row.runs for row in sweep.rows):
        raise UserError(
            "\n".join(f"{r.version}: {r.reason}" for r in sweep.rows)
        )


def tell(line):
    """Print what is done now."""
    print(f"sweep: {line}", flush=True)


def show(sweep, path):
    """Print the tables; draw the figures beside the file."""
    for kernel in sweep.kernels:
        head, rows = report.table(sweep, kernel)
        print("", kernel, *aligned([head, *rows], left=True), sep="\n")
    print()
    for number, chart in enumerate(report.charts(sweep), 1):
        picture = path.with_name(f"{path.stem}-{number}.svg")
        files.write(picture, figures.svg(chart, f"sweep-{number}"))
        tell(chart.finding)
        tell(shown(picture))
    tell(shown(path))


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    names = versions.asked(options.versions)
    timed = kernels.chosen(options.library, options.pages, options.kernels)
    if options.library == versions.PYTHON:
        paths = versions.of_python(names, interpreters.find())
    else:
        paths = dict.fromkeys(names, sys.executable)
    build = options.build.resolve() / "sweep"
    with preconditions.alone(build):
        sweep, path = begun(options, timed, list(paths))
        measure(sweep, timed, paths, path, build / "envs")
    show(sweep, path)
    if options.record:
        sweep.machine["slug"] = options.record
        name = f"{options.library}-{options.name}.json"
        record.save(sweep, options.to / options.record / name)
        tell(f"{shown(options.to / options.record / name)}: recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
