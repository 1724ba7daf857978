"""The function, compiled by numba.njit as it is."""

import dataclasses
import functools
import importlib
import types

from confirming import errors
from confirming.calls import plain
from confirming.comparison import difference, same
from onthefly import clock
from onthefly.quantity import Quantity
from onthefly.timings import Timings

PLAIN, NJIT = "plain", "numba.njit"
ARRAYS = "numba.njit, arrays"  # in the place of the lists that were made
ROUNDS = 10  # that a size must allow within the budget, and to begin with
SAMPLE = 0.005  # seconds of one sample, at least
ALIKE = ("same", "close", "random", "opaque", "none")


@dataclasses.dataclass(frozen=True)
class NumbaTrial:
    """What numba.njit makes of the function.

    error    why it was not measured, in one line, or ""
    already  the function was compiled: it was measured against its plain one
    alone    what Numba says of it without its helpers, where it needs them
    helpers  names of the functions that it calls and that were compiled, too
    lists    whether it is called with lists
    first    seconds of the first call, which compiles
    times    Timings of PLAIN, NJIT and, where lists were made, of ARRAYS, by
             size, in the same rounds
    results  {size: one of ALIKE, or how the results differ}
    """

    error: str = ""
    already: bool = False
    alone: str = ""
    helpers: tuple[str, ...] = ()
    lists: bool = False
    first: float = 0.0
    times: Timings | None = None
    results: dict[int, str] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def gains(self):
        """{size: Quantity}: how many times as fast as the plain one."""
        return self._gains(NJIT)

    @functools.cached_property
    def array_gains(self):
        """{size: Quantity}: the same, given arrays in place of lists."""
        return self._gains(ARRAYS)

    def _gains(self, name):
        if self.times is None or name not in self.times.names:
            return {}
        return {
            n: self.times.ratio(PLAIN, name, n)
            for n in self.times.sizes(name)
        }

    @property
    def first_call(self):
        """Seconds of the first call, a single look."""
        return Quantity.exact(self.first, "s")

    @property
    def differs(self):
        """The first size at which the results are others, or None."""
        return next(
            (n for n, how in self.results.items() if how not in ALIKE), None
        )


class _Raises(Exception):
    """The compiled function raises, where the plain one does not."""

    def __init__(self, error, size):
        super().__init__(
            f"compiled, it raises {errors.one_line(error)} at size {size}, "
            "and as it is it does not"
        )


class _Uncompiled(Exception):
    """Numba compiles neither the function nor it and its helpers."""


def measure(calls, sizes, budget, seed):
    """Return the NumbaTrial of a function.

    calls   its Calls
    sizes   ascending, that the function takes
    budget  seconds for the samples

    What the compiled one raises is told there; what the function itself
    raises, or what makes its inputs, is raised.
    """
    function = plain(calls.function)
    if not isinstance(function, types.FunctionType):
        kind = type(function).__name__
        return NumbaTrial(
            f"a {kind} is no function that Python runs: Numba compiles those"
        )
    try:
        importlib.import_module("numba")
    except ImportError as error:
        return NumbaTrial(f"Numba is missing: {errors.one_line(error)}")
    begun = {
        "already": function is not calls.function,
        "lists": any(isinstance(v, list) for v in calls.inputs(sizes[0])),
    }
    try:
        fast, facts = _compiled(function, calls, sizes[0], begun["already"])
        begun |= facts
        return NumbaTrial(
            **begun, **_measured(function, fast, calls, sizes, budget, seed)
        )
    except _Uncompiled as error:
        message, names = error.args
        return NumbaTrial(message, helpers=names, **begun)
    except _Raises as error:
        return NumbaTrial(str(error))


def _compiled(function, calls, size, already):
    """Return (compiled, {field of NumbaTrial: what is known of it}).

    Raises _Raises, or _Uncompiled with (what Numba says, helpers).
    """
    variants = [((), calls.function if already else _njit([function]))]
    known = () if already else tuple(helpers(function))
    if known:
        variants.append((known, _njit([function, *known])))
    refusals = []
    for included, fast in variants:
        inputs = calls.fresh(size)
        try:
            first = clock.seconds(fast, *inputs)
        except (Exception, SystemExit) as error:
            if fast.signatures:
                raise _Raises(error, size) from None
            refusals.append(errors.of_numba(error, function))
            continue
        return fast, {
            "first": first,
            "alone": "".join(refusals),
            "helpers": _names(included),
        }
    # The deeper complaint is the one to mend.
    raise _Uncompiled(refusals[-1], _names(known))


def _names(functions):
    return tuple(f.__name__ for f in functions)


def _njit(functions):
    """Return the first of some functions, compiled, and all that it calls.

    They are copies with globals of their own, in which each of them is the
    compiled one: as if all were decorated.  Numba takes globals as constants
    anyway, and the user's module stays as it is.
    """
    import numba

    made = {f: numba.njit(_copy(f)) for f in functions}
    for f, fast in made.items():
        fast.py_func.__globals__.update(
            {
                name: made[value]
                for name, value in f.__globals__.items()
                if isinstance(value, types.FunctionType) and value in made
            }
        )
    return made[functions[0]]


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


def helpers(function):
    """Return the plain functions that a function names, and those name.

    They are globals of its module; what it finds another way, Numba tells.
    """
    every, left = {}, [function]
    while left:
        for value in _named(left.pop()):
            if value is not function and value not in every:
                every[value] = None
                left.append(value)
    return list(every)


def _named(function):
    """Yield the plain functions among the globals that a function names."""
    codes = [function.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        for name in code.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, types.FunctionType):
                yield value


def _measured(function, fast, calls, sizes, budget, seed):
    """Return the times and the results, as arguments of NumbaTrial."""
    spent, results, arrays = 0.0, {}, {}
    for size in sizes:
        if results and spent > budget:
            break
        inputs = calls.fresh(size)
        taken = clock.seconds(function, *inputs)
        spent += ROUNDS * 2 * max(taken, SAMPLE)
        results[size] = _compared(function, fast, calls, size)
        arrays[size] = _as_arrays(calls.inputs(size))
    variants = {
        PLAIN: lambda n: function(*calls.inputs(n)),
        NJIT: lambda n: fast(*calls.inputs(n)),
    }
    if all(arrays.values()) and _takes(function, fast, calls, arrays):
        variants[ARRAYS] = lambda n: fast(*arrays[n])
    times = clock.measure(
        variants,
        sizes=list(results),
        budget=budget,
        seed=seed,
        min_sample=SAMPLE,
    )
    return {"times": times, "results": results}


def _as_arrays(inputs):
    """Return the inputs with arrays in place of lists.

    () where there is no list, or one that is no array: its rows differ in
    length.
    """
    import numpy as np

    if not any(isinstance(value, list) for value in inputs):
        return ()
    try:
        return tuple(
            np.array(value) if isinstance(value, list) else value
            for value in inputs
        )
    except ValueError:
        return ()


def _takes(function, fast, calls, arrays):
    """Tell whether it takes arrays, too, and gets the same of them.

    And leaves them as they were: x[:] copies a list, and no array.
    """
    for n, given in arrays.items():
        expected = function(*calls.fresh(n))
        try:
            result = fast(*given)
        except (Exception, SystemExit):  # lists are what it is made for
            return False
        kept = same(given, _as_arrays(calls.inputs(n)))
        if not kept or difference(result, expected) not in ("same", "close"):
            return False
    return True


def _compared(function, fast, calls, size):
    """Return one of ALIKE, or how the compiled one's result differs."""
    expected, again = (function(*calls.fresh(size)) for _ in range(2))
    if expected is None:
        return "none"
    repeats = difference(again, expected)
    if repeats != "same":
        return "opaque" if repeats == "opaque" else "random"
    inputs = calls.fresh(size)
    try:
        result = fast(*inputs)
    except (Exception, SystemExit) as error:
        raise _Raises(error, size) from None
    return difference(result, expected)
