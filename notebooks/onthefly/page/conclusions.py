"""What a page concludes: the functions of the module beside its notebook.

Each public function is a value of the page, by its name; its parameters are
names of the notebook, or other functions of the module, as pytest resolves
fixtures.  A value is worked out once, when somebody asks for it, so the
order of the functions is the reader's.

A decorator says what else becomes of a value::

    @expect                       a condition of the prose
    @figure(x="shots")            a picture; the docstring is its caption
    @table                        a table; the docstring is its label
    @judge("claim-id")            the verdict on a published claim; one
                                  value may judge several
    @answer("question-id")        the answer to a question of the book

Docstrings may have gaps, ``{gain.about}``, for values of the page.
"""

import functools
import importlib.util
import inspect
import string
import traceback

from onthefly.page import expectations, missing
from onthefly.page.missing import Missing, Unchecked

KINDS = "onthefly_kinds"  # the attribute that decorators leave


class ConclusionError(Exception):
    """A function of a page's module failed, or asks for an unknown name."""


def _marker(kind):
    """Return the decorator of a kind, with or without arguments."""

    def decorator(*arguments, **options):
        def marked(function):
            setattr(function, KINDS, [*kinds_of(function), mark])
            return function

        if arguments and inspect.isfunction(arguments[0]):
            mark = kind, (), {}
            return marked(arguments[0])
        mark = kind, arguments, options
        return marked

    decorator.__name__ = kind
    return decorator


expect = _marker("expect")
figure = _marker("figure")
table = _marker("table")
judge = _marker("judge")
answer = _marker("answer")


def kinds_of(function):
    """Return [(kind, arguments, options)] of a function's decorators."""
    return getattr(function, KINDS, [])


def load(path):
    """Return the module in a file, imported under a name of its own."""
    name = f"onthefly_page_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        name = type(error).__name__
        raise ConclusionError(
            f"{_short(str(path))} cannot be imported: {name}: {error}"
        ) from error
    return module


class Conclusions:
    """The values of a page's module, each worked out when it is asked for.

    names   {name: value} of the notebook, as ``globals()``
    module  the module beside it; None for a page that has none
    """

    def __init__(self, names, module=None):
        self._names, self._values, self._open = names, {}, []
        self.functions = {
            name: function
            for name, function in vars(module).items()
            if inspect.isfunction(function)
            and function.__module__ == module.__name__
            and not name.startswith("_")
        } if module else {}  # fmt: skip

    def __contains__(self, name):
        return (
            name in self.functions
            or name in self._names
            or name in missing.names
        )

    def __getitem__(self, name):
        """Return a value of the module or the notebook, or a Missing.

        Raises ConclusionError, with file, line and function, where the value
        cannot be worked out.
        """
        if name in self.functions:
            if name not in self._values:
                self._values[name] = self._worked_out(name)
            return self._values[name]
        if name in missing.names:
            return Missing(missing.names[name])
        return self._names[name]

    def _worked_out(self, name):
        function = self.functions[name]
        if name in self._open:
            circle = " → ".join([*self._open, name])
            raise ConclusionError(f"{place_of(function)}: a circle: {circle}")
        self._open.append(name)
        try:
            arguments = self._arguments(name, function)
            lacking = missing.first(arguments.values())
            if lacking is not None:
                return lacking
            return function(**arguments)
        except ConclusionError:
            raise
        except Exception as error:
            if reason := missing.reason_of(error):
                return Missing(reason)
            raise ConclusionError(_failure(function, error)) from error
        finally:
            self._open.pop()

    def _arguments(self, name, function):
        """Return {parameter: value}; a default stands for what is missing."""
        arguments = {}
        for one, about in inspect.signature(function).parameters.items():
            optional = about.default is not inspect.Parameter.empty
            if one not in self:
                if optional:
                    continue
                raise ConclusionError(
                    f"{place_of(function)}: {name} asks for {one!r}, which "
                    f"neither the notebook nor the module has"
                )
            value = self[one]
            if not (optional and _is_missing(value)):
                arguments[one] = value
        return arguments

    def text(self, function):
        """Return a function's docstring as a line, its gaps filled."""
        doc = " ".join((inspect.getdoc(function) or "").split())
        try:
            return _Filled(self).format(doc)
        except ConclusionError:
            raise
        except Exception as error:
            place = f"{place_of(function)}: docstring of {function.__name__}"
            raise ConclusionError(f"{place}: {error!r}") from error

    def items(self):
        """Yield (name, value) of all functions, in the module's order."""
        for name in self.functions:
            yield name, self[name]


def _is_missing(value):
    return isinstance(value, Missing)


class _Filled(string.Formatter):
    """Fills ``{gain.about}`` from a page's values."""

    def __init__(self, conclusions):
        self._conclusions = conclusions

    def get_value(self, key, args, kwargs):
        """Return the value of a gap's first name."""
        return self._conclusions[key]


def gaps(text):
    """Return the names that the gaps of a docstring read."""
    fields = (field for _, field, _, _ in string.Formatter().parse(text))
    return {f.partition(".")[0].partition("[")[0] for f in fields if f}


def place_of(function):
    """Return the file and line of a function."""
    code = function.__code__
    return f"{_short(code.co_filename)}:{code.co_firstlineno}"


def _short(filename):
    return "/".join(filename.split("/")[-2:])


def _failure(function, error):
    """Return file, line and name of what failed, and the error."""
    file = function.__code__.co_filename
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file]
    line = own[-1].lineno if own else function.__code__.co_firstlineno
    return (
        f"{_short(file)}:{line}: {function.__name__}: "
        f"{type(error).__name__}: {error}"
    )


def holds_in(evaluate):
    """Return the function ``holds`` of a page's prose.

    evaluate  what makes an Expectation of conditions
    """

    @functools.wraps(evaluate)
    def holds(*conditions):
        lacking = missing.first(expectations.flat(conditions))
        if lacking is None:
            return evaluate("", conditions)
        return Unchecked(lacking.reason)

    holds.__name__ = "holds"
    return holds
