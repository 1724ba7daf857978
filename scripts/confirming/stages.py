"""The stages of the measurement, run in a process of their own."""

import functools
import math

from confirming import comparison, numba_trial, pool_trials
from confirming.calls import Calls
from confirming.errors import one_line
from confirming.measurement import Measurement
from onthefly import clock, machine
from onthefly.errors import UserError
from onthefly.experiments.gil import nogil

ROUNDS = 8  # that a size must allow within its part of the budget
# Parts of the budget: the cost alone, calls as tasks of threads, the nogil
# fraction, and the results; then, in processes of their own, what Numba and
# a pool of processes make of it.
COST, THREADS, FRACTION, COMPARE = 0.2, 0.2, 0.2, 0.05
NUMBA, PROCESSES = 0.2, 0.15
PROFILED = 3  # sizes whose nogil fraction is measured, the largest included


class Work:
    """A request, and what is known of its function so far.

    Each method is a stage; the parent asks for them in this order.
    """

    def start(self, request):
        """Take the Request."""
        self.request, self.left_out = request, {}
        self.spent, self.sizes = 0.0, []
        self.counts = [k for k in request.threads if k > 1]

    def find(self):
        """Import the function, and what makes its inputs."""
        self.calls = Calls(self.request.target, self.request.maker)

    def screen(self, size):
        """Call it with a size for the first time, if the budget allows.

        Raises UserError where the function raises, or changes its inputs.
        """
        if self.sizes and self.spent > self._part(COST):
            self.left_out[size] = "not run: --budget is too small for it"
            return
        try:
            self.calls.first(size)  # compiles, loads
            taken = clock.seconds(self.calls.call, size)
        except UserError:
            raise
        except (Exception, SystemExit) as error:
            raise UserError(
                f"{self.request.target} at size {size}: {one_line(error)}; "
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

    def threads(self):
        """Measure calls one after the other and as tasks of threads."""
        self.pools = self._tried(pool_trials.threads, THREADS, self.alone)
        self.left_out |= {
            n: "not run in threads: --budget is too small for it"
            for n in self.sizes
            if n not in self.pools.sizes
        }

    def fractions(self):
        """Measure the nogil fraction at some sizes."""
        threads, budget = self.request.threads, self._part(FRACTION)
        once = 9 * sum(threads)  # six rounds, and what goes before
        sizes, most = self.pools.sizes, budget / PROFILED
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
        """Compare the results of one thread and of many.

        Returns the Measurement, without the trials of Numba and processes.
        """
        compared = comparison.compare(
            self.calls,
            self.alone,
            max(self.request.threads),
            self._part(COMPARE),
        )
        names = nogil.FREE, nogil.HELD
        references = {name: self.reports.pop(name) for name in names}
        return Measurement(
            request=self.request,
            machine=machine.record(),
            cost=self.times,
            threads=self.pools,
            reports={int(n): report for n, report in self.reports.items()},
            references=references,
            comparison=compared,
            left_out=self.left_out,
        )

    # In a process of its own each, as these may end it:

    def numba(self, sizes):
        """Return the NumbaTrial of the function at some sizes."""
        budget, seed = self._part(NUMBA), self.request.seed
        return numba_trial.measure(self.calls, sizes, budget, seed)

    def processes(self, alone):
        """Return the PoolTrial of processes.

        alone  {size: seconds of a call}
        """
        return self._tried(pool_trials.processes, PROCESSES, alone)

    def _tried(self, trial, share, alone):
        budget, seed = self._part(share), self.request.seed
        return trial(self.calls, alone, self.counts, budget, seed)

    def _part(self, share):
        return share * self.request.budget


work = Work()


def stage(name, *arguments):
    """Return what a stage of the work returns, and why it was refused."""
    try:
        return getattr(work, name)(*arguments), ""
    except UserError as error:
        return None, str(error)
    except (Exception, SystemExit) as error:
        notes = "".join(f" ({n})" for n in getattr(error, "__notes__", ()))
        return None, f"{work.request.target}: {one_line(error)}{notes}"
