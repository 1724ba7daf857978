#!/usr/bin/env python3
"""Write runs as asv's results: asv keeps histories, and draws them.

    python scripts/asv_export.py RUNS... --to DIR [--commit REV]
    cd DIR && asv publish --no-pull && asv preview

RUNS are as `onthefly compare` reads them: a build folder, a folder of data, a
data file, or a recorded machine.  A benchmark is a group of a page's timings,
with two parameters: the variant and the size.  DIR grows: what it holds of
other commits, machines and libraries stays.

A run belongs to the commit that recorded its file; one that is in no commit,
to the one that is checked out, if the lab there is the one that ran.

Exit code 0: all is written; 1: some runs are left out, and named; 2: refused.
"""

import collections
import itertools
import re
import sys

from commandline import ROOT, Parser, command, folder, shown
from onthefly.compare import runs
from onthefly.errors import UserError
from onthefly.measure import data
from onthefly.page import dependencies
from reading.history import git

SETTINGS = "asv.conf.json"


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add("runs", nargs="+", metavar="RUNS", help="what to write")
    add(
        "--to", required=True, type=folder, metavar="DIR", help="asv's folder"
    )
    add("--commit", metavar="REV", help="all runs are of this commit")
    return parser.parse_args(argv)


def commit_of(path, run):
    """Return the commit that a file belongs to; `run` is one of its Runs."""
    here, name = path.resolve().parent, path.name
    try:
        changed = git(here, "status", "--porcelain", "--ignored", "--", name)
        recorded = git(here, "log", "-1", "--format=%H", "--", name).strip()
    except UserError:  # it lies outside of any checkout
        changed = recorded = ""
    if recorded and not changed:
        return recorded
    changed = git(ROOT, "status", "--porcelain", "--", "notebooks")
    here = dependencies.package().hash
    if changed or any(here(k) not in ("", v) for k, v in run.lab.items()):
        raise UserError(
            f"{shown(path)}: its lab is not that of the commit checked out; "
            "name its commit by --commit"
        )
    return git(ROOT, "rev-parse", "HEAD").strip()


def environments(named, commit=None):
    """Return ({environment: [Run]}, a line for each that is left out).

    named   data files
    commit  whose all are, or None

    An environment is (commit, machine, preset, Python, libraries).
    """
    known, left = collections.defaultdict(list), []
    for path in named:
        try:
            every = runs.of(data.load(path))
            if not every:  # a page that looks, and times nothing
                continue
            of = commit or commit_of(path, every[0])
        except UserError as error:
            left.append(f"left out: {error}")
            continue
        run = every[0]
        record = run.machine
        machine = "-".join(filter(None, [record["slug"], record.get("id")]))
        python = record.get("python", {}).get("version", "")
        libraries = tuple(sorted(run.packages.items()))
        known[of, machine, run.preset, python, libraries] += every
    return known, left


def export(known, target):
    """Write runs into asv's folder, with asv's writers.

    known   of `environments`
    target  the folder, a Path
    """
    from asv.benchmarks import Benchmarks
    from asv.util import load_json, write_json

    place = target / "results" / "benchmarks.json"
    benchmarks = {}
    if place.exists():
        benchmarks = load_json(place, Benchmarks.api_version)
    for key, some in known.items():
        own = asv_results(*key, some[-1].machine, target / "results")
        for (page, group), series in grouped(some).items():
            about = benchmark(page, group, series, benchmarks)
            own.add_result(about, samples(series, about["params"]))
        own.save(str(target / "results"))
    write_json(place, benchmarks, Benchmarks.api_version)
    if not (target / SETTINGS).exists():
        branch = git(ROOT, "rev-parse", "--abbrev-ref", "HEAD").strip()
        about = {"project": "Python on the Fly", "repo": str(ROOT)}
        write_json(target / SETTINGS, about | {"branches": [branch]}, 1)


def asv_results(commit, name, preset, python, packages, record, folder):
    """Return asv's Results of an environment, with those of before.

    commit to packages  as of `environments`
    record              the machine record of a run; asv's goes into `folder`
    """
    from asv.machine import Machine
    from asv.plugins.git import Git
    from asv.results import Results

    machine = Machine()
    vars(machine).update(
        machine=name, os=record.get("system", ""), arch="",
        cpu=record["cpu"], num_cpu=str(record["cores"]["usable"]),
        ram=str(record.get("memory", "")),
    )  # fmt: skip
    machine.save(str(folder))
    about = {**vars(machine), "python": python, "preset": preset}
    own = Results(
        about | dict(packages), dict(packages), commit,
        Git(str(ROOT), "").get_date(commit), python,
        f"py{python}-{preset}-" + "-".join(map("".join, packages)), {},
    )  # fmt: skip
    own.load_data(str(folder))
    return own


def grouped(some):
    """Return {(page, group): {(variant, size): [Series, one a run]}}."""
    groups = {}
    for run in some:
        for group, timings in run.timings.items():
            series = groups.setdefault((run.page, group), {})
            for one in timings:
                key = repr(one.name), repr(one.size)
                series.setdefault(key, []).append(one)
    return groups


def benchmark(page, group, series, benchmarks):
    """Return asv's record of a group, with the variants and sizes of before.

    series      {(variant, size): ...}
    benchmarks  {name: record}, to which it is added
    """
    name = ".".join(re.sub(r"\W+", "_", text) for text in (page, group))
    about = {
        "name": name,
        "pretty_name": f"{page}: {group}",
        "type": "time",
        "unit": "seconds",
        "version": "1",
        "code": "",
        "param_names": ["variant", "size"],
        "params": [[], []],
    }
    about = benchmarks.setdefault(name, about)
    pairs = zip(about["params"], zip(*series, strict=True), strict=True)
    about["params"] = [
        list(dict.fromkeys([*old, *new])) for old, new in pairs
    ]
    return about


def samples(series, params):
    """Return asv's BenchmarkResult of a group, for the params' product."""
    from asv.runner import BenchmarkResult

    every = [series.get(place, ()) for place in itertools.product(*params)]
    values = [[v for one in some for v in one.values] for some in every]
    return BenchmarkResult(
        result=[0.0 if some else None for some in values],  # asv: the median
        samples=[some or None for some in values],
        number=[some[0].loops if some else None for some in every],
        errcode=0, stderr="", profile=None,
    )  # fmt: skip


@command
def main(argv=None):
    """Run the command line; return the exit code."""
    options = parse(argv)
    target = options.to
    strange = target.is_dir() and any(target.iterdir())
    if strange and not (target / SETTINGS).exists():
        raise UserError(
            f"{shown(target)}: no folder of asv; name an empty one"
        )
    named = [path for name in options.runs for path in runs.files(name)]
    commit = options.commit
    if commit is not None:
        commit = git(ROOT, "rev-parse", "--verify", f"{commit}^0").strip()
    known, left = environments(named, commit)
    print(*left, sep="\n", end="\n" * bool(left), file=sys.stderr)
    if known:
        export(known, target)
    print(
        f"{shown(target)}: {len(named) - len(left)} files; "
        f"{len(left)} left out"
    )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
