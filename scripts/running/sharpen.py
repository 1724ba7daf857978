"""More sessions for what is not settled, the least measured first.

What is open, a conclusion or a verdict, knows the measurements that it rests
on.  These get sessions until there are LOOKS[0], and where it is open then,
until there are LOOKS[1]: no more looks than these, since each is one more
chance to settle it wrongly (tests/calibration/test_sessions.py).
"""

import dataclasses
import time

from onthefly.errors import UserError
from onthefly.measure import data
from onthefly.page import claims, expectations, results

LOOKS = (claims.ENOUGH, 8)  # sessions after which it is looked at again


@dataclasses.dataclass(frozen=True)
class Open:
    """What a page leaves open.

    name    the conclusion's label, or the claim's id
    groups  measurements that it rests on
    """

    name: str
    groups: tuple


def left_open(job, told=(claims.UNRESOLVED,)):
    """Return what a page's last run left open, a list of Open.

    told  the verdicts that count as open
    """
    try:
        run = results.load(job.results)
    except UserError:
        return []
    conclusions = [
        Open(text, tuple(one["groups"]))
        for text, one in run.expected.items()
        if one["verdict"] == expectations.OPEN
    ]
    ledger = claims.load().claims
    verdicts = [
        Open(name, tuple(groups))
        for name, groups in run.rests.items()
        if name in ledger
        and claims.judge_results(ledger[name], run).verdict in told
    ]
    return [one for one in conclusions + verdicts if one.groups]


def groups_of(job):
    """Return {name: Group} of what is kept of a page."""
    try:
        return data.load(job.data).groups
    except UserError:
        return {}


def sessions(job):
    """Return {group: its sessions} of a page."""
    return {name: len(g.sessions) for name, g in groups_of(job).items()}


def asked(jobs, told=(claims.UNRESOLVED,)):
    """Return {page: its groups that something open on any page rests on}.

    told  as in `left_open`

    What a page borrows it names "<page>/<group>".
    """
    found = {}
    for job in jobs:
        for one in left_open(job, told):
            for name in one.groups:
                lender, _, group = name.rpartition("/")
                found.setdefault(lender or job.name, set()).add(group)
    return found


def disturbed(jobs):
    """Return Jobs that measure once more what others disturbed.

    That on which something rests that is open, or is told of a record in its
    place; and what borrows of it, and is open.
    """
    found = []
    needed = asked(jobs, (claims.UNRESOLVED, claims.UNMEASURED))
    for job in jobs:
        names = [
            name
            for name, group in groups_of(job).items()
            if name in needed.get(job.name, ()) and group.samples().disturbed
        ]
        if names:
            again = dataclasses.replace(job.request, again=tuple(names))
            found.append(dataclasses.replace(job, request=again))
            found += borrowers(jobs, job)
    return found


def wanted(job, groups):
    """Return (sessions to reach, which of a page's groups), or None."""
    counts = sessions(job)
    least = min((counts.get(g, LOOKS[-1]) for g in groups), default=LOOKS[-1])
    if least >= LOOKS[-1]:
        return None
    goal = next(look for look in LOOKS if look > least)
    return goal, sorted(g for g in groups if counts.get(g, goal) < goal)


def sharpen(jobs, minutes, run, clock=time.monotonic):
    """Measure more until all is settled or the time is over; yield lines.

    jobs  of pages that are up to date
    run   function of a Job that measures groups once more; returns whether
          the page came to its end
    """
    before = {job.name: left_open(job) for job in jobs}
    count = sum(map(len, before.values()))
    yield f"{count} conclusions and verdicts are open"
    end, failed = clock() + 60 * minutes, set()
    while clock() < end:
        needed = asked(jobs)
        ready = [
            (*goal, job)
            for job in jobs
            if job.name not in failed
            and (goal := wanted(job, needed.get(job.name, ())))
        ]
        if not ready:
            break
        goal, groups, job = min(
            ready, key=lambda one: (one[0], -len(needed[one[-1].name]))
        )
        again = dataclasses.replace(job.request, again=tuple(groups))
        while clock() < end and min(map(sessions(job).get, groups)) < goal:
            if not run(dataclasses.replace(job, request=again)):
                failed.add(job.name)
                break
        for borrower in borrowers(jobs, job):
            run(borrower)
    for job in jobs:
        still = {one.name for one in left_open(job)}
        for one in before[job.name]:
            if one.name not in still:
                yield f"settled: {job.name}: {one.name}"
    after = sum(len(left_open(job)) for job in jobs)
    yield f"open: {count} before, {after} now"


def borrowers(jobs, lender):
    """Return the jobs of pages that leave open what rests on a lender's."""
    return [
        job
        for job in jobs
        if job.name != lender.name
        and any(
            name.startswith(f"{lender.name}/")
            for one in left_open(job)
            for name in one.groups
        )
    ]
