#!/usr/bin/env python3
"""Write runs as asv's results: asv keeps histories, and draws them.

    python scripts/asv_export.py RUNS... --to DIR [--commit REV]
    cd DIR && asv publish --no-pull && asv preview

RUNS are as compare.py reads them: a build folder, its repeats/, a machine's
folder of results, a results file, or a recorded machine.  A benchmark is a
group of a page's timings, with two parameters: the variant and the size.  DIR
grows: what it holds of other commits, machines and libraries stays.

A run belongs to the commit that recorded its file; one that is in no commit,
to the one that is checked out, if the lab there is the one that ran.

Exit code 0: all is written; 1: some runs are left out, and named; 2: refused.
"""

import collections
import itertools
import json
import pathlib
import re
import sys
import tempfile

from commandline import ROOT, Parser, command, folder, shown
from comparing.runs import paths
from onthefly import files, results
from onthefly.errors import UserError
from onthefly.provenance import LAB, file_hash
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
    """Return the commit that the Results in a file belong to."""
    here, name = path.resolve().parent, path.name
    try:
        changed = git(here, "status", "--porcelain", "--ignored", "--", name)
        recorded = git(here, "log", "-1", "--format=%H", "--", name).strip()
    except UserError:  # it lies outside of any checkout
        changed = recorded = ""
    if recorded and not changed:
        return recorded
    changed = git(ROOT, "status", "--porcelain", "--", "notebooks")
    if changed or any(file_hash(LAB / k) != v for k, v in run.lab.items()):
        raise UserError(
            f"{shown(path)}: its lab is not that of the commit checked out; "
            "name its commit by --commit"
        )
    return git(ROOT, "rev-parse", "HEAD").strip()


def environments(named, commit=None):
    """Return ({environment: [Results]}, a line for each that is left out).

    named   results files
    commit  whose all are, or None

    An environment is (commit, machine, preset, Python, libraries).
    """
    known, left = collections.defaultdict(list), []
    for path in named:
        try:
            run = results.load(path)
            if not run.finished:
                raise UserError(f"{shown(path)}: it did not come to its end")
            of = commit or commit_of(path, run)
        except UserError as error:
            left.append(f"left out: {error}")
            continue
        record = run.machine
        machine = "-".join(filter(None, [record["slug"], record.get("id")]))
        python = record.get("python", {}).get("version", "")
        libraries = tuple(sorted(record.get("packages", {}).items()))
        known[of, machine, run.preset, python, libraries].append(run)
    return known, left


def add_benchmark(page, group, series, benchmarks):
    """Return asv's record of a group, with the variants and sizes of before.

    series      [(name, size)]
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
    for place, known in enumerate(about["params"]):
        values = dict.fromkeys(repr(key[place]) for key in series)
        known += [value for value in values if value not in known]
    return about


def result_of(series, params):
    """Return asv's BenchmarkResult of one benchmark.

    series  {(name, size): [Series, one a run]}
    params  of the benchmark
    """
    from asv.runner import BenchmarkResult

    by_text = {tuple(map(repr, key)): runs for key, runs in series.items()}
    every = [by_text.get(place, ()) for place in itertools.product(*params)]
    samples = [[v for one in runs for v in one.values] for runs in every]
    return BenchmarkResult(
        result=[0.0 if s else None for s in samples],  # asv: the median
        samples=[s or None for s in samples],
        number=[runs[0].loops if runs else None for runs in every],
        errcode=0, stderr="", profile=None,
    )  # fmt: skip


def add_results(key, runs, benchmarks, before, out):
    """Write asv's results of one environment.

    key         of `environments`; runs: its Results
    benchmarks  {name: record}, to which these are added
    before      asv's folder of results, and `out` the one to write into
    """
    from asv.machine import Machine
    from asv.plugins.git import Git
    from asv.results import Results

    commit, name, preset, python, packages = key
    machine, record = Machine(), runs[-1].machine
    vars(machine).update(
        machine=name, os=record.get("system", ""), arch="",
        cpu=record["cpu"], num_cpu=str(record["cores"]["usable"]),
        ram=str(record.get("memory", "")),
    )  # fmt: skip
    machine.save(str(out))
    about = {**vars(machine), "python": python, "preset": preset}
    own = Results(
        about | dict(packages), dict(packages), commit,
        Git(str(ROOT), "").get_date(commit), python,
        f"py{python}-{preset}-" + "-".join(map("".join, packages)), {},
    )  # fmt: skip
    own.load_data(str(before))
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for run in runs:
        for group, timings in run.timings.items():
            for one in timings:
                groups[run.chapter, group][one.name, one.size].append(one)
    for (page, group), series in groups.items():
        about = add_benchmark(page, group, list(series), benchmarks)
        own.add_result(about, result_of(series, about["params"]))
    own.save(str(out))


def export(known, target):
    """Write runs into asv's folder, each file whole.

    known   of `environments`
    target  the folder, a Path
    """
    from asv.benchmarks import Benchmarks
    from asv.util import write_json

    before = target / "results"
    benchmarks = {}
    if (before / "benchmarks.json").exists():
        benchmarks = files.json_data(before / "benchmarks.json")
        benchmarks.pop("version", None)
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "results"
        for key, runs in known.items():
            add_results(key, runs, benchmarks, before, out)
        listed = out / "benchmarks.json"
        write_json(str(listed), benchmarks, Benchmarks.api_version)
        for path in sorted(out.rglob("*.json")):
            files.write(before / path.relative_to(out), path.read_bytes())
    if not (target / SETTINGS).exists():
        branch = git(ROOT, "rev-parse", "--abbrev-ref", "HEAD").strip()
        settings = {
            "version": 1,
            "project": "Python on the Fly",
            "repo": str(ROOT),
            "branches": [branch],
        }
        files.write(target / SETTINGS, json.dumps(settings, indent=4))


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
    named = [path for name in options.runs for path in paths(name)]
    commit = options.commit
    if commit is not None:
        commit = git(ROOT, "rev-parse", "--verify", f"{commit}^0").strip()
    known, left = environments(named, commit)
    print(*left, sep="\n", end="\n" * bool(left), file=sys.stderr)
    if known:
        export(known, target)
    print(
        f"{shown(target)}: {len(named) - len(left)} runs; "
        f"{len(left)} left out"
    )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
