"""What a page concluded on a machine, on disk: one JSON file each.

The quantities that judge claims, the conclusions of the prose, the tables.
What they are worked out from is in `data`.
"""

import dataclasses
import json
import math
import pathlib

from onthefly import files
from onthefly.errors import CorruptFile, UserError
from onthefly.folders import results_dir
from onthefly.measure import machine, presets
from onthefly.measure.quantity import Quantity
from onthefly.page.checkout import ROOT

FORMAT = 2  # raise it when a key changes its meaning
SCHEMA = pathlib.Path(__file__).with_suffix(".schema.json")
REPAIR = "restore it with git, or move it away and run the chapter again"
RECORDED = ROOT / "book" / "results"
QUANTITIES = {"quantities", "today"}  # fields that hold Quantities


@dataclasses.dataclass
class Results:
    """What a chapter concluded from what a machine measured.

    quantities  {claim id: Quantity}, what the ledger judges
    today       {claim id: Quantity} by today's software, of a claim that is
                judged by the software of its time
    reasons     {claim id: why}, shown with the verdict; of a claim without
                a quantity it says why it could not be measured
    unresolved  claims that were measured, by no single quantity, and that
                the measurement leaves open; the reason says why
    tables      {name: list of dicts}, JSON-ready
    machine     the machine record; preset, device, seed: the parameters
    data        what the page was told: see `source`
    seconds     how long the chapter took
    finished    the chapter came to its end; a check that fails ends it
                before, so all of its checks held
    missing     {library that is missing: what is so, too, for want of it}:
                its series as "group | name", its claims' ids
    expected    {conclusion of the prose: {"verdict": what became of it,
                "numbers": what does not bear it out, "groups": the
                measurements that it rests on}}
    rests       {claim id: names of the measurements that it rests on}
    unmeasured  measurements that neither this machine nor a recorded one has
    answers     {id of a question: the page's answer, in Markdown}; what the
                data make of it stands under `expected`
    """

    page: str
    preset: str
    device: str = "auto"
    seed: int = 0
    data: str = "fresh"
    machine: dict = dataclasses.field(default_factory=machine.record)
    quantities: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    reasons: dict[str, str] = dataclasses.field(default_factory=dict)
    unresolved: list[str] = dataclasses.field(default_factory=list)
    tables: dict[str, list] = dataclasses.field(default_factory=dict)
    seconds: float = 0.0
    finished: bool = False
    missing: dict[str, list] = dataclasses.field(default_factory=dict)
    expected: dict[str, dict] = dataclasses.field(default_factory=dict)
    rests: dict[str, list] = dataclasses.field(default_factory=dict)
    today: dict[str, Quantity] = dataclasses.field(default_factory=dict)
    unmeasured: list[str] = dataclasses.field(default_factory=list)
    answers: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def origin(self):
        """Whose these results are: machine, day and preset."""
        day = self.machine["time"][:10]
        return f"{self.machine['slug']}, {day}, preset {self.preset}"


def answer_to(question):
    """Return what the answer to a question is called among `expected`."""
    return f"the answer to {question}"


def save(results, folder=None):
    """Write `results` to <folder>/<machine>/<chapter>.json; return the path.

    A broken file in its place is set aside; one of another format is refused
    with UserError.
    """
    folder = pathlib.Path(folder or results_dir())
    path = folder / results.machine["slug"] / f"{results.page}.json"
    if path.exists():
        try:
            load(path)  # refuses what this version would not understand
        except CorruptFile:
            files.set_aside(path)
    files.write(path, as_json(results))
    return path


def as_json(results):
    """Return `results` as the text of their file."""
    fields = {
        f.name: getattr(results, f.name) for f in dataclasses.fields(results)
    }
    for name in QUANTITIES:
        fields[name] = {k: _plain(q) for k, q in fields[name].items()}
    return json.dumps(
        {"format": FORMAT, **fields},
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )


def _plain(quantity):
    """Return a Quantity as a dict; JSON has no infinity, so None stands."""
    fields = {
        f.name: getattr(quantity, f.name)
        for f in dataclasses.fields(quantity)
        # A file's own machine is the origin; the samples have their series.
        if f.name not in ("origin", "rounds", "groups")
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


def load(path):
    """Return the Results in a file.

    Raises CorruptFile with one line (file, place, repair) where it is no
    results file, UserError where it cannot be read, or is of another
    version.
    """
    path = pathlib.Path(path)
    try:
        own = files.json_data(path)
    except CorruptFile as error:
        raise CorruptFile(error.fault, REPAIR) from None
    if not isinstance(own, dict):
        raise CorruptFile(f"{path}: no results", REPAIR)
    if own.get("format") != FORMAT:
        raise UserError(
            f"{path}: format is {own.get('format')!r}, "
            f"this version reads {FORMAT}; {REPAIR}"
        )
    if fault := files.breach(own, SCHEMA):
        raise CorruptFile(f"{path}: {fault}", REPAIR)
    try:
        fields = {k: v for k, v in own.items() if k != "format"}
        for name in QUANTITIES & fields.keys():
            fields[name] = {k: _quantity(q) for k, q in own[name].items()}
        loaded = Results(**fields)
    except (KeyError, TypeError) as error:
        raise CorruptFile(f"{path}: {error!r} in it", REPAIR) from None
    if loaded.preset not in presets.NAMES:
        raise CorruptFile(f"{path}: no preset {loaded.preset!r}", REPAIR)
    return loaded


def recorded(chapter):
    """Return the Results of a chapter that are kept with the book."""
    return [load(path) for path in sorted(RECORDED.glob(f"*/{chapter}.json"))]


def latest(chapter, holds):
    """Return the newest recorded Results for which holds(it), or None."""
    fitting = filter(holds, recorded(chapter))
    return max(fitting, key=lambda r: r.machine["time"], default=None)


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
