"""The user's function, and what it is called with at each size."""

import copy
import difflib
import functools
import importlib
import operator
import pathlib
import random

import numpy as np

from onthefly.diagnose.comparison import SAME, difference
from onthefly.diagnose.errors import one_line
from onthefly.errors import UserError
from onthefly.measure import clock

# Each call moves these on, and may.
_GENERATORS = random.Random, np.random.Generator, np.random.RandomState


def folders(target):
    """Return the folders in which a function's module is looked for first.

    A file's own, as when Python runs it, then the current one.
    """
    path = pathlib.Path(target.rpartition(":")[0])
    own = [path.resolve().parent] if path.suffix == ".py" else []
    return [*own, pathlib.Path.cwd()]


def find(target):
    """Return the function of ``package.module:function`` or a file's.

    A file's folder is one that Python imports from.

    Raises UserError where there is none.
    """
    where, _, name = target.rpartition(":")
    if not where or not name:
        raise UserError(
            f"{target!r}: no function named; write package.module:function "
            "or path/to/file.py:function"
        )
    module = _module(where)
    try:
        function = operator.attrgetter(name)(module)
    except AttributeError:
        near = difflib.get_close_matches(name, dir(module), 3)
        hint = f"; it has {', '.join(near)}" if near else ""
        raise UserError(
            f"{where}: no function {name!r} in it{hint}; "
            "repair: name one that it defines"
        ) from None
    if not callable(function):
        raise UserError(f"{target}: not callable; repair: name a function")
    return function


def _module(where):
    path = pathlib.Path(where)
    if path.suffix == ".py" and not path.is_file():
        raise UserError(f"{where}: no such file; repair: correct the path")
    try:
        name = path.stem if path.suffix == ".py" else where
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise UserError(
            f"{where}: its import fails: {one_line(error)}; repair: make it "
            "work first, start in its folder, or name the file: "
            "path/to/file.py:function"
        ) from None


class Calls:
    """A function, and what it is called with at each size.

    target  its name, for those who are told
    maker   the name of a function of the size that makes its arguments (a
            tuple), or its one argument (anything else), in the function's
            own module by default; "" for the size itself
    """

    def __init__(self, target, maker=""):
        self.target, self.maker = target, maker
        self.function = find(target)
        home = target.rpartition(":")[0]
        full = maker if ":" in maker else f"{home}:{maker}"
        self._make = find(full) if maker else None
        self.inputs = functools.cache(self._inputs)
        self.call = self._with_inputs if maker else self.function

    def _with_inputs(self, size):
        return self.function(*self.inputs(size))

    def _inputs(self, size):
        """Return the arguments at a size; `inputs` makes them once."""
        if self._make is None:
            return (size,)
        try:
            made = self._make(size)
        except (Exception, SystemExit) as error:
            raise UserError(
                f"--arg {self.maker} at size {size}: {one_line(error)}; "
                "repair: the maker, or give --sizes that it takes"
            ) from None
        return made if isinstance(made, tuple) else (made,)

    def fresh(self, size):
        """Return arguments that no call has touched, if they can be copied.

        A generator of random numbers has moved on after each call.
        """
        return _copied(self.inputs(size))

    def first(self, size):
        """Call for the first time; return the seconds of another call.

        Raises UserError where the function raises, or changes its inputs:
        later calls would get what this one left, such as a list that is
        sorted already.
        """
        inputs = self.inputs(size)
        copies = zip(inputs, self.fresh(size), strict=True)
        watched = [(v, c) for v, c in copies if difference(v, c) == SAME]
        try:
            self.function(*inputs)  # compiles, loads
            self._check_inputs(size, watched)
            return clock.seconds(self.call, size)
        except UserError:
            raise
        except (Exception, SystemExit) as error:
            raise UserError(
                f"{self.target} at size {size}: {one_line(error)}; repair: "
                "the function, or give --sizes or an --arg that it takes"
            ) from None

    def _check_inputs(self, size, watched):
        for value, before in watched:
            used_up = hasattr(value, "__next__")
            changed = difference(value, before) != SAME
            if used_up or (changed and not isinstance(value, _GENERATORS)):
                raise UserError(
                    f"{self.target} at size {size}: changes its inputs, so "
                    "that the next call gets what the last one left; "
                    "repair: let it work on a copy"
                )


def _copied(inputs):
    try:
        return copy.deepcopy(inputs)
    except Exception:  # a type of the user's may raise anything here
        return inputs
