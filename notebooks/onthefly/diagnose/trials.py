"""What is asked of a function, in a process of its own.

A process answers one Request after `begin`; a function that crashes, or never
ends, costs this process only.
"""

import dataclasses
import functools
import math
import os
import time

import numpy as np

from onthefly.diagnose import pool_trials
from onthefly.diagnose.errors import one_line
from onthefly.diagnose.methods import Method, Refused, methods
from onthefly.diagnose.patterns.advice import advice
from onthefly.diagnose.same import (
    CLOSE,
    RANDOM,
    SAME,
    difference,
    incomparable,
    noise_of,
)
from onthefly.diagnose.subject import Calls, with_generators_copied
from onthefly.measure import clock, machine
from onthefly.measure.samples import Samples

ROUNDS = 6  # the fewest that bound a median at 95 %
MOST_ROUNDS = 40
ROUND_CALLS = ROUNDS + 3  # of a method at a size: the first ones included
SAMPLE_S = 0.005  # of one sample, at least
SLOW, SLOW_S = 5.0, 0.05  # times the function's, seconds: not timed further
AGAIN_S = 0.5  # a call up to which another one is no great loss
STEEPEST = 3.0  # power of n that is foreseen at most
WAITS_S = 0.01  # a call that is shorter says nothing of waiting


@dataclasses.dataclass(frozen=True)
class Found:
    """What the first calls say.

    seconds  {size: seconds of a call}, of the sizes that the budget allows
    left     {size: seconds that a call may take}, of the others
    waits    share of the time in which no processor worked, 0 to 1
    methods  [(name, what to write)] to try, PLAIN first
    advice   sentences on what to change
    why      why there is nothing to compile, or ""
    machine  the machine record
    """

    seconds: dict
    left: dict
    waits: float
    methods: list
    advice: list
    why: str
    machine: dict


@dataclasses.dataclass(frozen=True)
class Prepared:
    """What the first call of a method says.

    error    why it cannot be used, in a line, or ""
    text     all that the compiler said
    first    seconds of the first call, which may compile
    helpers  names of functions that must be decorated, too
    seconds  of another call, at the smallest size
    differs  {size: how its result differs}
    rounded  whether its results differ by rounding
    unknown  why the results say nothing, or ""
    converting  {size: seconds that making its arguments takes}
    slow     the size from which it is too slow to be timed, or None
    advice   sentences on what to change, where it was refused
    """

    error: str = ""
    text: str = ""
    first: float = 0.0
    helpers: tuple = ()
    seconds: float = 0.0
    differs: dict = dataclasses.field(default_factory=dict)
    rounded: bool = False
    unknown: str = ""
    converting: dict = dataclasses.field(default_factory=dict)
    slow: int | None = None
    advice: list = dataclasses.field(default_factory=list)

    def allows(self, size):
        """Tell whether the method is to be timed at a size."""
        slow = self.slow is not None and size > self.slow
        return size not in self.differs and not slow


class Work:
    """The state of this process: what was asked, and what was found."""

    def __init__(self, request):
        self.request = request
        self.every = [Calls(t, request.maker) for t in request.targets]
        self.calls = self.every[0]
        self.seconds, self.left, self.waits = self._first_calls()
        least = min(self.seconds)
        inputs = self.calls.inputs(least)
        self.methods = {
            m.name: m
            for m in (
                methods(self.calls.subject, inputs)
                if len(self.every) == 1
                else _own(self.every)
            )
        }
        self._expected = functools.cache(self._result)
        _, self._unknown = self._expected(max(self.seconds))
        if self._expected(max(self.seconds))[0] is None:
            self._drop_routines()
        self._inputs = functools.cache(self._converted)

    def _drop_routines(self):
        """Try no library in the place of a loop that returns nothing."""
        self.methods = {
            name: method
            for name, method in self.methods.items()
            if len(self.every) > 1 or not method.is_routine
        }

    def _first_calls(self):
        """Call at each size, as far as the budget goes."""
        budget = self.request.budget / 2
        taken, left, waits = {}, {}, []
        for size in self.request.sizes:
            ahead = _ahead(taken, size)
            if taken and not left and ROUND_CALLS * ahead > budget:
                self._call_again(taken)  # one call may mislead
                ahead = _ahead(taken, size)
            if taken and (left or ROUND_CALLS * ahead > budget):
                left[size] = ahead
                continue
            taken[size], busy = self._first(size)
            if taken[size] > WAITS_S:
                waits.append(1 - busy / taken[size])
            budget -= 3 * taken[size]
        return taken, left, max(0.0, min(waits, default=0.0))

    def _call_again(self, taken):
        """Call at the largest size so far once more, if it is short."""
        size = max(taken)
        if taken[size] < AGAIN_S:
            again = clock.seconds(self.calls.call, size)
            taken[size] = min(taken[size], again)

    def _first(self, size):
        """Return (seconds, processor's) of the function at a size."""
        first, *others = [calls.first(size) for calls in self.every]
        return first if not others else max([first, *others])

    def found(self):
        """Return what the first calls say."""
        subject = self.calls.subject
        return Found(
            self.seconds,
            self.left,
            self.waits,
            [(m.name, m.how) for m in self.methods.values()],
            self.advice(),
            subject.why,
            machine.record(),
        )

    def advice(self, text=""):
        """Return sentences on what to change.

        text  of Numba's, where it refused the function
        """
        subject = self.calls.subject
        if not subject.source or subject.plain is None:
            return []
        return advice(
            subject.source,
            self.calls.inputs(min(self.seconds)),
            text,
            subject.plain.__globals__,
            subject.line,
        )

    def _result(self, size):
        """Return (the result of the function, why it is no measure)."""
        call = self.calls.subject.call
        first = call(*self.calls.fresh(size))
        if size not in (min(self.seconds), max(self.seconds)):
            return first, ""
        return first, incomparable(first, call(*self.calls.fresh(size)))

    def _converted(self, name, size):
        """Return a method's arguments at a size, made once."""
        inputs = self.calls.inputs(size)
        convert = self.methods[name].convert
        return convert(inputs) if convert else inputs

    def call(self, name):
        """Return a method as a function of the size."""
        run = self.methods[name].call
        return lambda size: run(*self._inputs(name, size))

    def prepare(self, name):
        """Call a method for the first time, and compare its results."""
        method, least = self.methods[name], min(self.seconds)
        try:
            inputs = with_generators_copied(self._inputs(name, least))
            first = clock.seconds(method.call, *inputs)
            seconds = clock.seconds(self.call(name), least)
        except Refused as error:
            return Prepared(
                str(error), error.text, advice=self.advice(error.text)
            )
        except (Exception, SystemExit) as error:
            if name == next(iter(self.methods)):
                raise
            return Prepared(f"it raises {one_line(error)} at n = {least:,}")
        compared = self._compared(name, method)
        helpers = getattr(method.call, "helpers", ())
        return dataclasses.replace(
            compared, first=first, helpers=helpers, seconds=seconds
        )

    def _compared(self, name, method):
        """Compare a method's results with the function's, size by size.

        A method that is far slower is not called at larger sizes.
        """
        differs, rounded, converting, slow = {}, False, {}, None
        for size in self.seconds:
            expected, unknown = self._expected(size)
            if unknown or self._unknown:
                return Prepared(unknown=unknown or self._unknown)
            began = time.perf_counter()
            inputs = with_generators_copied(self._inputs(name, size))
            ready = time.perf_counter()
            converting[size] = ready - began
            how = self._how(method, inputs, size, expected)
            taken = time.perf_counter() - ready
            if how not in (SAME, CLOSE):
                differs[size] = how
            rounded = rounded or how == CLOSE
            if taken > max(SLOW * self.seconds[size], SLOW_S):
                slow = size
                break
        if differs and name == next(iter(self.methods)):  # from itself
            self._unknown = RANDOM
            return Prepared(unknown=RANDOM)
        return Prepared(
            differs=differs,
            rounded=rounded,
            converting=converting if method.convert else {},
            slow=slow,
        )

    def _how(self, method, inputs, size, expected):
        """Return how a method's result at a size differs, in words."""
        try:
            result = method.call(*inputs)
        except (Exception, SystemExit) as error:
            return f"it raises {one_line(error)}"
        how = difference(result, expected)
        if how in (SAME, CLOSE):
            return how
        return difference(result, expected, self._noise(size))

    def _noise(self, size):
        """Return what rounding may change of the result at a size."""
        call = self.calls.subject.call
        try:
            return noise_of(
                call, self.calls.fresh(size), self._expected(size)[0]
            )
        except Exception:  # the function may take no other numbers
            return 0.0

    def measure(self, names, size, budget):
        """Return the Samples of some methods at a size, in turns."""
        return clock.measure(
            {name: self.call(name) for name in names},
            sizes=[size],
            budget=budget,
            least=ROUNDS if self._allows(size) else 1,
            rounds=MOST_ROUNDS,
            seed=self.request.seed,
            min_sample=SAMPLE_S,
        )

    def _allows(self, size):
        """Tell whether the budget allows enough rounds at a size."""
        return ROUNDS * self.seconds[size] < self.request.budget

    def memory(self, name, size):
        """Return the bytes by which a call raises the process's peak."""
        call = self.call(name)
        call(size)
        return _peak(lambda: call(size))


def _ahead(taken, size):
    """Return the seconds that a call may take at a larger size."""
    if not taken:
        return 0.0
    *before, (n, seconds) = taken.items()
    power = 1.0
    if before and before[-1][1] > 0:
        m, less = before[-1]
        power = math.log(seconds / less) / math.log(n / m)
    return seconds * (size / n) ** min(max(1.0, power), STEEPEST)


def _own(every):
    """Return a Method for each of several functions of the user's."""
    return [
        Method(
            calls.target.name,
            "",
            functools.partial(lambda f: f, calls.subject.given),
        )
        for calls in every
    ]


def _peak(call):
    """Return by how many bytes a call raises what the process holds."""
    if not os.path.exists("/proc/self/clear_refs"):
        return _traced(call)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far
    before = _status("VmRSS")
    result = call()
    peak = _status("VmHWM")
    del result
    return max(0, peak - before)


def _status(field):
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return 0


def _traced(call):
    import tracemalloc

    tracemalloc.start()
    try:
        result = call()
        del result
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


_work = None  # of this process, which has one


def begin(request):
    """Load the functions and call them; return what was Found.

    Raises UserError where the function is none, raises or changes its
    inputs.
    """
    global _work
    np.seterr(all="ignore")
    _work = Work(request)
    return _work.found()


def prepare(name):
    """Return what a method's first call says: Prepared."""
    return _work.prepare(name)


def measure(names, size, budget):
    """Return the series of some methods at a size: Samples."""
    return _work.measure(names, size, budget)


def joined(parts):
    """Return the Samples of several sizes as one table."""
    return Samples(
        [series for part in parts for series in part], parts[0].cores
    )


def memory(name, size):
    """Return the bytes that a method's call needs at its peak."""
    return _work.memory(name, size)


def threads(budget):
    """Return what threads make of many calls: pool_trials.ThreadTrial."""
    return _pool(pool_trials.threads, budget)


def processes(budget):
    """Return what processes make of many calls: pool_trials.PoolTrial."""
    return _pool(pool_trials.processes, budget)


def _pool(trial, budget):
    own = _work.request
    return trial(_work.calls, _work.seconds, own.threads, budget, own.seed)
