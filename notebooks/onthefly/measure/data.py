"""Measurements on disk: one pyperf suite a page and machine.

A file is a pyperf suite that ``python -m pyperf show`` and ``compare_to``
read: a Benchmark a series, a Run a session.  Its key ``onthefly`` holds the
machine record, the parameters, the key of each group, and what was looked at.
"""

import contextlib
import dataclasses
import datetime
import hashlib
import json
import pathlib

from onthefly import files
from onthefly.errors import CorruptFile, UserError
from onthefly.measure import libraries, machine, presets
from onthefly.measure.samples import Samples, Series

FORMAT = 2  # raise it when the key "onthefly" changes its meaning
SCHEMA = pathlib.Path(__file__).with_suffix(".schema.json")
REPAIR = "restore it with git, or move it away and run the page again"

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
class Group:
    """A measurement: its key, and its sessions.

    key       as `dependencies.key`; {} where it is not known
    sessions  [Samples], of the same series, the oldest first
    times     [when each began], ISO 8601 in UTC
    versions  [of the package that took each]; fewer, or none, where older
              files do not say
    """

    key: dict
    sessions: list = dataclasses.field(default_factory=list)
    times: list = dataclasses.field(default_factory=list)
    versions: list = dataclasses.field(default_factory=list)

    def version(self, number):
        """Return the version of the package that took a session, or ""."""
        before = len(self.sessions) - len(self.versions)
        return self.versions[number - before] if number >= before else ""

    def samples(self, origin=""):
        """Return the Samples of all sessions.

        Of two that none disturbed, the first: two medians bound nothing, so
        that a second session would only take away what one has shown.
        """
        quiet = [one for one in self.sessions if not one.disturbed]
        if len(quiet or self.sessions) == 2:
            quiet = (quiet or self.sessions)[:1]
        return Samples.joined(quiet or self.sessions, origin)


@dataclasses.dataclass
class Look:
    """What a function said of the machine: its key, its answer, and when."""

    key: dict
    value: object
    time: str


@dataclasses.dataclass
class Data:
    """What was measured for a page on a machine.

    page      its slug
    preset, device, seed: the parameters
    groups    {name: Group}
    looks     {name: Look}
    machine   the machine record, of the newest session
    """

    page: str
    preset: str
    device: str = "auto"
    seed: int = 0
    groups: dict = dataclasses.field(default_factory=dict)
    looks: dict = dataclasses.field(default_factory=dict)
    machine: dict = dataclasses.field(default_factory=machine.record)

    @property
    def origin(self):
        """Whose it is: machine, day and preset."""
        day = self.machine["time"][:10]
        return f"{self.machine['slug']}, {day}, preset {self.preset}"

    def add(self, name, key, samples):
        """Add a session to a group; one of another key takes its place."""
        group = self.groups.get(name)
        if group is None or group.key != key or not _alike(group, samples):
            group = self.groups[name] = Group(key)
        group.sessions.append(samples)
        group.times.append(now())
        group.versions.append(libraries.version("onthefly"))

    def look(self, name, key, value):
        """Keep what a function said."""
        self.looks[name] = Look(key, value, now())


def _alike(group, samples):
    """Tell whether Samples are of the series of a group's sessions."""
    return set(group.sessions[0].keys) == set(samples.keys)


def now():
    """Return the time in UTC, as ISO 8601 writes it."""
    return datetime.datetime.now(datetime.UTC).isoformat("T", "seconds")


def _benchmark(group, name, parts, times):
    """Return a series as pyperf's JSON has a benchmark of some runs."""
    first = parts[0]
    size = [] if first.size is None else [f"{first.size:,}"]
    about = {
        "name": " | ".join([group, first.name, *size]),
        "unit": "second",
        "series_group": group,
        "series_name": first.name,
        "series_size": first.size,
    }
    return {
        "metadata": _known(about),
        "runs": list(map(_run, parts, times)),
    }


def _known(fields):
    return {k: v for k, v in fields.items() if v is not None}


def _run(series, time):
    """Return a session of a series as a run of pyperf's JSON."""
    about = {
        "date": time[:19].replace("T", " "),
        "loops": series.loops,
        "series_load": series.load,
        "series_others": series.others,
        "series_elsewhere": series.other_threads,
    }
    run = {"metadata": _known(about), "values": series.values}
    if series.first is not None:
        run["warmups"] = [(1, series.first)]
    return run


def save(data, path):
    """Write Data to a file.

    A broken file in its place is set aside; one of another format is refused
    with UserError.
    """
    if path.exists():
        try:
            load(path)
        except CorruptFile:
            files.set_aside(path)
    files.write(path, as_json(data))


def as_json(data):
    """Return Data as the text of its file.

    Without groups it is no suite that pyperf reads.
    """
    import pyperf

    about = pyperf.Run([1.0]).get_metadata()
    benchmarks = [
        _benchmark(
            name,
            key,
            [session.series(*key) for session in group.sessions],
            group.times,
        )
        for name, group in data.groups.items()
        for key in group.sessions[0].keys
    ]
    own = {
        "format": FORMAT,
        "page": data.page,
        "preset": data.preset,
        "device": data.device,
        "seed": data.seed,
        "machine": data.machine,
        "groups": {
            name: {
                "key": group.key,
                "times": group.times,
                **({"versions": group.versions} if group.versions else {}),
                "cores": group.sessions[0].cores,
                "missing": group.sessions[0].missing,
                "counts": _counts(group),
            }
            for name, group in data.groups.items()
        },
        "looks": {
            name: dataclasses.asdict(look)
            for name, look in data.looks.items()
        },
    }
    suite = {
        "benchmarks": benchmarks,
        "metadata": {k: v for k, v in about.items() if k not in _PRIVATE},
        "version": "1.0",
        "onthefly": own,
    }
    sign(suite)
    return json.dumps(suite, indent=1, ensure_ascii=False, allow_nan=False)


def sign(suite):
    """Put into a suite's JSON the checksum of what it holds now."""
    own = suite["onthefly"]
    own["checksum"] = _checksum(suite["benchmarks"], own)


def _checksum(benchmarks, own):
    """Return the checksum of what was measured, and of what is said of it.

    It sees what no schema does: values that were swapped or scaled, a sample
    or a series that is gone, or is there twice.
    """
    rest = {name: value for name, value in own.items() if name != "checksum"}
    text = json.dumps([benchmarks, rest], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _counts(group):
    """Return what was counted beside the clock, for which pyperf has none."""
    return [
        {"session": k, "name": s.name, "size": s.size, "counts": s.counts}
        for k, session in enumerate(group.sessions)
        for s in session
        if s.counts
    ]


def load(path):
    """Return the Data in a file.

    Raises CorruptFile with one line (file, place, repair) where it is no
    data file, UserError where it cannot be read, or is of another version.
    """
    path = pathlib.Path(path)
    try:
        suite = files.json_data(path)
    except CorruptFile as error:
        raise CorruptFile(error.fault, REPAIR) from None
    own = suite.get("onthefly") if isinstance(suite, dict) else None
    if not isinstance(own, dict):
        raise CorruptFile(f"{path}: no key 'onthefly' with data", REPAIR)
    if own.get("format") != FORMAT:
        raise UserError(
            f"{path}: onthefly.format is {own.get('format')!r}, "
            f"this version reads {FORMAT}; {REPAIR}"
        )
    if fault := files.breach(suite, SCHEMA):
        raise CorruptFile(f"{path}: {fault}", REPAIR)
    # A file of an older version has none.
    if own.get("checksum") not in (None, _checksum(suite["benchmarks"], own)):
        raise CorruptFile(
            f"{path}: changed since it was written (its checksum says so)",
            REPAIR,
        )
    try:
        read = Data(
            own["page"],
            own["preset"],
            own["device"],
            own["seed"],
            _groups(suite["benchmarks"], own["groups"]),
            {name: Look(**look) for name, look in own["looks"].items()},
            own["machine"],
        )
    except (KeyError, TypeError, IndexError) as error:
        raise CorruptFile(f"{path}: {error!r} in it", REPAIR) from None
    if read.preset not in presets.NAMES:
        raise CorruptFile(f"{path}: no preset {read.preset!r}", REPAIR)
    return read


def _groups(benchmarks, about):
    """Rebuild {name: Group} from a suite's JSON."""
    series = {name: [[] for _ in own["times"]] for name, own in about.items()}
    counts = {
        (name, each["session"], each["name"], each["size"]): {
            what: tuple(values) for what, values in each["counts"].items()
        }
        for name, own in about.items()
        for each in own["counts"]
    }
    for benchmark in benchmarks:
        of = benchmark["metadata"]
        group, name, size = (
            of["series_group"], of["series_name"], of.get("series_size")
        )  # fmt: skip
        for k, run in enumerate(benchmark["runs"]):
            one = _series(name, size, run, counts.get((group, k, name, size)))
            series[group][k].append(one)
    return {
        name: Group(
            own["key"],
            [
                Samples(some, own["cores"], missing=own["missing"])
                for some in series[name]
            ],
            own["times"],
            own.get("versions", []),
        )
        for name, own in about.items()
    }


def _series(name, size, run, counts):
    """Return the Series of one run of a suite's JSON."""
    about = run["metadata"]
    return Series(
        name,
        size,
        run["warmups"][0][1] if run.get("warmups") else None,
        tuple(run["values"]),
        about.get("loops", 1),
        about["series_load"],
        about["series_others"],
        about.get("series_elsewhere"),
        counts or {},
    )


def strangers(paths, identity):
    """Return those of some data files that another machine measured.

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
