"""Time a function under one version of a library after another.

    onthefly sweep numba 0.58:0.68 mine.py:total --sizes 1e3,1e5
    onthefly sweep numpy 1.26,2.0,2.2 mine.py:total --arg samples
    onthefly sweep python 3.9:3.13 --kernels pi_python

The function takes one argument, its size n.  If it needs others, --arg names
a function of n that returns its argument, or a tuple of its arguments.  The
function must not change its arguments.  `random` and `numpy.random` have the
same seed under all versions.  The results of your function are not compared;
those of --kernels, which come with onthefly, are checked.

uv makes an environment for each version, in which only that library differs.
For `python`, the interpreters installed here are the versions.  Each sample
is a new process, and all versions take turns, in random order.  The command
prints a table for each function, with the steps that asv finds, and draws
them.  If it is interrupted, the same command continues.  Nothing that is
installed here is changed.

Exit codes: 0 done, even if some versions cannot be installed (their rows say
why); 2 refused, or nothing could be measured; 130 interrupted.
"""

import dataclasses
import hashlib
import importlib.util
import json
import pathlib
import re
import shlex
import sys

from onthefly.errors import UserError
from onthefly.terminal import Interrupted, aligned, folder, shown

REPEAT = "9"  # processes a version: an interval is no outlier's with them
SIZES = "1e3,1e4,1e5"
LONGEST = 120  # letters of a file's name


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    add("library", metavar="LIBRARY",
        help="a package, such as numba; or python")  # fmt: skip
    add("versions", metavar="VERSIONS",
        help="FROM:TO, the newest patch of each minor version in between; or "
        "a list, such as 0.60,0.61.2")  # fmt: skip
    add("functions", nargs="*", metavar="FILE.py:FUNCTION")
    add("--arg", default="", metavar="MAKER",
        help="a function of n that returns the arguments: "
        "FILE.py:FUNCTION, or a name in its file")  # fmt: skip
    add("--kernels", nargs="+", default=[], metavar="NAME",
        help="kernels of onthefly, such as pi_numba")  # fmt: skip
    add("--sizes", default=SIZES,
        help="a list, or smallest:largest, of sizes n "
        f"(default: {SIZES})")  # fmt: skip
    add("--repeat", default=REPEAT, metavar="K",
        help=f"processes per version (default: {REPEAT})")  # fmt: skip
    add(
        "--force",
        action="store_true",
        help="measure again what was measured before",
    )
    add("--build", type=folder, metavar="DIR",
        help="the folder of environments and samples")  # fmt: skip
    add("--json", action="store_true", help="print JSON")


def run(options):
    """Sweep; return the exit code."""
    asked = Asked(options)
    with asked.alone():
        sweep, path = asked.begun()
        asked.measure(sweep, path)
    if options.json:
        print(_as_json(sweep, path))
    else:
        show(sweep, path)
    return 0


def tell(line):
    """Print what is done now, as progress."""
    print(f"sweep: {line}", file=sys.stderr, flush=True)


class Asked:
    """What the command line asks for, checked.

    timed  list of Kernel, or of Own
    paths  {version that was asked for: path of its interpreter, or None}
    """

    def __init__(self, options):
        """Raise UserError for what cannot be done."""
        from packaging.utils import canonicalize_name

        from onthefly.folders import build_dir
        from onthefly.sweep import versions
        from onthefly.terminal.sizes import sizes_of, whole
        from onthefly.tools import interpreters

        self.library = options.library = canonicalize_name(options.library)
        self.sizes = sizes_of(options.sizes)
        self.repeat = whole(options.repeat, "--repeat")
        names = versions.asked(options.versions)
        self.timed = _timed(options)
        self.force = options.force
        self.build = (options.build or build_dir()).resolve() / "sweep"
        words = [options.versions, *(one.name for one in self.timed)]
        self.name = re.sub(r"[^\w.]+", "-", " ".join(words))[:LONGEST]
        self.command = _command(options)
        if self.library == versions.PYTHON:
            self.paths = versions.of_python(names, interpreters.find())
        else:
            self.paths = dict.fromkeys(names, sys.executable)
        self._check_tools()

    def _check_tools(self):
        """Refuse to begin what cannot be ended, for want of a library."""
        from onthefly.sweep import versions
        from onthefly.tools import uv

        if not importlib.util.find_spec("asv"):
            raise UserError(
                "asv, which finds steps, is missing; repair: "
                "pip install 'onthefly[sweep]'"
            )
        needs = any(one.needs for one in self.timed)
        if needs or self.library != versions.PYTHON:
            uv.command()

    def alone(self):
        """Refuse a second sweep beside this one."""
        from onthefly.terminal import lock

        return lock.alone(self.build)

    def begun(self):
        """Return (Sweep, path of its file): what is kept, or a new one.

        What would make its times others is in the name of the file, so that
        they are never mixed.
        """
        from onthefly.measure import machine
        from onthefly.sweep import record, trials

        sources = {trials.SOURCE, *(f for k in self.timed for f in k.files)}
        sweep = record.Sweep(
            self.library,
            self.command,
            [one.name for one in self.timed],
            self.sizes,
            self.repeat,
            dict(sorted(map(_hashed, sources))),
            machine.record(),
            [record.Row(name) for name in self.paths],
        )
        key = [sweep.kernels, sweep.sizes, sweep.made_from, list(self.paths),
               sweep.machine["slug"], sys.version]  # fmt: skip
        digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:8]
        home = self.build / self.library
        path = home / f"{self.name}-{digest}.json"
        if path.exists() and not self.force:
            kept = record.load(path)
            kept.repeat, kept.command = sweep.repeat, sweep.command
            return kept, path
        return sweep, path

    def measure(self, sweep, path):
        """Measure what a Sweep has not yet, and keep it at `path`.

        Raises UserError where nothing can be measured.
        """
        from onthefly.sweep import trials

        try:
            pythons = self._prepared(sweep)
            trials.measure(sweep, self.timed, pythons, path, tell)
        except KeyboardInterrupt:
            count = sum(len(row.runs) for row in sweep.rows)
            raise Interrupted(
                f"interrupted; {count} runs are kept in {shown(path)}; "
                "the same command continues"
            ) from None
        if not any(row.runs for row in sweep.rows):
            raise UserError(
                "\n".join(f"{r.version}: {r.reason}" for r in sweep.rows)
            )

    def _prepared(self, sweep):
        """Return {version: path of its Python} of each that can be had.

        A Row that is left out says why.  What failed before is tried again.
        """
        from onthefly.sweep import versions
        from onthefly.tools.uv import Impossible

        needs = set().union(*(one.needs for one in self.timed))
        pythons = {}
        pairs = zip(sweep.rows, self.paths.items(), strict=True)
        for row, (name, python) in pairs:
            row.reason, row.failed = "", row.failed if row.runs else {}
            tell(f"{self.library} {name}")
            try:
                python = versions.python_of(
                    self.library, name, python, needs, self.build / "envs",
                    row.packages,
                )  # fmt: skip
            except Impossible as error:
                row.reason = str(error)
            else:
                row.version = row.packages.get(self.library, row.version)
                pythons[row.version] = python
        return pythons


def _timed(options):
    """Return what is timed; raises UserError for what cannot be."""
    from onthefly.sweep import kernels, own

    if options.kernels and options.functions:
        raise UserError("--kernels and a function: name only one of them")
    if options.kernels:
        return kernels.chosen(options.library, options.kernels)
    if options.functions:
        return own.chosen(options.library, options.functions, options.arg)
    raise UserError(
        "no function named; write FILE.py:FUNCTION or --kernels NAME"
    )


def _command(options):
    """Return the line with which it is made again."""
    line = ["onthefly", "sweep", options.library, options.versions]
    line += options.functions
    line += ["--arg", options.arg] if options.arg else []
    line += ["--kernels", *options.kernels] if options.kernels else []
    return shlex.join([*line, "--sizes", options.sizes])


def _hashed(path):
    """Return (name, hash) of a source; the package's by their place in it."""
    from onthefly.folders import PACKAGE

    path = pathlib.Path(path)
    inside = path.is_relative_to(PACKAGE)
    name = path.relative_to(PACKAGE) if inside else path
    return str(name), hashlib.sha256(path.read_bytes()).hexdigest()


def _as_json(sweep, path):
    """Return a Sweep as JSON text, with its steps and its file."""
    from onthefly.sweep import record, report

    steps = {
        name: [
            {"size": size, "before": a, "after": b, "ratio": ratio.value,
             "low": ratio.low, "high": ratio.high}
            for size in sweep.sizes
            for (a, b), ratio in report.steps(times, size).items()
        ]
        for name in sweep.kernels
        if len(times := sweep.timings(name))
    }  # fmt: skip
    data = {"file": str(path), "steps": steps, **dataclasses.asdict(sweep)}
    return record.as_json(data)


def show(sweep, path):
    """Print the tables; draw the figures beside the file."""
    from onthefly import figures, files
    from onthefly.sweep import report

    for name in sweep.kernels:
        head, rows = report.table(sweep, name)
        print(name, *aligned([head, *rows], left=True), "", sep="\n")
    for number, chart in enumerate(report.charts(sweep), 1):
        picture = path.with_name(f"{path.stem}-{number}.svg")
        files.write(picture, figures.svg(chart, f"sweep-{number}"))
        print(chart.finding, f"figure: {shown(picture)}", sep="\n")
    print(f"samples: {shown(path)}")
