"""What is tried in the place of a function: compiled, converted, by routine.

Each Method computes what the function computes.  Whether it does, and how
fast, is for `trials`.
"""

import dataclasses
import functools
import re
import types
from collections.abc import Callable

import numpy as np

from onthefly.diagnose import errors
from onthefly.diagnose.patterns.conversions import conversion
from onthefly.diagnose.patterns.rewrites import (
    Rewrite,
    keywords_positional,
    loop_of_generator,
    parallel,
)
from onthefly.diagnose.patterns.routines import routines
from onthefly.errors import UserError
from onthefly.measure import machine
from onthefly.terminal.words import listed

PLAIN = "as it is"
BARE = "without its decorator"
GIVEN = "as given"
NJIT = "numba.njit"
PARALLEL = "numba.njit(parallel=True)"
FASTMATH = "numba.njit(fastmath=True)"


@dataclasses.dataclass
class Method:
    """A way to compute what the function computes.

    name     as the report has it
    how      what to write, in sentences
    make     returns the function that is called with the arguments; it may
             compile, and raises UserError where it cannot
    convert  {tuple of arguments: tuple of others}, or None: made once,
             outside the clock
    is_routine  whether it is a library's routine in the place of a loop
    """

    name: str
    how: str
    make: Callable
    convert: Callable | None = None
    is_routine: bool = False

    @functools.cached_property
    def call(self):
        """The function to call; made at the first use."""
        return self.make()


def methods(subject, inputs):
    """Return the [Method] to try for a function, PLAIN first.

    subject  a target.Subject
    inputs   its arguments at the smallest size
    """
    plain = BARE if subject.is_compiled else PLAIN
    found = [Method(plain, "", lambda: subject.call)]
    if subject.is_compiled:
        how = "Leave the decorator as it is."
        found.append(Method(GIVEN, how, lambda: subject.given))
    if subject.plain is None or not subject.source:
        return [*found, *_compiled(subject, inputs)]
    return [
        *found,
        *_vectorized(subject),
        *_by_routine(subject, inputs),
        *_compiled(subject, inputs),
    ]


def _vectorized(subject):
    """Return numba.vectorize where the function is np.vectorize's."""
    if not subject.is_vectorized:
        return []

    def make():
        import numba

        return numba.vectorize(subject.plain)

    how = "Write @numba.vectorize in the place of np.vectorize."
    return [Method("numba.vectorize", how, make)]


def _compiled(subject, inputs):
    """Return what Numba may make of a function and its arguments."""
    if subject.plain is None or subject.is_vectorized:
        return []
    rewrite = _for_numba(subject)
    found = [_njit(subject, NJIT, rewrite)]
    source = rewrite.source if rewrite else subject.source
    other = conversion(inputs, source)
    if other:
        found.append(_njit(subject, _on(NJIT, other), rewrite, other))
    final = other.rewrite.source if other and other.rewrite else source
    if machine.usable_cores() > 1:
        spread = parallel(
            final, _arrays(subject, inputs), subject.plain.__globals__
        ) or (Rewrite(final) if _has_arrays(inputs) else None)
        if spread:
            found.append(_spread(subject, spread, rewrite, other))
    if _has_floats(inputs) and not _asks_for_nan(subject.source):
        found.append(
            _njit(
                subject, _on(FASTMATH, other), rewrite, other, fastmath=True
            )
        )
    return found


def _on(name, other):
    return f"{name} on {other.name}" if other else name


def _arrays(subject, inputs):
    """Return the names of the parameters that are arrays or lists."""
    names = subject.plain.__code__.co_varnames
    return [
        name
        for name, value in zip(names, inputs, strict=False)
        if isinstance(value, (np.ndarray, list))
    ]


def _has_arrays(inputs):
    return any(isinstance(value, np.ndarray) for value in inputs)


def _asks_for_nan(source):
    """Tell whether a function looks for what `fastmath` assumes away."""
    words = set(re.findall(r"\w+", source))
    same = re.search(r"\b(\w+) != \1\b", source)
    return bool(same) or bool(words & {"isnan", "isinf", "isfinite", "nan"})


def _has_floats(inputs):
    """Tell whether a sum in another order could round otherwise."""
    return any(
        isinstance(value, float)
        or (isinstance(value, np.ndarray) and value.dtype.kind in "fc")
        for value in inputs
    )


def _for_numba(subject):
    """Return the Rewrite that lets Numba take a function, or None."""
    first = keywords_positional(subject.source)
    second = loop_of_generator(first.source if first else subject.source)
    return _both(first, second)


def _both(first, second):
    """Return one Rewrite of two, of which each may be None."""
    if first is None or second is None:
        return first or second
    return Rewrite(
        second.source,
        first.needs | second.needs,
        f"{first.sentence} {second.sentence}".strip(),
    )


def _njit(subject, name, rewrite=None, other=None, **options):
    changed = _both(rewrite, other.rewrite if other else None)
    words = [
        f"Write @numba.njit{_shown(options)} {subject.place}.",
        rewrite.sentence if rewrite else "",
        other.sentence if other else "",
        other.rewrite.sentence if other and other.rewrite else "",
        "It takes for granted that no number is NaN or infinite."
        if options.get("fastmath")
        else "",
    ]
    method = Method(
        name,
        " ".join(filter(None, words)),
        lambda: Compiled(subject, changed, options),
        other.convert if other else None,
    )
    return method


def _spread(subject, spread, rewrite, other):
    """Return the Method that shares the work out among the cores."""
    changed = _both(rewrite, spread)
    how = (
        f"Write @numba.njit(parallel=True) {subject.place}. "
        f"{changed.sentence} {other.sentence if other else ''}"
    )
    return Method(
        _on(PARALLEL, other),
        how.strip(),
        lambda: Compiled(subject, changed, {"parallel": True}),
        other.convert if other else None,
    )


def _shown(options):
    inside = ", ".join(f"{k}={v}" for k, v in options.items())
    return f"({inside})" if inside else ""


def _by_routine(subject, inputs):
    if subject.is_partial:  # a routine knows nothing of what is fixed
        return []
    found = routines(subject.source, inputs, subject.plain.__globals__)
    return [
        Method(
            one.name,
            one.sentence,
            functools.partial(lambda f: f, one.function),
            None if one.convert is tuple else one.convert,
            is_routine=True,
        )
        for one in found
    ]


class Compiled:
    """A function that numba.njit compiles at its first call.

    subject  a target.Subject
    rewrite  of its source, or None
    options  of numba.njit
    """

    def __init__(self, subject, rewrite, options):
        self._subject, self._options = subject, options
        self._function = subject.plain
        if rewrite:
            self._function = _executed(subject.plain, rewrite)
        self.helpers, self._fast = (), None

    def __call__(self, *inputs):
        """Call it; the first call compiles.

        Raises UserError where Numba refuses it.
        """
        if self._fast is None:
            return self._first(inputs)
        return self._fast(*inputs)

    def _first(self, inputs):
        """Compile and call; with what it calls compiled, too, if need be."""
        helpers = _helpers(self._function)
        for included in [(), helpers] if helpers else [()]:
            fast = _njit_all(self._function, included, self._options)
            bound = self._subject.bound(fast)
            self.helpers = tuple(f.__name__ for f in included)
            try:
                result = bound(*inputs)
            except (Exception, SystemExit) as error:
                if fast.signatures:  # it was compiled, and called
                    raise
                refused, text = self._place(error), error
            else:
                self._fast = bound
                return result
        if helpers:  # the deeper complaint is the one to mend
            refused += f" (compiled with {listed(self.helpers)}, too)"
        raise Refused(refused, str(text))

    def _place(self, error):
        """Return what Numba says, with the place in the user's own file."""
        if self._function is self._subject.plain:
            return errors.of_numba(error, self._function)
        return errors.of_numba(error, self._function).partition(": ")[2]


class Refused(UserError):
    """Why Numba does not take a function, in a line.

    text  all that Numba says
    """

    def __init__(self, line, text=""):
        super().__init__(line)
        self.text = text


def _executed(function, rewrite):
    """Return a function of a Rewrite's source, with the old one's globals."""
    space = dict(function.__globals__) | _closed_over(function)
    space |= rewrite.needs
    exec(compile(rewrite.source, "<rewritten>", "exec"), space)
    name = function.__name__
    made = space["the_lambda" if name == "<lambda>" else name]
    made.__defaults__ = made.__defaults__ or function.__defaults__
    return made


def _closed_over(function):
    """Return {name: value} of a function's closure, where it has values."""
    cells = zip(
        function.__code__.co_freevars,
        function.__closure__ or (),
        strict=True,
    )
    found = {}
    for name, cell in cells:
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    return found


def _njit_all(function, helpers, options):
    """Return a function, compiled, and all that it calls.

    They are copies with globals of their own, in which each of them is the
    compiled one: as if all were decorated.  Numba takes globals as constants
    anyway, and the user's module stays as it is.
    """
    import numba

    made = {f: numba.njit(_copy(f)) for f in helpers}
    made[function] = numba.njit(_copy(function), **options)
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
