"""In which order chapters run: alone, or together where no time counts."""

import concurrent.futures
import time

from commandline import Interrupted, shown
from running.summary import Outcome

LOOK = 0.1  # seconds between two looks whether all that was ended has ended


def run(jobs, display, count):
    """Run the jobs; return {a job's name: Outcome}.

    count  so many at once of those that time nothing; they come last, when
           nothing that is timed runs beside them.  Of XS the numbers say
           little, so that all its chapters run side by side

    Raises Interrupted on Ctrl-C; all kernels have been ended then.
    """
    alone = [job for job in jobs if count == 1 or _counts(job)]
    others = [job for job in jobs if job not in alone]
    outcomes = [_alone(job, display) for job in alone]
    outcomes += _side_by_side(others, display, count)
    return {outcome.job.name: outcome for outcome in outcomes}


def _counts(job):
    """Tell whether a chapter's times are worth the machine for itself."""
    return job.chapter.times and job.request.preset != "XS"


def _one(job, row):
    """Run a job and return its Outcome; `row` of the display shows it."""
    from running import engine  # loads papermill, for seconds

    seconds, failure = engine.run(job, row)
    word = "FAILED" if failure else "done"
    row.end(word)
    return Outcome(job, word, seconds, failure)


def _alone(job, display):
    """Run a job with nothing beside it."""
    row = display.start(job.name, job.chapter, job.expected)
    try:
        return _one(job, row)
    except KeyboardInterrupt:
        row.end("interrupted")
        raise _interrupted([job]) from None


def _side_by_side(jobs, display, count):
    """Run jobs in threads, each of which waits for a kernel of its own."""
    from running import engine

    def start(job):
        return _one(job, display.start(job.name, job.chapter, job.expected))

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        running = {pool.submit(start, job): job for job in jobs}
        try:
            return [future.result() for future in running]
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            cut = [job for future, job in running.items() if future.running()]
            # Again and again: a kernel may just be starting.
            while not all(future.done() for future in running):
                engine.end_all()
                time.sleep(LOOK)
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
