"""What was measured of a function, and what the samples say."""

import dataclasses
import functools
import sys

from onthefly.diagnose import calls, trials
from onthefly.diagnose.numba_trial import NumbaTrial
from onthefly.diagnose.pool_trials import PoolTrial, ThreadTrial
from onthefly.diagnose.request import Request
from onthefly.errors import UserError
from onthefly.measure import models
from onthefly.measure.timings import Timings
from onthefly.tools import processes
from onthefly.tools.programs import program


@dataclasses.dataclass(frozen=True)
class Measurement:
    """The samples, and what they say: `cost` are those of a call by size."""

    request: Request
    machine: dict
    cost: Timings
    threads: ThreadTrial
    numba: NumbaTrial
    processes: PoolTrial

    @property
    def sizes(self):
        """The sizes whose call was measured."""
        return list(self.seconds)

    @functools.cached_property
    def seconds(self):
        """{size: Quantity} of one call in one thread."""
        target = self.request.target
        return {n: self.cost.seconds(target, n) for n in self.cost.sizes()}

    @functools.cached_property
    def fit(self):
        """The cost model a + b·n over all sizes; None below three."""
        if len(self.sizes) < 3:
            return None
        return models.line(self.sizes, self.seconds.values())

    @functools.cached_property
    def unseen(self):
        """{size: measured over predicted} of sizes that a fit left out."""
        if len(self.sizes) < 5:
            return {}
        return models.unseen(self.sizes, self.seconds.values())

    @property
    def pools(self):
        """{what: PoolTrial} of the workers that were tried."""
        return {"threads": self.threads, "processes": self.processes}


def measured(request):
    """Return the Measurement of a Request.

    Raises UserError where the function is none, raises, crashes or takes
    longer than the request allows.  What fails in a later trial only, as in
    threads, that trial tells.
    """
    if sys.stderr.isatty():
        print(
            f"measuring {request.target} for about {request.budget:g} s …",
            file=sys.stderr,
        )
    times, machine = _asked("cost", request)
    alone = {s.size: times.seconds(s.name, s.size).value for s in times}
    tried = {}
    for trial, kind in [
        ("threads", ThreadTrial),
        ("numba", NumbaTrial),
        ("processes", PoolTrial),
    ]:
        try:
            tried[trial] = _asked(trial, request, alone)
        except UserError as error:
            tried[trial] = kind(str(error))
    return Measurement(request, machine, times, **tried)


def _asked(trial, request, *arguments):
    """Return what a trial returns in a process of its own, or UserError."""
    folders, limit = calls.folders(request.target), request.limit
    with program(trials.__name__, folders=folders) as child:
        try:
            return child.ask(trial, request, *arguments, limit=limit)
        except processes.Failed as error:
            why = error.text.removeprefix(f"{UserError.__name__}: ")
        except processes.Late:
            why = (
                f"{request.target}: not done after {limit:g} s; "
                "repair: smaller --sizes, or a larger --limit"
            )
        except processes.Ended as error:
            why = f"{request.target}: its process ended with {error.how}"
            why += f": {error.words}" if error.words else ""
    raise UserError(" ".join(why.split()))
