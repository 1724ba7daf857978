"""What was found of a function, and what the samples say."""

import dataclasses
import functools
import math

from confirming.compiled import Compiled
from confirming.likeness import Likeness
from confirming.pooled import NOTHING, ONE, Pooled
from confirming.request import Request
from confirming.sameness import Comparison
from onthefly import models
from onthefly.experiments.gil import nogil
from onthefly.timings import Timings

PAYS = 1.1  # speed-up above which threads pay: less is not worth the trouble
NOT_JUDGED = Likeness("", "not judged")
NOT_COMPILED, NOT_POOLED = Compiled("not tried"), Pooled("not tried")
STRAIGHT = 0.25  # worst residual above which a line is no model


@dataclasses.dataclass(frozen=True)
class Found:
    """The samples, and what they say.

    cost        Timings of one call, by size
    tasks       Timings of many calls: one after the other in one thread,
                and as tasks of a pool; `nothing` is a task without work
    share       {size: calls in one sample of `tasks`}
    reports     {size: nogil.Report}; `references` those of the machine
    comparison  the Comparison
    left_out    {size: what was not measured there, and why}
    elements    {size: elements of its largest input}
    form        of the inputs: "arrays", "lists", or "" for none
    signs       what its source shows (see traits); None: there is none
    compiled    what numba.njit makes of it, once that was tried; `pooled`
                what processes do
    like        which of the eight problems it behaves like; `chosen` what
                the book would choose for that one, in words
    """

    request: Request
    machine: dict
    cost: Timings
    tasks: Timings
    share: dict[int, int]
    reports: dict[int, nogil.Report]
    references: dict[str, nogil.Report]
    comparison: Comparison
    left_out: dict[int, str]
    empty: int
    elements: dict[int, int]
    form: str
    signs: frozenset[str] | None
    compiled: Compiled = NOT_COMPILED
    pooled: Pooled = NOT_POOLED
    like: Likeness = NOT_JUDGED
    chosen: str = ""

    @functools.cached_property
    def sizes(self):
        """The sizes whose call was measured."""
        return self.cost.sizes()

    @functools.cached_property
    def counts(self):
        """The thread counts above one."""
        return [n for n in self.request.threads if n > 1]

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
    def checked(self):
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

    @functools.cached_property
    def speeds(self):
        """{threads: {size: Quantity}}: calls as tasks against one thread."""
        return {
            n: {
                size: self.tasks.ratio(ONE, pool_name(n), size)
                for size in self.tasks.sizes(ONE)
            }
            for n in self.counts
        }

    @functools.cached_property
    def handing(self):
        """Seconds that one task costs the smallest pool."""
        return self.tasks.seconds(NOTHING, 0) / self.empty

    @functools.cached_property
    def best(self):
        """{size: (threads, Quantity)}, the count with most speed-up."""
        return _best(self.speeds)

    @property
    def held(self):
        """Whether threads took turns, so that no gain can be theirs."""
        return self.main.verdict in (nogil.HOLDS, nogil.SLOW)

    @functools.cached_property
    def pays_from(self):
        """The size from which threads pay, or None."""
        return None if self.held else _pays_from(self.speeds)

    @functools.cached_property
    def apart(self):
        """{processes: {size: Quantity}}: as tasks of processes."""
        return self.pooled.speeds(self.counts)

    @functools.cached_property
    def best_apart(self):
        """{size: (processes, Quantity)}, the count with most speed-up."""
        return _best(self.apart)

    @functools.cached_property
    def processes_pay_from(self):
        """The size from which processes pay, or None."""
        return _pays_from(self.apart)

    @property
    def main(self):
        """The nogil.Report of the largest size that has one."""
        return self.reports[max(self.reports)]


def pool_name(threads):
    """Return the name of a pool of so many threads in the Timings."""
    return f"{threads} threads"


def _best(speeds):
    """Return {size: (workers, Quantity)} of {workers: {size: Quantity}}."""
    sizes = next(iter(speeds.values()), {})
    return {
        size: max(
            ((n, by_size[size]) for n, by_size in speeds.items()),
            key=lambda pair: pair[1].value,
        )
        for size in sizes
    }


def _pays_from(speeds):
    """Return the size from which workers pay, or None.

    The smallest whose interval lies above PAYS, where at all larger ones the
    speed-up does, if not its whole interval.
    """
    found = None
    for size, (_, most) in reversed(_best(speeds).items()):
        if most.value <= PAYS:
            break
        if any(by_size[size].low > PAYS for by_size in speeds.values()):
            found = size
    return found
