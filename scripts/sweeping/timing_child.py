"""Times kernels in a process of its own, under any Python from 3.6.

Imports nothing but the standard library: NumPy and all others only where a
kernel's own data ask for them.
"""

import functools
import importlib
import timeit

CALLS = {}


def load(name, module, function, arguments, form):
    """Make a kernel ready to be called; return nothing.

    name       by which it is called
    module     full name of its module
    function   its name there
    arguments  [(dtype, nested list) of an array, or (None, what it is)]
    form       of the data: a key of forms.FORMS
    """
    found = getattr(importlib.import_module(module), function)
    given = [_loaded(dtype, value, form) for dtype, value in arguments]
    CALLS[name] = functools.partial(found, *given)


def _loaded(dtype, value, form):
    if dtype is None or form == "lists":
        return value
    import numpy as np

    array = np.array(value, dtype)
    if form == "arrays":
        return array
    from onthefly.experiments.choice import forms

    return forms.loaded((array,), form)[0]


def result(name, form):
    """Call a kernel once; return its result in plain lists and numbers."""
    found = CALLS[name]()
    if form not in ("lists", "arrays"):
        from onthefly.experiments.choice import forms

        found = forms.unloaded(found, form)
    return _plain(found)


def _plain(found):
    if isinstance(found, tuple):
        return tuple(_plain(part) for part in found)
    if isinstance(found, dict):
        return dict(found)
    return found.tolist() if hasattr(found, "tolist") else found


def seconds(name, calls):
    """Return the seconds of a call, in so many calls in a row."""
    return timeit.Timer(CALLS[name]).timeit(calls) / calls
