"""How long a run takes: recorded seconds a page, scaled by this machine.

What a page's own last run took counts first.  For the others there is what
was recorded with the book, times what the pages that ran here took of theirs.
"""

import json
import statistics

from commandline import ROOT, shown
from onthefly import files
from onthefly.errors import UserError
from onthefly.measure import machine, presets

TOLD = "told"  # stands for a preset where nothing is measured
# {"machine": name, "seconds": {preset or TOLD: {slug: seconds}}}
RECORDED = ROOT / "book" / "durations.json"


class Forecast:
    """What the pages that wait, and those that run, will take.

    jobs   all of a run, those that are up to date, too
    todo   those of them that are to run
    share  function of a job: the part of its time that the run waits for, 1
           where nothing runs beside it
    """

    def __init__(self, jobs, todo, share):
        preset = jobs[0].request.preset
        self._origin, self._measured, self._told = _recorded(preset)
        self._share, self._waiting = share, {job.name: job for job in todo}
        self._number, self._begun = len(todo), 0
        self._took = self._recorded_took = 0.0
        for job in jobs:
            if job.name not in self._waiting:
                self._learn(job, job.last_seconds)

    def _recorded(self, job):
        """Return the seconds recorded of such a run of a page, or None."""
        known = self._measured if job.measured else self._told
        return known.get(job.chapter.slug)

    def _learn(self, job, seconds):
        """Compare what a page took with what is recorded of it."""
        recorded = self._recorded(job)
        if seconds and recorded:
            self._took += seconds
            self._recorded_took += recorded

    def seconds(self, job):
        """Return what a page is expected to take, or None."""
        scale = self._took / self._recorded_took if self._took else 1
        recorded = self._recorded(job)
        return job.last_seconds or (recorded and recorded * scale)

    def left(self):
        """Return the seconds that the run still takes, or None.

        A page of which nothing is known counts as the middle one.
        """
        each = [(self.seconds(j), j) for j in self._waiting.values()]
        known = [seconds for seconds, _ in each if seconds]
        if not known:
            return None
        middle = statistics.median(known)
        return sum((s or middle) * self._share(job) for s, job in each)

    def begins(self):
        """Return words for a page that begins: its place, the time left."""
        self._begun += 1
        place = f"page {self._begun} of {self._number}"
        return place + _about(self.left(), ", ", " left")

    def ended(self, job, seconds):
        """Take in that a page ended after so long, None where it failed."""
        self._waiting.pop(job.name, None)
        self._learn(job, seconds)

    def __str__(self):
        pages = f"{self._number} page" + "s" * (self._number > 1)
        first = any(
            self._recorded(job) and not job.last_seconds
            for job in self._waiting.values()
        )
        origin = f"; {self._origin}, corrected as pages end" * first
        return f"{pages} to run{_about(self.left(), ': ', origin)}"


def _about(seconds, before, after):
    """Return a time in words, between two others; "" where it is None."""
    if seconds is None:
        return ""
    minutes = f"{seconds / 60:.0f} min"
    words = minutes if seconds >= 100 else f"{seconds:.0f} s"
    return f"{before}about {words}{after}"


def _recorded(preset):
    """Return words for the origin, and {slug: seconds} measured and told.

    The former are of the preset, or of the nearest that there is.  Raises
    UserError where the file is none.
    """
    if not RECORDED.exists():
        return "", {}, {}
    data = _read()
    measured = {k: v for k, v in data["seconds"].items() if k != TOLD}
    told = data["seconds"].get(TOLD, {})
    if not measured:
        return f"as on {data['machine']}", {}, told
    nearest = presets.nearest(preset, {name: name for name in measured})
    origin = f"as at preset {nearest} on {data['machine']}"
    return origin, measured[nearest], told


def _read():
    data = files.json_data(RECORDED)
    try:
        for preset, seconds in data["seconds"].items():
            if preset != TOLD:
                presets.check(preset)
            if min(seconds.values()) <= 0:
                raise ValueError
        if not data["seconds"]:
            raise ValueError
        return data | {"machine": str(data["machine"])}
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise UserError(
            f"{shown(RECORDED)}: no durations in it; restore it with git, or "
            "remove it"
        ) from None


def record(jobs):
    """Keep with the book how long its pages took here; return a line.

    jobs  whose last runs count, those at the preset asked for

    Durations of another machine are dropped.  Raises UserError without any.
    """
    preset, here = jobs[0].request.preset, machine.slug()
    took = {}
    for job in jobs:
        if job.stamp.get("preset") == preset:
            kind = preset if job.stamp.get("measured", True) else TOLD
            seconds = round(job.stamp["duration_s"], 1)
            took.setdefault(kind, {})[job.chapter.slug] = seconds
    if not took:
        raise UserError(
            f"no page has run here at preset {preset}; run them first"
        )
    data = _read() if RECORDED.exists() else {}
    if data.get("machine") != here:
        data = {"machine": here, "seconds": {}}
    for kind, seconds in took.items():
        every = data["seconds"].get(kind, {}) | seconds
        data["seconds"][kind] = dict(sorted(every.items()))
    files.write(RECORDED, json.dumps(data, indent=1) + "\n")
    count = sum(map(len, took.values()))
    return f"{shown(RECORDED)}: {count} pages at preset {preset}"
