#!/usr/bin/env python3
"""Time kernels under one version of a library after another.

    python scripts/sweep.py numba 0.58:0.68 --pages one-decorator
    python scripts/sweep.py python 3.9:3.13 --kernels pi_python

Makes an environment a version with uv, from the lock with that one library
changed.  Times the kernels that use the library, at each size, in new
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
    ROOT,
    Interrupted,
    Parser,
    aligned,
    check_name,
    command,
    folder,
    shown,
)
from commandline.sizes import sizes_of
from commandline.uv import Impossible
from onthefly import figures, files, machine, provenance, results
from onthefly.errors import UserError
from onthefly.samples import MIN_ROUNDS
from onthefly.tools import interpreters
from running import preconditions
from sweeping import kernels, record, sweep_report, trials, versions

REPEAT = 9  # processes a version: an interval is no outlier's with them
SIZES = "1e3,1e4,1e5"
LONGEST = 120  # letters of a file's name
AGAIN = "repair: --force measures all anew"


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
    add("--sizes", default=SIZES,
        help="elements of a kernel's data: a list, or smallest:largest "
        f"(default: {SIZES})")  # fmt: skip
    add("--repeat", type=int, default=REPEAT, metavar="K",
        help=f"processes a version (default: {REPEAT})")  # fmt: skip
    add("--force", action="store_true", help="measure all anew")
    add("--record", metavar="NAME",
        help="put it into the book, as this machine's")  # fmt: skip
    add("--build", type=folder, default=results.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)")  # fmt: skip
    add("--to", type=folder, default=record.ARCHIVE, metavar="DIR",
        help="where --record puts it (default: book/sweeps)")  # fmt: skip
    options = parser.parse_args(argv)
    check(options)
    return options


def check(options):
    """Raise UserError for an option that is none."""
    if options.repeat < 1:
        raise UserError(f"--repeat {options.repeat}: give 1 or more")
    if not (options.pages or options.kernels):
        raise UserError("no kernels named; give --pages, or --kernels")
    if options.record is not None:
        check_name("--record", options.record)
        if options.repeat < MIN_ROUNDS:
            raise UserError(
                f"--record: {options.repeat} processes a version give no "
                f"interval; repair: --repeat {REPEAT}"
            )


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
    if options.sizes != SIZES:
        text += ["--sizes", options.sizes]
    if options.repeat != REPEAT:
        text += ["--repeat", str(options.repeat)]
    return shlex.join(text)


def begun(options, timed, names):
    """Return the Sweep that was kept, or with --force or for none a new one.

    timed  list of Kernel
    names  of the versions

    Raises UserError where what is kept was measured from something else.
    """
    sources = {trials.SOURCE, *(f for k in timed for f in k.files)}
    new = record.Sweep(
        options.library,
        request(options),
        [kernel.name for kernel in timed],
        sizes_of(options.sizes),
        options.repeat,
        {f: provenance.file_hash(ROOT / f) for f in sorted(sources)},
        machine.record(),
        [record.Row(name) for name in names],
    )
    path = path_of(options)
    if options.force or not path.exists():
        return new
    old = record.load(path)
    if changed := differences(old, new):
        raise UserError(
            f"{shown(path)}: measured with other {', '.join(changed)}; "
            f"{AGAIN}"
        )
    old.repeat, old.command = new.repeat, new.command
    if old.library == versions.PYTHON:  # others may be found now
        rows = {row.version: row for row in old.rows}
        old.rows = [rows.get(row.version, row) for row in new.rows]
    return old


def differences(old, new):
    """Return what a new Sweep has other than the kept one, named."""
    python = new.machine["python"]["version"]
    changed = {
        "kernels": old.kernels != new.kernels,
        "--sizes": old.sizes != new.sizes,
        f"machine than {new.machine['slug']}":
            old.machine["slug"] != new.machine["slug"],
        f"Python than {python}": old.machine["python"]["version"] != python,
    }  # fmt: skip
    for name in sorted({*old.made_from, *new.made_from}):
        changed[name] = old.made_from.get(name) != new.made_from.get(name)
    return [name for name, other in changed.items() if other]


def prepared(sweep, timed, paths, folder):
    """Return {version: path of its Python} of each that can be had.

    timed   list of Kernel
    paths   {version that was asked for: path of its interpreter, or None}
    folder  of the environments

    A Row that is left out says why.  What failed before is tried again.
    """
    pythons = {}
    for row, (name, path) in zip(sweep.rows, paths.items(), strict=True):
        row.reason = ""
        row.failed = row.failed if row.runs else {}
        if path is None:
            row.reason = (
                "no such interpreter here; repair: name one in the variable "
                "ONTHEFLY_PYTHONS"
            )
            continue
        try:
            python = packed(row, sweep.library, name, timed, path, folder)
        except Impossible as error:
            row.reason = str(error)
        else:
            pythons[row.version] = python
    return pythons


def packed(row, library, name, timed, path, folder):
    """Return the path of the Python that has what kernels need.

    Its packages are noted in the Row, and its library's exact version.
    """
    needs = set().union(*(kernel.needs for kernel in timed))
    if library != versions.PYTHON:
        needs = needs - {library} | {versions.requirement(library, name)}
    if not needs:
        return path
    python, packages = versions.environment(
        folder, f"{library}-{name}", path, needs, tell
    )
    if row.runs and row.packages != packages:
        raise UserError(
            f"{library} {row.version}: measured with other packages; {AGAIN}"
        )
    row.packages = packages
    row.version = packages.get(library, row.version)
    return python


def tell(line):
    """Print what is done now."""
    print(f"sweep: {line}", flush=True)


def show(sweep, path):
    """Print the tables; draw the figures beside the file."""
    for kernel in sweep.kernels:
        head, rows = sweep_report.table(sweep, kernel)
        print("", kernel, *aligned([head, *rows], left=True), sep="\n")
    print()
    for number, chart in enumerate(sweep_report.charts(sweep), 1):
        picture = path.with_name(f"{path.stem}-{number}.svg")
        files.write(picture, figures.svg(chart, f"sweep-{number}"))
        tell(chart.finding)
        tell(shown(picture))
    tell(shown(path))


def put_into_book(sweep, options):
    """Record a sweep that is finished, under a machine's name."""
    if sweep.left():
        raise UserError(
            "--record: not finished; repair: the same command again"
        )
    sweep.machine["slug"] = options.record
    name = f"{options.library}-{path_of(options).name}"
    target = options.to / options.record / name
    record.save(sweep, target)
    tell(f"{shown(target)}: recorded")


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
    with preconditions.alone(options.build / "sweep"):
        return swept(options, timed, paths)


def swept(options, timed, paths):
    """Make the sweep, as far as it is not made yet; return the exit code."""
    sweep = begun(options, timed, list(paths))
    path, envs = path_of(options), options.build.resolve() / "sweep" / "envs"
    try:
        pythons = prepared(sweep, timed, paths, envs)
        trials.measure(sweep, timed, pythons, path, tell)
    except KeyboardInterrupt:
        count = sum(len(row.runs) for row in sweep.rows)
        raise Interrupted(
            f"interrupted; {count} processes are kept in "
            f"{shown(path)}, and the same command goes on"
        ) from None
    if not any(row.runs for row in sweep.rows):
        raise UserError(
            "\n".join(f"{r.version}: {r.reason}" for r in sweep.rows)
        )
    show(sweep, path)
    if options.record:
        put_into_book(sweep, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
