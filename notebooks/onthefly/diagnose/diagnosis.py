"""A function, measured: each step in a process of its own that may fail."""

import contextlib
import time

from onthefly.diagnose import trials
from onthefly.diagnose.pool_trials import PoolTrial, ThreadTrial
from onthefly.diagnose.report import Report, Tried
from onthefly.errors import UserError
from onthefly.measure.quantity import Quantity
from onthefly.measure.timings import Timings
from onthefly.tools import processes
from onthefly.tools.programs import program

# Parts of the budget; the first calls take theirs as they come.
METHODS, THREADS, PROCESSES = 0.55, 0.2, 0.15
POOL_LIMIT_S = 15.0  # of a pool's measurement, at least
POOL_CALLS = 40  # calls that a pool's measurement takes at least


class Diagnosis:
    """What a Request takes: its steps, and the Report that they fill.

    request  a Request
    tell     function of a text, called as each step begins
    """

    def __init__(self, request, tell=lambda text: None):
        self.request, self._tell = request, tell
        self._programs = contextlib.ExitStack()
        self._child = None
        self.report = None

    def run(self):
        """Return the Report.

        Raises UserError where the function is none, raises, crashes or
        takes longer than the request allows.  Interrupted, it keeps what it
        has in `report` and raises KeyboardInterrupt.
        """
        with self._programs:
            began = time.monotonic()
            self._begin()
            self._prepare()
            self._measure()
            if len(self.request.targets) == 1:
                self._pools()
            else:
                self._memory()
            self.report.took = time.monotonic() - began
        return self.report

    def _begin(self):
        self._tell(f"calling {self.request.targets[0].name}")
        found = self._start()
        tried = {name: Tried(name, how) for name, how in found.methods}
        self.report = Report(self.request, found, tried)

    def _start(self):
        """Start a process that has called the functions; return its Found."""
        self._child = self._programs.enter_context(
            program(trials.__name__, folders=self.request.folders)
        )
        return self._ask("begin", self.request)

    def _prepare(self):
        for name, tried in self.report.tried.items():
            self._tell(f"trying {name}")
            try:
                tried.prepared = self._ask("prepare", name)
            except UserError as error:
                if tried is self.report.baseline:
                    raise
                tried.prepared = trials.Prepared(error=str(error))
                self._start()  # that process has ended

    def _measure(self):
        sizes = list(self.report.sizes)
        until = time.monotonic() + METHODS * self.request.budget
        parts = []
        for k, size in enumerate(sizes):
            names = self.report.usable(size)
            self._tell(f"measuring {len(names)} methods at n = {size:,}")
            share = max(until - time.monotonic(), 0.1) / (len(sizes) - k)
            parts.append(self._ask("measure", names, size, share))
            self.report.times = Timings.of(trials.joined(parts))
        self.report.is_complete = True

    def _pools(self):
        budget = self.request.budget
        for what, kind, share in (
            ("threads", ThreadTrial, THREADS),
            ("processes", PoolTrial, PROCESSES),
        ):
            self._tell(f"trying many calls in {what}")
            call = min(self.report.found.seconds.values())
            if POOL_CALLS * call > share * budget:
                name = Quantity.exact(call, "s").about
                trial = kind(f"a call takes {name}, too long for the budget")
                self.report.pools[what] = trial
                continue
            try:
                limit = max(POOL_LIMIT_S, 4 * share * budget)
                trial = self._ask(what, share * budget, limit=limit)
            except UserError as error:
                trial = kind(str(error))
                self._restart()
            self.report.pools[what] = trial

    def _restart(self):
        with contextlib.suppress(UserError):
            self._start()

    def _memory(self):
        largest = max(self.report.sizes)
        for name in self.report.usable(largest):
            with contextlib.suppress(UserError):
                self.report.memory[name] = self._ask("memory", name, largest)

    def _ask(self, step, *arguments, limit=None):
        """Return what a step returns; raise UserError where it fails."""
        limit = min(limit or self.request.limit, self.request.limit)
        name = self.request.targets[0].name
        try:
            return self._child.ask(step, *arguments, limit=limit)
        except processes.Failed as error:
            why = error.text.removeprefix(f"{UserError.__name__}: ")
        except processes.Late:
            why = (
                f"{name}: not done after {limit:g} s; "
                "repair: smaller --sizes, or a larger --limit"
            )
        except processes.Ended as error:
            why = f"{name}: its process ended with {error.how}"
            why += f": {error.words}" if error.words else ""
        raise UserError(" ".join(why.split()))


def diagnose(request, tell=lambda text: None):
    """Return the Report of a Request; raises UserError."""
    return Diagnosis(request, tell).run()


def confirm(
    function,
    *others,
    sizes=None,
    arg=None,
    threads=None,
    budget=None,
    limit=None,
    seed=0,
    tell=lambda text: None,
):
    """Report what would make a function faster, here.

    function  to ask about: a function, or "package.module:function"
    others    more of the user's own, compared with it in turns
    sizes     "1e2:1e6", or a list of whole numbers
    arg       function of the size that makes the arguments: a tuple of
              them, or the one argument; by default it is the size itself
    threads   "1:8", or a list; by default up to the usable cores
    budget    seconds for the samples (24)
    limit     seconds that one step may take (four budgets)
    seed      of the order of the samples
    tell      function of a text, called as each step begins

    Returns a Report.  Raises UserError, with the repair, for what cannot be
    measured.
    """
    from onthefly.diagnose import request as asked
    from onthefly.diagnose.target import Target
    from onthefly.terminal.sizes import sizes_of

    def target(value):
        named = isinstance(value, str)
        return Target.named(value) if named else Target.of(value)

    given = asked.SIZES if sizes is None else sizes
    counts = threads if isinstance(threads, (str, type(None))) else ",".join(
        map(str, threads)
    )  # fmt: skip
    request = asked.Request.of(
        [target(f) for f in (function, *others)],
        sizes_of(given if isinstance(given, str) else _text(given)),
        asked.threads_of(counts),
        asked.BUDGET_S if budget is None else budget,
        limit,
        None if arg is None else target(arg),
        seed,
    )
    return diagnose(request, tell)


def _text(sizes):
    return ",".join(str(n) for n in sizes)
