"""The stages of the measurement, run in a process of their own."""

import collections
import functools
import math
import types
from concurrent.futures import ThreadPoolExecutor

from confirming import compiled, pooled, sameness, traits
from confirming.found import NOTHING, ONE, Found, pool_name
from confirming.function import plain, said
from confirming.inputs import Calls
from onthefly import clock, machine
from onthefly.experiments.gil import nogil
from onthefly.refused import Refused

ROUNDS = 8  # that a size must allow within its part of the budget
# Parts of the budget: the cost alone, calls as tasks of threads, the nogil
# fraction, and the results; then, in processes of their own, what Numba and
# a pool of processes make of it.
COST, TASKS, FRACTION, COMPARE = 0.2, 0.2, 0.2, 0.05
COMPILED, POOLED = 0.2, 0.15
PROFILED = 3  # sizes whose nogil fraction is measured, the largest included


class Work:
    """A request, and what is known of its function so far.

    Each method is a stage; the parent asks for them in this order.
    """

    def start(self, request):
        """Take the Request."""
        self.request, self.left_out = request, {}
        self.spent, self.sizes = 0.0, []

    def find(self):
        """Import the function, and what makes its inputs."""
        self.calls = Calls(self.request.target, self.request.maker)

    def screen(self, size):
        """Call it with a size for the first time, if the budget allows.

        Raises Refused where the function raises, or changes its inputs.
        """
        if self.sizes and self.spent > self._part(COST):
            self.left_out[size] = "not run: --budget is too small for it"
            return
        try:
            self.calls.first(size)  # compiles, loads
            taken = clock.seconds(self.calls.call, size)
        except Refused:
            raise
        except (Exception, SystemExit) as error:
            raise Refused(
                f"{self.request.target} at size {size}: {said(error)}; "
                "repair: the function, or give --sizes that it takes"
            ) from None
        self.spent += ROUNDS * taken
        self.sizes.append(size)

    def cost(self):
        """Measure one call by its size, in one thread."""
        self.times = clock.measure(
            {"call": self.calls.call},
            sizes=self.sizes,
            budget=self._part(COST),
            seed=self.request.seed,
        )
        self.alone = {
            n: self.times.seconds("call", n).value for n in self.sizes
        }

    def tasks(self):
        """Measure calls one after the other and as tasks of pools."""
        counts = [n for n in self.request.threads if n > 1]
        even = math.lcm(*counts)
        even = even if even <= 4 * max(counts) else 2 * max(counts)
        self.share = self._planned(len(counts), even)
        self.empty = even * max(1, 200 // even)
        # One thread of a pool, too: the main thread's core may be another.
        pools = {n: ThreadPoolExecutor(n) for n in (1, *counts)}
        shared = {
            pool_name(n): functools.partial(self._as_tasks, pools[n])
            for n in counts
        }
        ways = {ONE: functools.partial(self._in_turn, pools[1]), **shared}
        sizes = {name: list(self.share) for name in ways} | {NOTHING: [0]}
        try:
            self.shared = clock.measure(
                ways | {NOTHING: shared[pool_name(counts[0])]},
                sizes=sizes,
                budget=self._part(TASKS),
                seed=self.request.seed,
                min_sample=0,
            )
        finally:
            for pool in pools.values():
                pool.shutdown()

    def profiles(self):
        """Measure the nogil fraction at some sizes."""
        threads, budget = self.request.threads, self._part(FRACTION)
        once = 9 * sum(threads)  # six rounds, and what goes before
        sizes = self.shared.sizes(ONE)
        most = budget / PROFILED
        fit = [n for n in sizes if self.alone[n] * once <= most]
        fit = fit or [min(sizes, key=self.alone.get)]
        step = max(1, math.ceil(len(fit) / PROFILED))
        self.reports = nogil.profile(
            {
                str(n): functools.partial(self.calls.call, n)
                for n in sorted(fit[::-1][::step])
            },
            threads,
            budget=budget,
            seed=self.request.seed,
        )

    def compare(self):
        """Compare the results of one thread and of many; return the Found."""
        comparison = sameness.compare(
            self.calls,
            self.alone,
            max(self.request.threads),
            self._part(COMPARE),
        )
        names = nogil.FREE, nogil.HELD
        references = {name: self.reports.pop(name) for name in names}
        return Found(
            request=self.request,
            machine=machine.record(),
            cost=self.times,
            tasks=self.shared,
            share=self.share,
            reports={int(n): report for n, report in self.reports.items()},
            references=references,
            comparison=comparison,
            left_out=self.left_out,
            empty=self.empty,
            elements={n: self.calls.elements(n) for n in self.sizes},
            form=self.calls.form,
            signs=self._signs(),
        )

    # In a process of its own each, as these may end it:

    def compiled(self, sizes):
        """Return the Compiled of the function at some sizes."""
        return compiled.tried(
            self.calls, sizes, self._part(COMPILED), self.request.seed
        )

    def pooled(self, alone):
        """Return the Pooled of the function's calls.

        alone  {size: seconds of a call}
        """
        counts = [n for n in self.request.threads if n > 1]
        budget = self._part(POOLED)
        return pooled.tried(
            self.calls, alone, counts, budget, self.request.seed
        )

    def _signs(self):
        """Return what the source of a Python function shows, or None."""
        function = plain(self.calls.function)
        if not isinstance(function, types.FunctionType):
            return None
        own = [function, *compiled.helpers(function)]
        return traits.read(own, self.calls.inputs(min(self.sizes)))

    def _part(self, share):
        return share * self.request.budget

    def _planned(self, ways, even):
        """Return {size: calls in a sample of tasks} within the budget.

        ways  pools; `even` divides the calls among each one's threads
        """
        share, planned = {}, 0.0
        for size, seconds in self.alone.items():
            enough = math.ceil(0.005 / max(seconds, 1e-7) / even)
            share[size] = even * min(max(enough, 1), max(1, 500 // even))
            planned += ROUNDS * (ways + 1) * share[size] * (seconds + 3e-5)
            if planned > self._part(TASKS) and len(share) > 1:
                del share[size]
                self.left_out.setdefault(
                    size, "not run in threads: --budget is too small for it"
                )
                planned = math.inf  # nor any larger one
        return share

    def _in_turn(self, pool, size):
        """Call one after the other, all of them one task."""
        pool.submit(self._every, size).result()

    def _every(self, size):
        for _ in range(self.share[size]):
            self.calls.call(size)

    def _as_tasks(self, pool, size):
        """Call as tasks of a pool; size 0 stands for tasks without work."""
        call = functools.partial(self.calls.call, size) if size else _nothing
        jobs = range(self.share[size] if size else self.empty)
        collections.deque(pool.map(lambda _: call(), jobs), maxlen=0)


def _nothing():
    """Do what a task without work does."""


work = Work()


def stage(name, *arguments):
    """Return what a stage of the work returns, and why it was refused."""
    try:
        return getattr(work, name)(*arguments), ""
    except Refused as error:
        return None, str(error)
    except (Exception, SystemExit) as error:
        notes = "".join(f" ({n})" for n in getattr(error, "__notes__", ()))
        return None, f"{work.request.target}: {said(error)}{notes}"
