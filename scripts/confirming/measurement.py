"""What was measured of a function, and what the samples say."""

import dataclasses
import functools
import math

from confirming.comparison import Comparison
from confirming.numba_trial import NumbaTrial
from confirming.pool_trials import PoolTrial
from confirming.request import Request
from onthefly import models
from onthefly.experiments.gil import nogil
from onthefly.timings import Timings

STRAIGHT = 0.25  # worst residual above which a line is no model


@dataclasses.dataclass(frozen=True)
class Measurement:
    """The samples, and what they say.

    cost        Timings of one call, by size
    threads     the PoolTrial of threads; `processes` that of processes
    reports     {size: nogil.Report}; `references` those of the machine
    comparison  the Comparison
    left_out    {size: what was not measured there, and why}
    numba       the NumbaTrial, once that was made
    """

    request: Request
    machine: dict
    cost: Timings
    threads: PoolTrial
    reports: dict[int, nogil.Report]
    references: dict[str, nogil.Report]
    comparison: Comparison
    left_out: dict[int, str]
    numba: NumbaTrial | None = None
    processes: PoolTrial | None = None

    @functools.cached_property
    def sizes(self):
        """The sizes whose call was measured."""
        return self.cost.sizes()

    @functools.cached_property
    def seconds(self):
        """{size: Quantity} of one call in one thread."""
        return {n: self.cost.seconds("call", n) for n in self.sizes}

    @functools.cached_property
    def fit(self):
        """The cost model a + b·n over all sizes; None below three."""
        return self._line(self.sizes)

    def _line(self, sizes):
        if len(sizes) < 3:
            return None
        return models.line(sizes, [self.seconds[n].value for n in sizes])

    @functools.cached_property
    def errors(self):
        """{size: relative error} of a fit that did not see the size."""
        hidden = self.sizes[1:-1:2]
        fit = self._line([n for n in self.sizes if n not in hidden])
        if fit is None:
            return {}
        return {
            n: float(fit.predict(n)) / self.seconds[n].value - 1
            for n in hidden
        }

    @functools.cached_property
    def power(self):
        """The growth n^b of the larger sizes, where a line is no model."""
        if self.fit is None or self.fit.worst <= STRAIGHT:
            return None
        upper = self.sizes[-max(3, math.ceil(len(self.sizes) / 2)) :]
        return models.power(upper, [self.seconds[n].value for n in upper])

    @property
    def main(self):
        """The nogil.Report of the largest size that has one."""
        return self.reports[max(self.reports)]

    @property
    def held(self):
        """Whether threads took turns, so that no gain can be theirs."""
        return self.main.verdict in (nogil.HOLDS, nogil.SLOW)

    @functools.cached_property
    def threads_pay_from(self):
        """The size from which threads pay, or None."""
        return None if self.held else self.threads.pays_from
