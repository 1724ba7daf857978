"""Times kernels in a process of its own, under any Python from 3.6.

Imports nothing but the standard library: NumPy and all others only where a
kernel's own data ask for them.
"""

import functools
import importlib
import statistics
import timeit

SAMPLE = 0.01  # seconds that a sample lasts, about
SAMPLES = 8


def result(module, function, arguments, form):
    """Call a kernel once; return its result in plain lists and numbers.

    module     full name of its module
    function   its name there
    arguments  [(dtype, nested list) of an array, or (None, what it is)]
    form       of the data: a key of forms.FORMS
    """
    value = _call(module, function, arguments, form)()
    if form not in ("lists", "arrays"):
        from onthefly.kernels import forms

        value = forms.unloaded(value, form)
    return _plain(value)


def seconds(module, function, arguments, form):
    """Return the seconds of a kernel's call, the median of some samples.

    Arguments are as of `result`.
    """
    timer = timeit.Timer(_call(module, function, arguments, form))
    timer.timeit(1)  # fills its caches
    calls = 1 + int(SAMPLE / max(timer.timeit(1), 1e-9))
    return statistics.median(timer.repeat(SAMPLES, calls)) / calls


def _call(module, function, arguments, form):
    kernel = getattr(importlib.import_module(module), function)
    given = [_loaded(dtype, value, form) for dtype, value in arguments]
    return functools.partial(kernel, *given)


def _loaded(dtype, value, form):
    if dtype is None or form == "lists":
        return value
    import numpy as np

    array = np.array(value, dtype)
    if form == "arrays":
        return array
    from onthefly.kernels import forms

    return forms.loaded((array,), form)[0]


def _plain(value):
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return dict(value)
    return value.tolist() if hasattr(value, "tolist") else value
