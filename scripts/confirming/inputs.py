"""What the function is called with: the size, or inputs made of it."""

import copy
import inspect

from confirming.function import find, said
from confirming.sameness import same
from confirming.traits import generates
from onthefly.refused import Refused

_FORMS = {"ndarray": "arrays", "list": "lists"}


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

        Raises Refused where the maker does, or makes what does not fit.
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

    def elements(self, size):
        """Return how many elements a call has: of its largest input."""
        found = [_elements(value) for value in self.inputs(size)]
        return max(found) if self._make and max(found) > 1 else size

    @property
    def form(self):
        """Which form the inputs have: "arrays", "lists", or "" for none."""
        kinds = {
            type(v).__name__ for v in next(iter(self._made.values()), ())
        }
        return next((f for k, f in _FORMS.items() if k in kinds), "")

    def first(self, size):
        """Call for the first time.

        Raises Refused where that changes the inputs: later calls would get
        what this one left, such as a list that is sorted already.
        """
        inputs = self.inputs(size)
        watched = [
            (value, before)
            for value, before in zip(inputs, _copied(inputs), strict=True)
            if same(value, before) and not generates(value)
        ]
        self.function(*inputs)
        if any(same(value, before) is False for value, before in watched):
            raise Refused(
                f"{self.target} at size {size}: changes its inputs, so that "
                "the next call gets what the last one left; repair: let it "
                "work on a copy"
            )

    def _new(self, size):
        try:
            made = self._make(size)
        except (Exception, SystemExit) as error:
            raise Refused(
                f"--arg {self.maker} at size {size}: {said(error)}; "
                "repair: the maker, or give --sizes that it takes"
            ) from None
        inputs = made if isinstance(made, tuple) else (made,)
        for value in inputs:
            if hasattr(value, "__next__"):
                raise Refused(
                    f"--arg {self.maker}: makes a {type(value).__name__}, "
                    "which the first call uses up; repair: make a list of it"
                )
        _check_arity(self.target, self.function, inputs, "what --arg makes")
        return inputs


def _elements(value):
    if isinstance(value, str):
        return len(value.split())
    if isinstance(value, list) and value and isinstance(value[0], list):
        return sum(map(len, value))
    if isinstance(value, list):
        return len(value)
    return int(getattr(value, "size", 1))


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
        raise Refused(
            f"{target}{signature}: must be callable with {some}, {what} "
            f"({error}); repair: wrap it, or make its arguments with --arg"
        ) from None
