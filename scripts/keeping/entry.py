"""An entry of a store's index: whose a kept results file is.

It tells machine, page, preset, time, commit and lab, and the ratios that a
history shows, so that nobody reads all results for them.
"""

import dataclasses
import datetime
import hashlib
import json
import re

from keeping.ratios import Ratio, measured
from onthefly import results
from onthefly.refused import Broken, Refused

FORMAT = 1  # raise it when a field changes its meaning
FOLDER = "index"
NAME = re.compile(rf"{FOLDER}/([^/]+)/([^/]+)/(\d+)-([0-9a-f]{{64}})\.json")
AGAIN = "move it away, and add the run again"


@dataclasses.dataclass(frozen=True)
class Entry:
    """What is known of a kept results file without reading it.

    digest   SHA-256 of the file, in hex
    page     its slug
    machine  the machine's slug; `id`, what tells two of one slug apart, or ""
    preset   of the run
    time     when it began, ISO 8601 in UTC
    commit   of the checkout that ran it, or that recorded it; "" for none,
             and with "-dirty" where it held changes
    lab      digest of the lab's files that it used, "" where unknown
    python   version of the interpreter
    ratios   of the run, as `ratios.measured` returns them
    """

    digest: str
    page: str
    machine: str
    id: str
    preset: str
    time: str
    commit: str
    lab: str
    python: str
    ratios: tuple[Ratio, ...]

    @property
    def name(self):
        """Where it lies in a store: it tells page, machine and time."""
        moment = re.sub(r"\D", "", self.time[:19])
        folder = f"{FOLDER}/{self.page}/{self.machine}"
        return f"{folder}/{moment}-{self.digest}.json"

    @property
    def day(self):
        """The day of the run, as a date."""
        return self.moment.date()

    @property
    def moment(self):
        """When the run began, as a datetime in UTC."""
        return datetime.datetime.fromisoformat(self.time)

    def text(self):
        """Return the entry as the text of its file."""
        fields = dataclasses.asdict(self)
        found = {"format": FORMAT, "entry": fields, "sha256": _seal(fields)}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def digest(data):
    """Return the SHA-256 of bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def _seal(fields):
    """Return the digest by which damage to an entry is seen."""
    return digest(json.dumps(fields, sort_keys=True).encode())


def of_file(path, commit=""):
    """Return (Entry, bytes) of a results file.

    Raises Refused where it is none, Broken where it is damaged.
    """
    found, data = results.load(path), path.read_bytes()
    machine = found.machine
    try:
        when = datetime.datetime.fromisoformat(machine["time"])
    except ValueError:
        raise Broken(
            f"{path}: {machine['time']!r} is no time", results.REPAIR
        ) from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.UTC)
    lab = json.dumps(found.lab, sort_keys=True).encode() if found.lab else b""
    return Entry(
        digest(data),
        found.chapter,
        machine["slug"],
        str(machine.get("id", "")),
        found.preset,
        when.astimezone(datetime.UTC).isoformat("T", "seconds"),
        commit,
        digest(lab) if lab else "",
        machine.get("python", {}).get("version", ""),
        tuple(measured(found)),
    ), data


def parse(name, data, place):
    """Return the Entry in a file of an index, its bytes being `data`.

    name, place  for the message; the name must be the entry's own

    Raises Refused where it is damaged, or of another version.
    """
    try:
        told = json.loads(data)
        version, fields = told["format"], told["entry"]
        if version == FORMAT and told["sha256"] == _seal(fields):
            ratios = [
                Ratio(**{**ratio, "of": tuple(ratio["of"])})
                for ratio in fields.pop("ratios")
            ]
            found = Entry(**fields, ratios=tuple(ratios))
            if found.name == name:
                return found
    except (ValueError, KeyError, TypeError, AttributeError):
        version = FORMAT
    if version != FORMAT:
        raise Refused(
            f"{place}/{name}: format {version!r}, this version reads "
            f"{FORMAT}; read it with the version that wrote it"
        )
    raise Refused(f"{place}/{name}: damaged; {AGAIN}")
