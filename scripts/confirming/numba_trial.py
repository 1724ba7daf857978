"""The function, compiled by numba.njit as it is."""

import dataclasses
import functools
import types

from confirming import errors
from confirming.comparison import CLOSE, SAME, difference, incomparable
from onthefly import clock
from onthefly.errors import UserError
from onthefly.findings import listed
from onthefly.quantity import Quantity
from onthefly.timings import Timings

PLAIN, NJIT = "plain", "numba.njit"
ROUNDS = 10  # that a size must allow within the budget, and to begin with
SAMPLE = 0.005  # seconds of one sample, at least


@dataclasses.dataclass(frozen=True)
class NumbaTrial:
    """What numba.njit makes of the function.

    error    why it was not measured, in one line, or ""
    helpers  names of the functions that it calls and that were compiled, too
    lists    whether it is called with lists
    first    seconds of the first call, which compiles
    times    Timings of PLAIN and NJIT by size, in the same rounds
    unlike   why its results cannot be compared, or ""
    results  {size: SAME, CLOSE, or how the results differ}
    """

    error: str = ""
    helpers: tuple[str, ...] = ()
    lists: bool = False
    first: float = 0.0
    times: Timings = dataclasses.field(default_factory=Timings)
    unlike: str = ""
    results: dict[int, str] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def gains(self):
        """{size: Quantity}: how many times as fast as the plain one."""
        sizes = self.times.sizes()
        return {n: self.times.ratio(PLAIN, NJIT, n) for n in sizes}

    @property
    def first_call(self):
        """Seconds of the first call, a single look."""
        return Quantity.exact(self.first, "s")

    @property
    def differs(self):
        """The first size at which the results are others, or None."""
        alike = SAME, CLOSE
        return next(
            (n for n, r in self.results.items() if r not in alike), None
        )


def measure(calls, alone, budget, seed):
    """Return the NumbaTrial of a function.

    calls   its Calls
    alone   {size: seconds of a call}, ascending
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
    size = min(alone)
    lists = any(isinstance(v, list) for v in calls.inputs(size))
    fast, first, helped = _compiled(calls, size, lists)
    sizes = _affordable(alone, budget)
    unlike = incomparable([function(*calls.fresh(size)) for _ in range(2)])
    results = {n: _result(calls, fast, n) for n in sizes}
    times = clock.measure(
        {PLAIN: calls.call, NJIT: lambda n: fast(*calls.inputs(n))},
        sizes=sizes,
        budget=budget,
        seed=seed,
        min_sample=SAMPLE,
    )
    return NumbaTrial(
        "", helped, lists, first, times, unlike, {} if unlike else results
    )


def _affordable(alone, budget):
    """Return the sizes that the budget allows, the least in any case."""
    sizes = []
    for n, seconds in alone.items():
        budget -= ROUNDS * 2 * max(seconds, SAMPLE)
        if sizes and budget < 0:
            break
        sizes.append(n)
    return sizes


def _compiled(calls, size, lists):
    """Return the compiled function, its first call's seconds and helpers.

    The functions that it calls are compiled, too, if it needs them.
    """
    function = calls.function
    helpers = _helpers(function)
    for included in [(), helpers] if helpers else [()]:
        fast, names = (
            _njit(function, included),
            [f.__name__ for f in included],
        )
        inputs = calls.fresh(size)
        try:
            return fast, clock.seconds(fast, *inputs), tuple(names)
        except (Exception, SystemExit) as error:
            if fast.signatures:  # it was compiled, and called
                raise _raises(error, size) from None
            refused = errors.of_numba(error, function)
    if helpers:  # the deeper complaint is the one to mend
        refused += f" (compiled with {listed(names)}, too)"
    if lists:
        refused += "; try arrays in place of lists"
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


def _result(calls, fast, size):
    """Return SAME, CLOSE, or how the compiled one's result differs."""
    inputs = calls.fresh(size)
    expected = calls.function(*calls.fresh(size))
    try:
        return difference(fast(*inputs), expected)
    except (Exception, SystemExit) as error:
        raise _raises(error, size) from None
