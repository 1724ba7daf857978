"""The function, compiled by numba.njit as it is."""

import dataclasses
import functools
import types

from onthefly.diagnose import errors
from onthefly.diagnose.comparison import CLOSE, SAME, difference, incomparable
from onthefly.errors import UserError
from onthefly.figures.findings import listed
from onthefly.measure import clock
from onthefly.measure.timings import Timings

PLAIN, NJIT = "plain", "numba.njit"
SAMPLE = 0.005  # seconds of one sample, at least


@dataclasses.dataclass(frozen=True)
class NumbaTrial:
    """What numba.njit makes of the function.

    error    why it was not measured, in one line, or ""
    helpers  names of the functions that it calls and that were compiled, too
    lists    whether it is called with lists
    first    seconds of the first call, which compiles
    times    Timings of PLAIN and NJIT by size, in the same rounds
    results  how its results compare with the plain one's, in words
    differs  the first size at which they are others, or None
    """

    error: str = ""
    helpers: tuple[str, ...] = ()
    lists: bool = False
    first: float = 0.0
    times: Timings = dataclasses.field(default_factory=Timings)
    results: str = ""
    differs: int | None = None

    @functools.cached_property
    def gains(self):
        """{size: Quantity}: how many times as fast as the plain one."""
        sizes = self.times.sizes()
        return {n: self.times.ratio(PLAIN, NJIT, n) for n in sizes}


def measure(calls, sizes, budget, seed):
    """Return the NumbaTrial of a function.

    calls   its Calls
    sizes   ascending, that the function takes
    budget  seconds for the samples

    Raises UserError with the reason where it cannot be compiled, or raises
    as the plain one does not.
    """
    function = calls.function
    if not isinstance(function, types.FunctionType):
        raise UserError(
            f"a {type(function).__name__} is no function that Python runs: "
            "Numba compiles those"
        )
    lists = any(isinstance(v, list) for v in calls.inputs(sizes[0]))
    fast, first, helpers = _compiled(calls, sizes[0])
    compared = _compared(calls, fast, sizes)
    times = clock.measure(
        {
            PLAIN: lambda n: function(*calls.inputs(n)),
            NJIT: lambda n: fast(*calls.inputs(n)),
        },
        sizes=sizes,
        budget=budget,
        seed=seed,
        min_sample=SAMPLE,
    )
    times = Timings.of(times)
    return NumbaTrial("", helpers, lists, first, times, *compared)


def _compiled(calls, size):
    """Return the compiled function, its first call's seconds and helpers.

    The functions that it calls are compiled, too, if it needs them.
    """
    function = calls.function
    helpers = _helpers(function)
    for included in [(), helpers] if helpers else [()]:
        fast, inputs = _njit(function, included), calls.fresh(size)
        names = tuple(f.__name__ for f in included)
        try:
            return fast, clock.seconds(fast, *inputs), names
        except (Exception, SystemExit) as error:
            if fast.signatures:  # it was compiled, and called
                raise _raises(error, size) from None
            refused = errors.of_numba(error, function)
    if helpers:  # the deeper complaint is the one to mend
        refused += f" (compiled with {listed(names)}, too)"
    raise UserError(refused)


def _raises(error, size):
    return UserError(
        f"compiled, it raises {errors.one_line(error)} at size {size}, "
        "and as it is it does not"
    )


def _njit(function, helpers):
    """Return a function, compiled, and all that it calls.

    They are copies with globals of their own, in which each of them is the
    compiled one: as if all were decorated.  Numba takes globals as constants
    anyway, and the user's module stays as it is.
    """
    import numba

    made = {f: numba.njit(_copy(f)) for f in (function, *helpers)}
    for f, fast in made.items():
        fast.py_func.__globals__.update(
            {
                name: made[value]
                for name, value in f.__globals__.items()
                if isinstance(value, types.FunctionType) and value in made
            }
        )
    return made[function]


def _copy(function):
    copied = types.FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied


def _helpers(function):
    """Return the plain functions that a function names, and those name.

    They are globals of its module; what it finds another way, Numba tells.
    """
    every = [function]
    for known in every:
        every += [f for f in _named(known) if f not in every]
    return tuple(every[1:])


def _named(function):
    """Return the plain functions among the globals that a function names."""
    codes = [function.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    names = dict.fromkeys(name for code in codes for name in code.co_names)
    values = [function.__globals__.get(name) for name in names]
    return [v for v in values if isinstance(v, types.FunctionType)]


def _compared(calls, fast, sizes):
    """Return how the results compare, and the first size that differs."""
    twice = [calls.function(*calls.fresh(sizes[0])) for _ in range(2)]
    if why := incomparable(twice):
        return why, None
    rounded = ""
    for n in sizes:
        inputs = calls.fresh(n)
        expected = calls.function(*calls.fresh(n))
        try:
            how = difference(fast(*inputs), expected)
        except (Exception, SystemExit) as error:
            raise _raises(error, n) from None
        if how not in (SAME, CLOSE):
            return f"NOT THE SAME results from n = {n:,} on: {how}", n
        rounded = rounded or (how == CLOSE and ", apart from rounding")
    return f"the same results at every size{rounded or ''}", None
