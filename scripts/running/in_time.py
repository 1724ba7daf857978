"""The pages that measure on a GPU, one after the other, until a time."""

import dataclasses
import math
import time

from commandline import Interrupted
from onthefly.measure.libraries import LIBRARIES
from running import on_device
from running.display import make_display, span
from running.forecast import Forecast
from running.job import Job
from running.summary import Outcome, table

LEAST = 20  # seconds below which no page is begun
CLOSING = 5  # seconds to end a page's kernel, and to record


@dataclasses.dataclass(frozen=True)
class Fate:
    """What became of a page.

    words     in a line
    measured  whether its last run came to its end, and still holds
    again     whether the same run later goes on with it
    failed    whether something is wrong that a later run does not mend
    """

    job: Job
    words: str
    measured: bool = False
    again: bool = False
    failed: bool = False


class InTime:
    """A run of pages until a time.

    jobs   the pages
    seen   keys of the libraries that compute on the GPU; None where the run
           is a rehearsal without one
    begun  when it began, as time.monotonic() counts
    limit  seconds that it may take
    """

    def __init__(self, jobs, seen, begun, limit):
        self.jobs, self.rehearsed = jobs, seen is None
        self.seen = seen or frozenset()
        self._end, self._limit = begun + limit, limit
        self._begun = 0  # pages
        known = Forecast(jobs, jobs, lambda _: 1)
        self._expected = {
            job.name: on_device.seconds(job, known.seconds(job), self.seen)
            for job in jobs
        }

    def fates(self, is_recorded):
        """Run the pages that fit into the time; yield the Fate of each.

        is_recorded  function of a Job: whether this machine has recorded its
                     page; such a page comes last, a short one before others

        What is up to date is not run; it comes first.
        """
        todo = []
        for job in self.jobs:
            if on_device.is_done(job, self.seen):
                yield Fate(job, "up to date", measured=True)
            else:
                todo.append(job)
        self._todo = len(todo)
        todo.sort(key=lambda j: (is_recorded(j), self._expected[j.name]))
        for job in todo:
            yield self._impossible(job) or self._late(job) or self._run(job)

    def _impossible(self, job):
        """Return the Fate of a page that no library here can measure."""
        wanted = on_device.of_page(job).values()
        if self.rehearsed or not wanted:
            return None
        if on_device.possible(job, self.seen):
            return None
        lacks = names(frozenset().union(*wanted) - self.seen)
        return Fate(job, f"not run: no GPU for {lacks}")

    def _left(self):
        return self._end - CLOSING - time.monotonic()

    def _late(self, job):
        """Return the Fate of a page that does not fit into the time left.

        One that would not fit into all of the time is begun where it is the
        first: what it measures is kept, and a later run goes on.
        """
        left, expected = self._left(), self._expected[job.name]
        too_long = expected > self._limit - CLOSING and not self._begun
        if left >= max(LEAST, expected) or (too_long and left >= LEAST):
            return None
        needs = f"needs about {_time(max(LEAST, expected))}"
        words = f"not run: {needs}, {_time(max(0, left))} left"
        return Fate(job, words, again=True)

    def _run(self, job):
        """Run a page within the time left; return its Fate."""
        from running import engine  # loads papermill, for seconds

        limit = min(job.request.limit, math.floor(self._left()))
        asked = dataclasses.replace(job.request, limit=limit)
        job = dataclasses.replace(job, request=asked)
        self._begun += 1
        expected = self._expected[job.name]
        place = f"page {self._begun} of {self._todo}"
        with make_display() as display:
            row = display.start(job.name, job.chapter, expected, place)
            try:
                seconds, failure = engine.run(job, row)
            except KeyboardInterrupt:
                row.end("interrupted")
                raise Interrupted(
                    f"interrupted in {job.name}; what is measured is kept, "
                    "and the same command goes on"
                ) from None
            row.end("FAILED" if failure else "done")
        if failure:
            outcome = Outcome(job, "FAILED", seconds, failure)
            print(*table([outcome]), sep="\n", flush=True)
            return Fate(job, f"FAILED: {failure.reason}", again=True)
        job = dataclasses.replace(job)  # which reads its files anew
        return Fate(job, f"run in {span(seconds)}", measured=True)

    def report(self, fates):
        """Yield a line on each page, and on what it lacks, and why."""
        width = max(len(fate.job.name) for fate in fates)
        for fate in fates:
            yield f"{fate.job.name:<{width}}  {fate.words}"
            lacks = on_device.lacking(fate.job) if fate.measured else {}
            causes = {}  # {libraries that see no GPU: measurements}
            for name, asked in lacks.items():
                causes.setdefault(asked - self.seen, []).append(repr(name))
            for blind, lost in causes.items():
                why = f" (no GPU for {names(blind)})" if blind else ""
                yield f"{'':{width}}  lacks {', '.join(lost)}{why}"


def names(libraries):
    """Return the names of libraries, by their keys, in words."""
    return ", ".join(LIBRARIES[key].name for key in sorted(libraries))


def _time(seconds):
    """Return seconds in words, as "45 s" or "4.2 min"."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
