"""How chapters ended, and the lines that sum that up."""

import dataclasses

from commandline import shown
from running.display import span
from running.job import Job


@dataclasses.dataclass(frozen=True)
class Failure:
    """Where a chapter failed: cell (from 1), its first line, and why.

    The cell is 0 before the first one, None where nobody knows.
    """

    number: int | None
    line: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a chapter ended: word is "up to date", "done" or "FAILED".

    failure  a Failure, or None
    """

    job: Job
    word: str
    seconds: float
    failure: Failure | None = None


def up_to_date(job):
    """Return the Outcome of a job that has no reason to run."""
    return Outcome(job, "up to date", job.stamp["duration_s"])


def planned(jobs):
    """Yield a line for each job: up to date, or what it would do, and why.

    A page that measures says which groups, a line each.
    """
    for job in jobs:
        why = ", ".join(job.reasons)
        if not why:
            yield f"{job.name}: up to date"
            continue
        what = "measured" if job.measured else "told"
        yield f"{job.name}: would be {what}: {why}"
        for group, change in job.measured.items():
            yield f"    {group or 'all groups'}: {change}"


def table(outcomes):
    """Yield the lines that sum a run up."""
    width = max(len(outcome.job.name) for outcome in outcomes)
    for outcome in outcomes:
        name, time_ = outcome.job.name, span(outcome.seconds)
        yield f"{name:<{width}}  {outcome.word:<10}  {time_}"
        if outcome.failure:
            for line in _details(outcome.job, outcome.failure):
                yield f"{'':{width}}  {line}"


def _details(job, failure):
    """Yield where a chapter failed, why, and what is kept of it."""
    if failure.number:
        number = f"{failure.number}/{len(job.chapter.cells)}"
        yield f"cell {number}: {failure.line}"
    elif failure.number == 0:
        yield "before its first cell"
    yield failure.reason
    if job.partial.exists():
        yield f"partial notebook: {shown(job.partial)}"
    if job.log.exists() and job.log.stat().st_size:
        yield f"what its kernel printed: {shown(job.log)}"
