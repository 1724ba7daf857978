"""A problem's variants and conversions as functions of a size, to be timed.

Everything that is not to be timed is done before: data are made once for
each form and size, and first calls are read apart.
"""

import functools

import numpy as np

from onthefly.kernels.forms import FORMS, loaded
from onthefly.kernels.methods import KINDS, ONE
from onthefly.measure import libraries
from onthefly.measure.clock import seconds
from onthefly.measure.models import LEAST
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def _waited(run, library):
    """Return the function that also waits until the library's device is idle.

    CuPy's and PyTorch's operations only queue their work there.
    """

    def finished(n):
        result = run(n)
        library.wait(library.loaded())
        return result

    return finished


class Bench:
    """A problem's data, made once for each form and size.

    problem  a Problem
    seed     of the data
    """

    def __init__(self, problem, seed=0):
        self.problem, self.seed = problem, seed
        self.data = functools.cache(self._data)
        self._result = functools.cache(self._computed)

    def _data(self, form, n):
        return loaded(self.problem.data(n, self.seed), form)

    def _computed(self, n):
        """Return the result of size n as arrays, in a tuple."""
        names = self.problem.variants
        name = "routine" if "routine" in names else "NumPy"
        result = self.problem.function(name)(*self.data("arrays", n))
        return result if isinstance(result, tuple) else (result,)

    def variant(self, name, **options):
        """Return the function of a size that runs a variant to its end.

        options  more arguments of the variant, as ``workers=1``

        What it needs is imported by its first call, and the data are made by
        the first with each size.
        """
        form = KINDS[name].form
        function = functools.cache(
            lambda: functools.partial(self.problem.function(name), **options)
        )

        def run(n):
            return function()(*self.data(form, n))

        library = KINDS[name].library
        return _waited(run, libraries.LIBRARIES[library]) if library else run

    def variants(self, names):
        """Return {name: function of a size}; those with workers, twice.

        Beside a variant that shares its work stands the same with one worker:
        the two tell what more of them would do.
        """
        calls = {}
        for name in names:
            calls[name] = self.variant(name)
            if KINDS[name].workers:
                calls[name + ONE] = self.variant(name, workers=1)
        return calls

    def conversions(self, forms):
        """Return {name: function of a size} that bring data where it goes.

        forms  of the variants that are measured

        "from lists" makes arrays of lists and the result a list; "to" a form
        brings arrays there, and the result back to arrays.  A problem
        without arrays has none.
        """
        if not any(isinstance(x, np.ndarray) for x in self.problem.data(10)):
            return {}
        calls = {"from lists": self._from_lists}
        for form in forms:
            if form != "arrays":
                calls[f"to {form}"] = functools.partial(self._to, form)
        return calls

    def _from_lists(self, n):
        for x in self.data("lists", n):
            if isinstance(x, list):
                np.array(x)
        for y in self._result(n):
            if isinstance(y, np.ndarray):
                y.tolist()

    def _to(self, form, n):
        loaded(self.data("arrays", n), form)
        for y in self._back(form, n):
            FORMS[form].unload(y)

    @functools.cache  # noqa: B019 (as long as the bench)
    def _back(self, form, n):
        """Return the arrays of the result, in a form."""
        arrays = [y for y in self._result(n) if isinstance(y, np.ndarray)]
        return loaded(arrays, form)


def _least(call, n, calls=3):
    """Return the seconds of the fastest of some calls."""
    return min(seconds(call, n) for _ in range(calls))


def reach(calls, sizes, limit, prepare=None):
    """Return ({name: sizes that it may take}, Timings of first calls).

    calls    {name: function of a size}
    sizes    in rising order
    limit    seconds: a name stops behind the first size that takes longer,
             but takes as many sizes as a fit needs
    prepare  function (name, size), called before a call is timed

    What needs a library that is missing takes none; the Timings say so.
    """
    taken, firsts, lacks = {}, [], {}
    for name, call in calls.items():
        with libraries.spared(lacks, name):
            for n in sizes:
                if prepare:
                    prepare(name, n)
                first = seconds(call, n)
                if name not in taken:
                    firsts.append(Series(name, None, None, (first,)))
                taken.setdefault(name, []).append(n)
                # The first call may compile; a later one may be disturbed.
                slow = first > limit and _least(call, n) > limit
                if slow and len(taken[name]) >= LEAST:
                    break
    return taken, Timings(firsts, missing=lacks)
