"""In which order chapters run: alone, or together where no time counts."""

import concurrent.futures
import contextlib
import dataclasses
import time

from commandline import Interrupted, shown
from onthefly.measure import clock, libraries
from running import broken
from running.forecast import Forecast
from running.summary import Outcome

LOOK = 0.1  # seconds between two looks whether all that was ended has ended


def lenders_first(jobs):
    """Return jobs in their order, but none before those that it draws from.

    It would be told without what they are about to measure.
    """
    waiting, ordered = list(jobs), []

    def add(job):
        waiting.remove(job)
        lenders = job.chapter.lenders
        for lender in [one for one in waiting if one.chapter.slug in lenders]:
            if lender in waiting:  # none has added it meanwhile
                add(lender)
        ordered.append(job)

    while waiting:
        add(waiting[0])
    return ordered


class Order:
    """The chapters of a run on this machine.

    jobs     all of them
    todo     those that are to run
    display  as `display.make_display` returns it
    count    so many at once of those that measure nothing; they come last,
             when nothing that is measured runs beside them
    """

    def __init__(self, jobs, todo, display, count):
        self._todo, self._display, self._count = todo, display, count
        self._forecast = Forecast(jobs, todo, self._share)

    def _share(self, job):
        """Return 1 for a chapter that runs alone, below 1 for others."""
        return 1 if job.measures else 1 / self._count

    def run(self):
        """Run the chapters; return {a job's name: Outcome}.

        Raises Interrupted on Ctrl-C; all kernels have been ended then.
        """
        self._display.note(str(self._forecast))
        alone = lenders_first(job for job in self._todo if job.measures)
        others = [job for job in self._todo if not job.measures]
        outcomes = [self._run_alone(job) for job in alone]
        outcomes += map(self._settled, self._side_by_side(others))
        return {outcome.job.name: outcome for outcome in outcomes}

    def _start(self, job):
        expected = self._forecast.seconds(job)
        place = self._forecast.begins()
        return self._display.start(job.name, job.chapter, expected, place)

    def _run(self, job, row):
        """Run a job and return its Outcome; `row` of the display shows it."""
        from running import engine  # loads papermill, for seconds

        hidden = libraries.hidden()
        if hidden:  # what its key holds of libraries was found before
            job = dataclasses.replace(job)
        seconds, failure = engine.run(job, row)
        if failure and (lines := broken.tell(job)):
            for line in lines:
                row.note(line)
            if libraries.hidden() != hidden:
                job = dataclasses.replace(job)
                more, failure = engine.run(job, row)
                seconds += more
        word = "FAILED" if failure else "done"
        row.end(word)
        self._forecast.ended(job, None if failure else seconds)
        return Outcome(job, word, seconds, failure)

    def _settled(self, outcome):
        """Return an Outcome; of a job that measures, after another run."""
        if outcome.failure and clock.REFUSED in outcome.failure.reason:
            job = dataclasses.replace(outcome.job, unplanned=True)
            return self._run_alone(job)
        return outcome

    def _begin(self, job):
        return self._run(job, self._start(job))

    def _run_alone(self, job):
        """Run a job with nothing beside it."""
        row = self._start(job)
        try:
            return self._run(job, row)
        except KeyboardInterrupt:
            row.end("interrupted")
            raise _interrupted([job]) from None

    def _side_by_side(self, jobs):
        """Run jobs in threads, each of which waits for its own kernel."""
        from running import engine

        with concurrent.futures.ThreadPoolExecutor(self._count) as pool:
            running = {pool.submit(self._begin, job): job for job in jobs}
            try:
                return [future.result() for future in running]
            except KeyboardInterrupt:
                cut = [job for f, job in running.items() if f.running()]
                ended = False
                while not ended:  # a second Ctrl-C changes nothing
                    with contextlib.suppress(KeyboardInterrupt):
                        pool.shutdown(wait=False, cancel_futures=True)
                        # Again and again: a kernel may just be starting.
                        while not all(future.done() for future in running):
                            engine.end_all()
                            time.sleep(LOOK)
                        ended = True
                raise _interrupted(cut) from None


def _interrupted(jobs):
    """Return the Interrupted that says where, and what is kept."""
    slugs = " and ".join(job.name for job in jobs) or "no chapter"
    kept = [shown(job.partial) for job in jobs if job.partial.exists()]
    if kept:
        more = f"; its partial notebook: {' and '.join(kept)}"
    else:
        more = ", before its first cell"
    return Interrupted(f"interrupted in {slugs}{more}")
