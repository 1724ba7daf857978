"""Results on disk: one pyperf suite a chapter and machine.

A file is a pyperf suite that ``python -m pyperf show`` and ``compare_to``
read, with one more key, ``onthefly``: the machine record, the preset, the
quantities that judge claims, and the chapter's tables.
"""

import contextlib
import dataclasses
import json
import math
import os
import pathlib

from onthefly import files, machine, presets, provenance
from onthefly.errors import CorruptFile, UserError
from onthefly.provenance import ROOT
from onthefly.quantity import EXAMPLE, Quantity
from onthefly.timings import Series, Timings

FORMAT = 1  # raise it when the key "onthefly" changes its meaning
SCHEMA = pathlib.Path(__file__).with_suffix(".schema.json")
REPAIR = "restore it with git, or move it away and run the chapter again"
RECORDED = ROOT / "book" / "results"
EXAMPLES = ROOT / "book" / "examples"  # beside the machines, never one

# What pyperf collects and no reader should get: names and folders of a home.
_PRIVATE = (
    "hostname",
    "command",
    "python_executable",
    "python_config_args",
    "python_cflags",
    "boot_time",
    "uptime",
)


@dataclasses.dataclass
class Results:
    """What a chapter measured on a machine.

    timings     {group: Timings}
    quantities  {claim id: Quantity}, what the ledger judges
    reasons     {claim id: why}, shown with the verdict; of a claim without
                a quantity it says why it could not be measured
    unresolved  claims that were measured, by no single quantity, and that
                the measurement leaves open; the reason says why
    tables      {name: list of dicts}, JSON-ready
    machine     the machine record; preset, device, seed: the parameters
    seconds     how long the chapter took
    example     "", or what made the numbers up: they measure nothing
    finished    the chapter came to its end; a check that fails ends it
                before, so all of its checks held
    lab         {file of the lab: hash} that made it: see provenance
    read        {file of the project: hash}, as `lab`, of those beside it
    drawn       slugs of the chapters whose recorded results were looked for
    missing     {library that is missing: what is so, too, for want of it}:
                its series as "group | name", its claims' ids
    expected    {conclusion of the prose: {"verdict": what became of it,
                "found": the numbers that do not bear it out}}
    """

    chapter: str
    preset: str
    device: str = "auto"
    seed: int = 0
    timings: dict[str, Timings] = dataclasses.field(default_factory=dict)
    quantities: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    reasons: dict[str, str] = dataclasses.field(default_factory=dict)
    unresolved: list[str] = dataclasses.field(default_factory=list)
    tables: dict[str, list] = dataclasses.field(default_factory=dict)
    machine: dict = dataclasses.field(default_factory=machine.record)
    seconds: float = 0.0
    example: str = ""
    finished: bool = False
    lab: dict[str, str] = dataclasses.field(default_factory=dict)
    read: dict[str, str] = dataclasses.field(default_factory=dict)
    drawn: list[str] = dataclasses.field(default_factory=list)
    missing: dict[str, list] = dataclasses.field(default_factory=dict)
    expected: dict[str, dict] = dataclasses.field(default_factory=dict)

    @property
    def origin(self):
        """Whose these results are: machine, day and preset, or EXAMPLE."""
        if self.example:
            return EXAMPLE
        day = self.machine["time"][:10]
        return f"{self.machine['slug']}, {day}, preset {self.preset}"


# Modules and packages of the lab that change no number.
SHOWING = {
    "claims",
    "expectations",
    "figures",
    "files",
    "findings",
    "missing",
    "onthefly.mplstyle",
    "page",
    "plots",
    "presets",
    "provenance",
    "refused",
    "results",
    "tools/names",
    "tools/needs",
}


def only_shows(name):
    """Tell whether a file of the lab draws, judges or stores, and no more.

    name  its path within the lab
    """
    return name.removesuffix(".py") in SHOWING or name.startswith("figures/")


def build_dir():
    """Return the folder of generated files (ONTHEFLY_BUILD, or _build)."""
    named = os.environ.get("ONTHEFLY_BUILD", "").strip()
    return pathlib.Path(named or ROOT / "_build")


def results_dir():
    """Return where this machine's runs go (ONTHEFLY_RESULTS)."""
    named = os.environ.get("ONTHEFLY_RESULTS", "").strip()
    return pathlib.Path(named or build_dir() / "results")


def _benchmark(group, series):
    """Return one series as pyperf's JSON has a benchmark of one run."""
    size = [] if series.size is None else [f"{series.size:,}"]
    about = {
        "name": " | ".join([group, series.name, *size]),
        "unit": "second",
        "loops": series.loops,
        "series_group": group,
        "series_name": series.name,
        "series_load": series.load,
        "series_others": series.others,
        "series_elsewhere": series.other_threads,
        "series_size": series.size,
    }
    run = {"values": series.values}
    if series.first is not None:
        run["warmups"] = [(1, series.first)]
    known = {k: v for k, v in about.items() if v is not None}
    return {"metadata": known, "runs": [run]}


def save(results, folder=None):
    """Write `results` to <folder>/<machine>/<chapter>.json; return the path.

    A broken file in its place is set aside.  Raises UserError, and writes
    nothing, where there is nothing to store, though nothing is missing,
    the results are an example, or the file in its place has another format.
    """
    folder = pathlib.Path(folder or results_dir())
    path = folder / results.machine["slug"] / f"{results.chapter}.json"
    if path.exists():
        try:
            load(path)  # refuses what this version would not understand
        except CorruptFile:
            files.set_aside(path)
    if results.example:
        raise UserError(f"{path}: {EXAMPLE}; it is kept nowhere")
    kept = results.timings.values(), results.quantities, results.tables
    if not any(map(any, kept)) and not results.missing:
        raise UserError(f"{path}: nothing to save; measure something first")
    files.write(path, as_json(results))
    return path


def as_json(results):
    """Return `results` as the text of their file.

    Without timings it is no suite that pyperf reads.
    """
    import pyperf

    about = {} if results.example else pyperf.Run([1.0]).get_metadata()
    data = {
        "benchmarks": [
            _benchmark(group, series)
            for group, timings in results.timings.items()
            for series in timings
        ],
        "metadata": {k: v for k, v in about.items() if k not in _PRIVATE},
        "version": "1.0",
    }
    rest = {
        f.name: getattr(results, f.name)
        for f in dataclasses.fields(results)
        if f.name not in ("timings", "quantities")
    }
    rest["quantities"] = {k: _plain(q) for k, q in results.quantities.items()}
    rest["counts"] = _counts(results.timings)
    data["onthefly"] = {"format": FORMAT, **rest}
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)


def _counts(groups):
    """Return what was counted beside the clock, for which pyperf has none.

    groups  {group: Timings}
    """
    return [
        {"group": group, "name": s.name, "size": s.size, "counts": s.counts}
        for group, timings in groups.items()
        for s in timings
        if s.counts
    ]


def _plain(quantity):
    """Return a Quantity as a dict; JSON has no infinity, so None stands."""
    fields = {
        f.name: getattr(quantity, f.name)
        for f in dataclasses.fields(quantity)
        # A file's own machine is the origin; the samples have their series.
        if f.name not in ("origin", "rounds")
    }
    for end in ("low", "high"):
        if not math.isfinite(fields[end]):
            fields[end] = None
    return fields


def _quantity(fields):
    """Undo `_plain`."""
    low = -math.inf if fields["low"] is None else fields["low"]
    high = math.inf if fields["high"] is None else fields["high"]
    return Quantity(**{**fields, "low": low, "high": high})


def load(path, example=False):
    """Return the Results in a file; with `example`, those made up.

    Raises CorruptFile with one line (file, place, repair) where it is no
    results file, UserError where it cannot be read, is one of another
    version, or an example that was not asked for.
    """
    path = pathlib.Path(path)
    try:
        data = files.json_data(path)
    except CorruptFile as error:
        raise CorruptFile(error.fault, REPAIR) from None
    own = data.get("onthefly") if isinstance(data, dict) else None
    if not isinstance(own, dict):
        raise CorruptFile(f"{path}: no key 'onthefly' with results", REPAIR)
    if own.get("format") != FORMAT:
        raise UserError(
            f"{path}: onthefly.format is {own.get('format')!r}, "
            f"this version reads {FORMAT}; {REPAIR}"
        )
    if fault := files.breach(data, SCHEMA):
        raise CorruptFile(f"{path}: {fault}", REPAIR)
    try:
        fields = {
            k: v for k, v in own.items() if k not in ("format", "counts")
        }
        fields["quantities"] = {
            k: _quantity(q) for k, q in own["quantities"].items()
        }
        fields["timings"] = _timings(data)
        loaded = Results(**fields)
    except (KeyError, TypeError) as error:
        raise CorruptFile(f"{path}: {error!r} in it", REPAIR) from None
    if loaded.preset not in presets.NAMES:
        raise CorruptFile(f"{path}: no preset {loaded.preset!r}", REPAIR)
    if bool(loaded.example) != example:
        what = EXAMPLE if loaded.example else "not marked as an example"
        raise UserError(f"{path}: {what}; remove it from there")
    return loaded


def strangers(paths, identity):
    """Return those of some results files that another machine measured.

    identity  of a machine, as `machine.identity`

    A file that cannot be read, or knows no machine's, is none of them.
    """
    owners = {path: measured_by(path) for path in paths}
    return [p for p, other in owners.items() if other and other != identity]


def measured_by(path):
    """Return the identity of the machine that measured a file, or ""."""
    with contextlib.suppress(UserError):
        return load(path).machine.get("id", "")
    return ""


def _timings(data):
    """Rebuild {group: Timings} from a suite's JSON."""
    groups = {}
    counted = {
        (c["group"], c["name"], c["size"]): c["counts"]
        for c in data["onthefly"].get("counts", [])
    }
    for benchmark in data["benchmarks"]:
        (run,) = benchmark["runs"]
        levels = (data, benchmark, run)  # the inner ones override
        about = {
            k: v for x in levels for k, v in x.get("metadata", {}).items()
        }
        group, name = about["series_group"], about["series_name"]
        size = about.get("series_size")
        counts = counted.get((group, name, size), {})
        groups.setdefault(group, []).append(
            Series(
                name,
                size,
                run["warmups"][0][1] if run.get("warmups") else None,
                tuple(run["values"]),
                about.get("loops", 1),
                about["series_load"],
                about["series_others"],
                about.get("series_elsewhere"),
                {what: tuple(found) for what, found in counts.items()},
            )
        )
    cores = data["onthefly"]["machine"]["cores"]["machine"]
    return {group: Timings(all_, cores) for group, all_ in groups.items()}


def recorded(chapter):
    """Return the Results of a chapter that are kept with the book."""
    provenance.note_slug(chapter)
    return [load(path) for path in sorted(RECORDED.glob(f"*/{chapter}.json"))]


def latest(chapter, holds):
    """Return the newest recorded Results for which holds(it), or None."""
    fitting = filter(holds, recorded(chapter))
    return max(fitting, key=lambda r: r.machine["time"], default=None)


def borrow(chapter, group):
    """Return a group of Timings that this run cannot measure.

    They are those of the machine that recorded it last; where none did, the
    example's, which show a figure's format and have no text.  `origin` tells
    which.  Raises UserError where there is no example either.
    """
    old = latest(chapter, lambda r: group in r.timings)
    path = EXAMPLES / f"{chapter}.json"
    if not old and path.exists():
        old = load(path, example=True)
    if not old or group not in old.timings:
        raise UserError(
            f"{path}: no group {group!r}, and no machine has recorded it; "
            "add its law to laws.yml there and run scripts/examples.py"
        )
    times = old.timings[group]
    return Timings(times, times.cores, old.origin)


def find(chapter, machine_name=None):
    """Return {machine: Results} of a chapter, this build's before recorded.

    With `machine_name`, only that machine's.
    """
    by_machine = {}
    for folder in (results_dir(), RECORDED):
        for path in sorted(folder.glob(f"*/{chapter}.json")):
            name = path.parent.name
            if name not in by_machine and machine_name in (None, name):
                by_machine[name] = load(path)
    return by_machine
