"""What is refused before anything runs."""

import contextlib
import fcntl

from commandline import shown
from onthefly import claims, machine, results
from onthefly.refused import Broken, Refused


def check_files(jobs):
    """Raise Refused for a file that the chapters would stumble over.

    That is the ledger, and results which they add to or draw.
    """
    claims.load(jobs[0].sources.ledger)
    drawn = set()
    for job in jobs:
        if job.results.exists():
            with contextlib.suppress(Broken):  # the run makes them anew
                results.load(job.results)
        for slug in job.drawn:
            drawn.update(job.sources.held(slug))
    for path, example in sorted(drawn):
        results.load(path, example=example)


def check_machine(jobs):
    """Refuse to measure beside what another machine of this name measured.

    The files that the jobs make anew do not count.
    """
    folder = jobs[0].results.parent
    stay = set(folder.glob("*.json")) - {job.results for job in jobs}
    for path in results.strangers(sorted(stay), machine.identity())[:1]:
        raise Refused(
            f"{shown(path)}: another machine of this name measured it; "
            f"repair: set ONTHEFLY_MACHINE={machine.unique_slug()} to keep "
            f"the two apart, or move {shown(folder)} away"
        )


@contextlib.contextmanager
def alone(build):
    """Refuse a second run into the same folder: each would spoil the other.

    The system drops the lock with the process, however that ends.
    """
    build.mkdir(parents=True, exist_ok=True)
    with open(build / ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                f"{shown(build)}: another run works there; wait for its end, "
                "or name another folder with --build"
            ) from None
        yield
