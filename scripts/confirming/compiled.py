"""The function, compiled by numba.njit as it is."""

import dataclasses
import functools
import types

from confirming.function import plain, said
from confirming.numba_error import in_one_line
from confirming.sameness import likeness, same
from onthefly import clock
from onthefly.quantity import Quantity
from onthefly.timings import Timings

PLAIN, NJIT = "plain", "numba.njit"
ARRAYS = "numba.njit, arrays"  # in the place of the lists that were made
ROUNDS = 10  # that a size must allow within the budget, and to begin with
SAMPLE = 0.005  # seconds of one sample, at least


@dataclasses.dataclass(frozen=True)
class Compiled:
    """What numba.njit makes of the function.

    error    why it was not measured, in one line, or ""
    already  the function was compiled: it was measured against its plain one
    refused  what Numba says of it alone, where it takes its helpers, too
    helpers  names of the functions that it calls and that were compiled, too
    first    seconds of the first call, which compiles
    times    Timings of PLAIN, NJIT and, where lists were made, of ARRAYS, by
             size, in the same rounds
    results  {size: "same", "close", "random", "opaque", "none" or what it
             says of results that differ}
    """

    error: str = ""
    already: bool = False
    refused: str = ""
    helpers: tuple[str, ...] = ()
    first: float = 0.0
    times: Timings | None = None
    results: dict[int, str] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def gains(self):
        """{size: Quantity}: how many times as fast as the plain one."""
        if self.times is None:
            return {}
        return {
            n: self.times.ratio(PLAIN, NJIT, n)
            for n in self.times.sizes(PLAIN)
        }

    @functools.cached_property
    def with_arrays(self):
        """{size: Quantity}: the same, given arrays in place of lists."""
        if self.times is None or ARRAYS not in self.times.names:
            return {}
        return {
            n: self.times.ratio(PLAIN, ARRAYS, n)
            for n in self.times.sizes(ARRAYS)
        }

    @property
    def first_call(self):
        """Seconds of the first call, a single look."""
        return Quantity.exact(self.first, "s")

    @functools.cached_property
    def differs(self):
        """The first size at which the results are others, or None."""
        known = "same", "close", "random", "opaque", "none"
        return next((n for n in self.results if self.results[n] not in known),
                    None)  # fmt: skip


class _Raises(Exception):
    """The compiled function raises, where the plain one does not."""

    def __init__(self, error, size):
        super().__init__(
            f"compiled, it raises {said(error)} at size {size}, and as it is "
            "it does not"
        )


def tried(calls, sizes, budget, seed):
    """Return the Compiled of a function.

    calls   its Calls
    sizes   ascending, that the function takes
    budget  seconds for the samples

    What the compiled one raises is told there; what the function itself
    raises, or what makes its inputs, is raised.
    """
    function = plain(calls.function)
    if not isinstance(function, types.FunctionType):
        kind = type(function).__name__
        return Compiled(
            f"a {kind} is no function that Python runs: Numba compiles those"
        )
    try:
        import numba  # noqa: F401
    except ImportError as error:
        return Compiled(f"Numba is missing: {said(error)}")
    already = function is not calls.function
    begun = _begun(function, calls, sizes[0], already)
    if isinstance(begun, Compiled):
        return begun
    fast, first, refused, helpers = begun
    try:
        return Compiled(
            already=already,
            refused=refused,
            helpers=helpers,
            first=first,
            **_measured(function, fast, calls, sizes, budget, seed),
        )
    except _Raises as error:
        return Compiled(str(error))


def _begun(function, calls, size, already):
    """Return (compiled, seconds of its first call, refused, helpers).

    A Compiled in their place says why there is none.
    """
    ways = [((), calls.function if already else _njit([function]))]
    known = () if already else tuple(helpers(function))
    if known:
        ways.append((known, _njit([function, *known])))
    refused = ""
    for some, fast in ways:
        inputs = calls.fresh(size)
        try:
            first = clock.seconds(fast, *inputs)
        except (Exception, SystemExit) as error:
            if fast.signatures:
                return Compiled(str(_Raises(error, size)))
            told = in_one_line(error, function)
            # The deeper complaint is the one to mend; both may be the same.
            refused = refused if told == refused else told
            continue
        return fast, first, refused, tuple(f.__name__ for f in some)
    return Compiled(refused, helpers=tuple(f.__name__ for f in known))


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
    found = types.FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    found.__kwdefaults__ = function.__kwdefaults__
    return found


def helpers(function):
    """Return the plain functions that a function names, and those name.

    They are globals of its module; what it finds another way, Numba tells.
    """
    found, left = {}, [function]
    while left:
        for value in _named(left.pop()):
            if value is not function and value not in found:
                found[value] = None
                left.append(value)
    return list(found)


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
    """Return the times and the results, as arguments of Compiled."""
    spent, results, arrays = 0.0, {}, {}
    for size in sizes:
        if results and spent > budget:
            break
        inputs = calls.fresh(size)
        taken = clock.seconds(function, *inputs)
        spent += ROUNDS * 2 * max(taken, SAMPLE)
        results[size] = _alike(function, fast, calls, size)
        arrays[size] = _as_arrays(calls.inputs(size))
    ways = {
        PLAIN: lambda n: function(*calls.inputs(n)),
        NJIT: lambda n: fast(*calls.inputs(n)),
    }
    if all(arrays.values()) and _takes(function, fast, calls, arrays):
        ways[ARRAYS] = lambda n: fast(*arrays[n])
    times = clock.measure(
        ways,
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
            found = fast(*given)
        except (Exception, SystemExit):  # lists are what it is made for
            return False
        kept = same(given, _as_arrays(calls.inputs(n)))
        if not kept or likeness(found, expected) not in ("same", "close"):
            return False
    return True


def _alike(function, fast, calls, size):
    """Return what there is to say of the two results."""
    expected, again = (function(*calls.fresh(size)) for _ in range(2))
    if expected is None:
        return "none"
    repeats = likeness(again, expected)
    if repeats != "same":
        return "opaque" if repeats == "opaque" else "random"
    inputs = calls.fresh(size)
    try:
        found = fast(*inputs)
    except (Exception, SystemExit) as error:
        raise _Raises(error, size) from None
    return likeness(found, expected)
