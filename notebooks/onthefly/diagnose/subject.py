"""The function that is asked about, and what it is called with."""

import contextlib
import copy
import dis
import functools
import inspect
import pickle
import random
import time
import types

import numpy as np

from onthefly.diagnose.errors import one_line
from onthefly.diagnose.same import SAME, difference
from onthefly.errors import UserError
from onthefly.measure import machine

# Each call moves these on, and may.
LOOK_UP = 3  # times as fast: a call that finds its result, against the first
_GENERATORS = random.Random, np.random.Generator, np.random.RandomState


class Subject:
    """A function, seen as what runs and as what may be compiled.

    given   as the user has it: a function, or one that is decorated
    name    of it
    source  of the function that Python runs; "" where it is not known
    plain   that function, or None: there is none, and `why` says why
    call    what is timed as the function "as it is"
    """

    def __init__(self, target):
        self.given, self.source = target.load()
        self.name, self.is_cell = target.name, target.is_cell
        self.plain, self.why = self.given, ""
        self.call = self.given
        self._first, self._named = (), {}
        self._unwrap()

    def _unwrap(self):
        given = self.given
        _refuse_what_computes_nothing(self.name, given)
        if self.is_compiled:
            self.plain = self.call = given.py_func
        elif self.is_vectorized:
            self.plain = given.pyfunc
        elif isinstance(given, functools.partial):
            self.plain, self._first = given.func, given.args
            self._named = given.keywords
        elif isinstance(given, types.FunctionType):
            self.plain = inspect.unwrap(given)
        if not isinstance(self.plain, types.FunctionType):
            self.why, self.plain = _why_not(self.name, self.plain), None

    @property
    def is_partial(self):
        """Whether some of its arguments are fixed."""
        return bool(self._first or self._named)

    @property
    def is_compiled(self):
        """Whether Numba compiled it already."""
        return hasattr(self.given, "py_func")

    @property
    def is_vectorized(self):
        """Whether it is an np.vectorize, which calls a function a number."""
        return isinstance(self.given, np.vectorize)

    @property
    def is_wrapped(self):
        """Whether a decorator stands around the function."""
        return inspect.isfunction(self.given) and self.plain is not self.given

    @property
    def place(self):
        """Where a decorator is written, in words."""
        if self.is_cell:
            return "above a function that has the cell's code"
        if self.plain.__name__ == "<lambda>":
            return "above a function in the lambda's place"
        if self.is_compiled:
            return f"above {self.plain.__name__}, in its decorator's place"
        return f"above {self.plain.__name__}"

    @property
    def line(self):
        """The number of its first line in its file."""
        return self.plain.__code__.co_firstlineno if self.plain else 1

    def bound(self, function):
        """Return a function with the arguments that a partial has fixed."""
        if not self.is_partial:
            return function
        return functools.partial(function, *self._first, **self._named)

    def check_arguments(self, inputs, maker):
        """Raise UserError where a call with some arguments cannot begin.

        maker  the name of what made them, or ""
        """
        try:
            signature = inspect.signature(self.given)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(*inputs)
        except TypeError as error:
            raise UserError(
                f"{self.name}{signature}: {error}; "
                f"{_repair(signature, inputs, maker)}"
            ) from None


def _why_not(name, given):
    """Return why Numba cannot compile what was given."""
    if inspect.isbuiltin(given) or isinstance(given, np.ufunc):
        return (
            f"{name} is no function that Python runs, but one of a library: "
            "there is nothing to compile"
        )
    kind = "a method" if inspect.ismethod(given) else "an object"
    return (
        f"{name} is {kind}, which Numba does not compile: write its loop as "
        "a function of the numbers and arrays that it uses, or decorate the "
        "class with numba.experimental.jitclass"
    )


def _refuse_what_computes_nothing(name, function):
    """Raise UserError for what only begins its work when it is called."""
    inner = inspect.unwrap(getattr(function, "func", function))
    if inspect.iscoroutinefunction(inner):
        raise UserError(
            f"{name}: calling it makes a coroutine, and runs nothing; "
            "repair: name a function that runs it, as by asyncio.run"
        )
    if inspect.isgeneratorfunction(inner):
        raise UserError(
            f"{name}: calling it makes a generator, and runs nothing; "
            "repair: name a function that takes what it yields, as list(...) "
            "does"
        )
    if hasattr(function, "cache_info"):
        raise UserError(
            f"{name}: it keeps its results, so that a second call only looks "
            f"one up; repair: name the function below: {name}.__wrapped__"
        )


def _keeps(function):
    """Return the name of the dict in which a function keeps its results.

    A dict that outlives the call, as a global or an argument's default, and
    that the function stores to; "" for none.
    """
    lasting = {
        **function.__globals__,
        **dict.fromkeys(function.__code__.co_varnames),
        **_defaults(function),
    }
    code, stores = function.__code__, ("STORE_SUBSCR", "STORE_SUBSCR_DICT")
    if not any(step.opname in stores for step in dis.get_instructions(code)):
        return ""
    names = (*code.co_names, *code.co_varnames)
    return next((n for n in names if isinstance(lasting.get(n), dict)), "")


def _defaults(function):
    """Return {parameter: default}."""
    values = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in values if p.default is not p.empty}


def _repair(signature, inputs, maker):
    kinds = inspect.Parameter
    needed = [
        p.name
        for p in signature.parameters.values()
        if p.default is p.empty
        and p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    by_name = [
        p.name
        for p in signature.parameters.values()
        if p.default is p.empty and p.kind is kinds.KEYWORD_ONLY
    ]
    if by_name:
        given = ", ".join(f"{k}=..." for k in by_name)
        return (
            f"repair: name a function that gives it, as def f(n): return "
            f"...(n, {given})"
        )
    if maker and len(needed) == 1 and len(inputs) > 1:
        return (
            f"repair: {maker} returns a tuple, which is taken as "
            f"{len(inputs)} arguments; for one argument that is a tuple, "
            "return (that_tuple,)"
        )
    if not needed:
        return "repair: give it one argument, the size n"
    what = f"({', '.join(needed)})" if len(needed) > 1 else needed[0]
    return f"repair: --arg MAKER, a function of n that returns {what}"


class Calls:
    """A Subject, and what it is called with at each size.

    target  a target.Target
    maker   the Target of a function of the size that makes its arguments (a
            tuple), or its one argument (anything else); None for the size
            itself
    """

    def __init__(self, target, maker=None):
        self.subject = Subject(target)
        self.target, self.maker = target, maker
        self._make = maker.load()[0] if maker else None
        self.inputs = functools.cache(self._inputs)

    def call(self, size):
        """Call the function as it is."""
        return self.subject.call(*self.inputs(size))

    def _inputs(self, size):
        """Return the arguments at a size; `inputs` makes them once."""
        if self._make is None:
            return (size,)
        try:
            made = self._make(size)
        except (Exception, SystemExit) as error:
            raise UserError(
                f"--arg {self.maker.name} at size {size}: {one_line(error)}; "
                "repair: the maker, or give --sizes that it takes"
            ) from None
        if made is None:
            raise UserError(
                f"--arg {self.maker.name} at size {size}: it returns None; "
                "repair: return the arguments"
            )
        return made if isinstance(made, tuple) else (made,)

    def fresh(self, size):
        """Return arguments that no call has changed.

        The function leaves its arguments as they are, which `first` makes
        sure of; only a generator of random numbers moves on with each call.
        """
        return with_generators_copied(self.inputs(size))

    def first(self, size):
        """Call once; return the seconds of another call, and those at work.

        Raises UserError where the function raises, changes its inputs (later
        calls would get what this one left, such as a list that is sorted
        already), or returns what is yet to be computed.
        """
        inputs = self.inputs(size)
        self.subject.check_arguments(
            inputs, self.maker.name if self.maker else ""
        )
        pairs = zip(inputs, copied(inputs), strict=True)
        watched = [(v, c) for v, c in pairs if difference(v, c) == SAME]
        try:
            began = time.perf_counter()
            result = self.subject.call(*inputs)  # compiles, loads
            cold = time.perf_counter() - began
            self._check_result(result)
            self._check_inputs(size, watched)
            began = time.perf_counter(), _at_work()
            self.subject.call(*inputs)
            warm = time.perf_counter() - began[0]
            busy = _at_work() - began[1]
            self._check_work(cold, inputs)
            return warm, busy
        except UserError:
            raise
        except (Exception, SystemExit) as error:
            raise UserError(
                f"{self.target.name} at size {size}: {one_line(error)}; "
                "repair: the function, or give --sizes or an --arg that it "
                "takes"
            ) from None

    def _check_result(self, result):
        if inspect.iscoroutine(result) or hasattr(result, "__next__"):
            kind = type(result).__name__
            raise UserError(
                f"{self.target.name}: it returns a {kind}, whose work is yet "
                "to be done; repair: name a function that takes all of it, "
                "as list(...) does"
            )

    def _check_work(self, cold, inputs):
        """Refuse a function that only looks up what it has worked out.

        cold  seconds of its first call
        """
        plain = self.subject.plain
        name = _keeps(plain) if plain else ""
        if not name:
            return
        again = []
        for _ in range(5):  # a single short call may mislead
            began = time.perf_counter()
            self.subject.call(*inputs)
            again.append(time.perf_counter() - began)
        if cold > LOOK_UP * min(again):
            raise UserError(
                f"{self.target.name}: it keeps its results in {name}, so "
                "that a second call only looks one up; repair: name a "
                "function that works them out"
            )

    def _check_inputs(self, size, watched):
        for value, before in watched:
            used_up = hasattr(value, "__next__")
            changed = difference(value, before) != SAME
            if used_up or (changed and not isinstance(value, _GENERATORS)):
                raise UserError(
                    f"{self.target.name} at size {size}: changes its inputs, "
                    "so that the next call gets what the last one left; "
                    "repair: let it work on a copy"
                )


def _at_work():
    """Return the seconds that this process computed, or wanted a core to."""
    return time.process_time() + machine.queued_seconds()


def with_generators_copied(inputs):
    """Return the arguments, with copies of the generators among them."""
    return tuple(
        copy.deepcopy(value) if isinstance(value, _GENERATORS) else value
        for value in inputs
    )


def copied(inputs):
    """Return a copy of some arguments, or these where there is none."""
    with contextlib.suppress(Exception):  # many cannot be pickled
        return pickle.loads(pickle.dumps(inputs))
    try:
        return copy.deepcopy(inputs)
    except Exception:  # a type of the user's may raise anything here
        return inputs
