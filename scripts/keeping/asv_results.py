"""The runs of a store as asv reads them, for `asv publish`.

A benchmark is a group of a page's timings, with two parameters: the way and
the size.  asv's own writer makes the files, as asv 0.6 has them::

    asv.conf.json
    results/benchmarks.json
    results/MACHINE/machine.json
    results/MACHINE/COMMIT-ENVIRONMENT.json
"""

import collections
import itertools
import os
import pathlib
import re
import shutil
import tempfile

from keeping import commits
from onthefly import results
from onthefly.refused import Refused

PROJECT = "Python on the Fly"


def export(store, root, folder):
    """Write the runs of a store; return (how many, lines of what was not).

    root    the checkout whose commits they are
    folder  where asv's files go: empty, or not there yet

    A run without a commit that git knows there, or of changes that are in no
    commit, has no place in asv's history.  Raises Refused for a folder that
    holds something.
    """
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{folder}: no folder; name another")
    if folder.is_dir() and any(folder.iterdir()):
        raise Refused(f"{folder}: not empty; empty it, or name another")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = pathlib.Path(tempfile.mkdtemp(dir=folder.parent, prefix=".asv-"))
    try:
        found = _write(store, root, part)
        part.chmod(0o755)  # mkdtemp makes it private
        os.replace(part, folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return found


def _write(store, root, folder):
    """Write all files into a folder; return as `export`."""
    import asv.util
    from asv.benchmarks import Benchmarks

    entries, faults = store.entries()
    runs, more = _placed(entries, root)
    faults += more
    benchmarks, machines, whole = {}, {}, []
    for entry, date in runs:
        try:
            own = _loaded(store, entry)
        except Refused as error:
            faults.append(str(error))
            continue
        whole.append((entry, date))
        name = _machine(entry)
        machines[name] = _about(name, own.machine)  # as it was last
        for group, times in own.timings.items():
            _note(benchmarks, entry.page, group, times)
    _name(benchmarks)
    out = folder / "results"
    out.mkdir()
    for name, about in machines.items():
        path = out / name / "machine.json"
        path.parent.mkdir()
        asv.util.write_json(path, about, api_version=1)
    asv.util.write_json(
        out / "benchmarks.json",
        {about["name"]: about for about in benchmarks.values()},
        api_version=Benchmarks.api_version,
    )
    asv.util.write_json(folder / "asv.conf.json", _settings(root), 1)
    by_environment = collections.defaultdict(list)
    for entry, date in whole:
        key = _machine(entry), entry.commit, date, entry.preset
        by_environment[key].append(entry)
    for (name, *key), some in by_environment.items():
        _write_runs(store, some, machines[name], *key, benchmarks, out)
    return len(whole), faults


def _placed(entries, root):
    """Return ([(entry, its commit's date)], a line for each left out)."""
    named = {e.commit for e in entries} - {""}
    clean = {c for c in named if not c.endswith(commits.DIRTY)}
    dates = commits.dates(root, sorted(clean))
    runs, left = [], []
    for entry in entries:
        if entry.commit in dates:
            runs.append((entry, dates[entry.commit]))
            continue
        why = "no commit is known"
        if entry.commit in clean:
            why = f"git knows no commit {entry.commit[:8]} in {root}"
        elif entry.commit:
            why = "its checkout held changes that are in no commit"
        left.append(f"left out: {entry.name}: {why}")
    return runs, left


def _loaded(store, entry):
    """Return the Results of an entry."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / f"{entry.page}.json"
        path.write_bytes(store.read(entry))
        return results.load(path)


def _machine(entry):
    """Return what asv calls a machine: its slug, and its id where it is."""
    return "-".join(filter(None, [entry.machine, entry.id]))


def _about(name, record):
    """Return asv's record of a machine."""
    return {
        "machine": name,
        "os": record.get("system", ""),
        "arch": "",
        "cpu": record["cpu"],
        "num_cpu": str(record["cores"]["usable"]),
        "ram": str(record.get("memory", "")),
    }


def _settings(root):
    """Return asv's settings: which repository, and which of its branches."""
    return {
        "project": PROJECT,
        "project_url": "#",
        "repo": str(root),
        "dvcs": "git",
        "branches": [commits.branch(root)],
        "results_dir": "results",
        "html_dir": "html",
    }


def _note(benchmarks, page, group, times):
    """Add a group's ways and sizes to its benchmark."""
    about = benchmarks.setdefault(
        (page, group),
        {
            "param_names": ["way", "size"],
            "params": [[], []],
            "pretty_name": f"{page}: {group}",
            "type": "time",
            "unit": "seconds",
            "version": "1",
            "code": "",
        },
    )
    for series in times:
        for known, value in zip(
            about["params"], (series.name, series.size), strict=True
        ):
            if repr(value) not in known:
                known.append(repr(value))


def _name(benchmarks):
    """Name the benchmarks, each by itself, as asv would name a function."""
    taken = set()
    for (page, group), about in sorted(benchmarks.items()):
        stem = ".".join(re.sub(r"\W+", "_", text) for text in (page, group))
        number = itertools.count(2)
        name = stem
        while name in taken:
            name = f"{stem}_{next(number)}"
        taken.add(name)
        about["name"] = name


def _write_runs(
    store, entries, about, commit, date, preset, benchmarks, folder
):
    """Write the results files of one machine, commit and preset.

    There is one for each environment: other libraries are another line of
    asv's.  What several runs measured stands together.
    """
    from asv.results import Results

    found = collections.defaultdict(dict)  # {environment: {key: samples}}
    for entry in entries:
        own = _loaded(store, entry)
        record = own.machine
        python = record.get("python", {}).get("version", "")
        packages = record.get("packages", {})
        samples = found[python, tuple(sorted(packages.items()))]
        for group, times in own.timings.items():
            for s in times:
                kept = samples.setdefault((entry.page, group), {})
                _, values = kept.setdefault((s.name, s.size), (s.loops, []))
                values.extend(s.values)
    for (python, packages), samples in found.items():
        named = "-".join(f"{k}{v}" for k, v in packages)
        run = Results(
            {**about, "python": python, "preset": preset, **dict(packages)},
            dict(packages),
            commit,
            date * 1000,
            python,
            f"py{python}-{preset}-{named}",
            {},
        )
        for key, kept in samples.items():
            _add(run, benchmarks[key], kept)
        run.save(str(folder))


def _add(run, benchmark, kept):
    """Add what a group measured to asv's Results.

    kept  {(way, size): (loops, samples in seconds)}
    """
    from asv.runner import BenchmarkResult

    by_text = {tuple(map(repr, key)): found for key, found in kept.items()}
    every = list(itertools.product(*benchmark["params"]))
    found = [by_text.get(place) for place in every]
    run.add_result(
        benchmark,
        BenchmarkResult(
            result=[f and 0.0 for f in found],  # asv takes the median
            samples=[f and f[1] for f in found],
            number=[f and f[0] for f in found],
            errcode=0,
            stderr="",
            profile=None,
        ),
    )
