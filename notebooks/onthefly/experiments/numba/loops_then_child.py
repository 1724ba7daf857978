"""Loops and whole arrays, under the Python, NumPy and Numba of then or today.

The program of `loops_then.times`, under any Python from 3.6.  Source: Okuda,
PyCon JP 2018, slides 13, 18 and 23.
"""

import time

import numba
import numpy as np

from onthefly.experiments.numba import old_numba_child
from onthefly.kernels.pi.pi_numpy_printed import pi_numpy_printed
from onthefly.kernels.pi.pi_python_talk import pi_loop

old_numba_child.keep_environments()


def add_each(v):
    """Add 1 to each element."""
    for i in range(len(v)):
        v[i] += 1


def add(v):
    """Return a new array of the elements, 1 added to each."""
    return np.add(v, 1)


def itself(n):
    """Return the number: the estimates of π take no more."""
    return n


def zeros(n):
    """Return a list of zeros."""
    return [0.0] * n


compiled = numba.njit(add_each)
WAYS = {  # {name: (function, what makes its argument of a size)}
    "loop, list": (add_each, zeros),
    "loop, array": (add_each, np.zeros),
    "np.add, list": (add, zeros),
    "np.add, array": (add, np.zeros),
    "compiled, list": (compiled, zeros),
    "compiled, array": (compiled, np.zeros),
    "π, loop": (pi_loop, itself),
    "π, arrays": (pi_numpy_printed, itself),
}
_made = {}


def seconds(way, n, calls):
    """Return the seconds of a call at size n, in a loop of calls."""
    function, make = WAYS[way]
    if (way, n) not in _made:
        _made[way, n] = make(n)
        function(_made[way, n])  # compiles
    given = _made[way, n]
    start = time.perf_counter()
    for _ in range(calls):
        function(given)
    return (time.perf_counter() - start) / calls


def added(way):
    """Return what a compiled way makes of three zeros."""
    v = WAYS[way][1](3)
    WAYS[way][0](v)
    return [float(x) for x in v]
