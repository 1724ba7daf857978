"""The user's function, and what it is called with at each size."""

import copy
import difflib
import importlib
import importlib.util
import inspect
import pathlib
import random
import sys

from confirming.comparison import same
from confirming.errors import one_line
from onthefly.errors import UserError


def folders(target):
    """Return the folders in which a function's module is looked for first.

    A file's own, as when Python runs it, then the current one.
    """
    path = pathlib.Path(target.rpartition(":")[0])
    own = [path.resolve().parent] if path.suffix == ".py" else []
    return [*own, pathlib.Path.cwd()]


def find(target):
    """Return the function of ``package.module:function`` or a file's.

    Raises UserError where there is none.
    """
    where, colon, name = target.rpartition(":")
    if not colon or not where or not name:
        raise UserError(
            f"{target!r}: no function named; write package.module:function "
            "or path/to/file.py:function"
        )
    is_file = where.endswith(".py")
    module = _load_file(where) if is_file else _load_module(where)
    function = module
    for part in name.split("."):
        if not hasattr(function, part):
            near = difflib.get_close_matches(part, dir(function), 3)
            hint = f"; it has {', '.join(near)}" if near else ""
            raise UserError(
                f"{where}: no function {part!r} in it{hint}; "
                "repair: name one that it defines"
            )
        function = getattr(function, part)
    if not callable(function):
        kind = type(function).__name__
        raise UserError(
            f"{target}: not callable, but a value of type {kind}; "
            "repair: name a function"
        )
    return function


def plain(function):
    """Return the Python function that Numba compiled, or what was given."""
    numba = sys.modules.get("numba")
    if numba and isinstance(function, numba.core.dispatcher.Dispatcher):
        return function.py_func
    return function


def _load_file(where):
    path = pathlib.Path(where)
    if not path.is_file():
        raise UserError(f"{where}: no such file; repair: correct the path")
    known = sys.modules.get(path.stem)
    if known and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    path = path.resolve()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    return _importing(
        where, lambda: spec.loader.exec_module(module) or module
    )


def _load_module(where):
    return _importing(where, lambda: importlib.import_module(where))


def _importing(where, load):
    """Return the module; UserError tells a missing from a broken one."""
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and (where + ".").startswith(error.name + "."):
            raise UserError(
                f"{where}: no module {error.name!r}; repair: start in its "
                "folder, set PYTHONPATH, or name the file: "
                "path/to/file.py:function"
            ) from None
        raise _broken(where, error) from None
    except (Exception, SystemExit) as error:
        raise _broken(where, error) from None


def _broken(where, error):
    return UserError(
        f"{where}: its import fails: {one_line(error)}; "
        "repair: make the import work first"
    )


class Calls:
    """A function, and what it is called with at each size.

    target    its name, for those who are told
    function  as the user names it
    maker     the name of a function of the size that makes its arguments (a
              tuple), or its one argument (anything else); "" for the size
              itself
    """

    def __init__(self, target, maker=""):
        self.target, self.maker = target, maker
        self.function = find(target)
        self._make = find(_home(maker, target)) if maker else None
        self._made = {}
        if maker:
            self.call = self._call_with_inputs
        else:
            _check_arity(target, self.function, (1,), "the size")
            self.call = self.function

    def _call_with_inputs(self, size):
        return self.function(*self.inputs(size))

    def inputs(self, size):
        """Return the arguments at a size, made once.

        Raises UserError where the maker does, or makes what does not fit.
        """
        if self._make is None:
            return (size,)
        if size not in self._made:
            self._made[size] = self._new(size)
        return self._made[size]

    def fresh(self, size):
        """Return arguments that no call has touched, if they can be copied.

        A generator of random numbers has moved on after each call.
        """
        return _copied(self.inputs(size))

    def first(self, size):
        """Call for the first time.

        Raises UserError where that changes the inputs: later calls would get
        what this one left, such as a list that is sorted already.
        """
        inputs = self.inputs(size)
        watched = [
            (value, before)
            for value, before in zip(inputs, _copied(inputs), strict=True)
            if same(value, before) and not _draws(value)
        ]
        self.function(*inputs)
        if any(same(value, before) is False for value, before in watched):
            raise UserError(
                f"{self.target} at size {size}: changes its inputs, so that "
                "the next call gets what the last one left; repair: let it "
                "work on a copy"
            )

    def _new(self, size):
        try:
            made = self._make(size)
        except (Exception, SystemExit) as error:
            raise UserError(
                f"--arg {self.maker} at size {size}: {one_line(error)}; "
                "repair: the maker, or give --sizes that it takes"
            ) from None
        inputs = made if isinstance(made, tuple) else (made,)
        for value in inputs:
            if hasattr(value, "__next__"):
                raise UserError(
                    f"--arg {self.maker}: makes a {type(value).__name__}, "
                    "which the first call uses up; repair: make a list of it"
                )
        _check_arity(self.target, self.function, inputs, "what --arg makes")
        return inputs


def _draws(value):
    """Tell whether a value is a generator of random numbers."""
    kind = type(value)
    return isinstance(value, random.Random) or (
        kind.__module__.startswith("numpy.random")
        and kind.__name__ in ("Generator", "RandomState")
    )


def _home(maker, target):
    """Return a maker's full name: by default it is the function's own kin."""
    home = target.rpartition(":")[0]
    return maker if ":" in maker else f"{home}:{maker}"


def _copied(inputs):
    try:
        return copy.deepcopy(inputs)
    except Exception:  # a type of the user's may raise anything here
        return inputs


def _check_arity(target, function, arguments, what):
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled functions have none
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        count = len(arguments)
        some = "one argument" if count == 1 else f"{count} arguments"
        raise UserError(
            f"{target}{signature}: must be callable with {some}, {what} "
            f"({error}); repair: wrap it, or make its arguments with --arg"
        ) from None
