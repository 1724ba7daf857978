"""Parallel loops that tell who did the work, and in which order.

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

import ctypes
import difflib
import inspect
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit, prange

from onthefly.kernels.pi.pi_numba_parallel import limited

# The number that Python gives a thread, too.
thread_number = ctypes.CDLL(None).pthread_self
thread_number.restype, thread_number.argtypes = ctypes.c_size_t, []


@njit(parallel=True)
def sum_parallel(x):
    """Add up an array of floats, in an order that the threads decide."""
    total = 0.0
    for i in prange(len(x)):
        total += x[i]
    return total


@njit(parallel=True)
def draw(numbers, who):
    """Fill an array with random numbers; write down who drew each."""
    for i in prange(len(numbers)):
        numbers[i] = random.random()
        who[i] = thread_number()


@njit(parallel=True)
def sign(who):
    """Write into each element the number of the thread that came by."""
    for i in prange(len(who)):
        who[i] = thread_number()


def workers(threads, count=1000):
    """Return the numbers of the threads that shared `count` iterations.

    They are those of ``threading.get_ident``.
    """
    who = np.zeros(count, np.uintp)
    with limited(threads):
        sign(who)
    return set(who.tolist())


def pool_workers(threads):
    """Return the numbers of the threads of a pool that share as many tasks.

    Each task waits until all have begun, so that none is done by a thread
    that had another before.
    """
    gate = threading.Barrier(threads)

    def task(_):
        gate.wait()
        return threading.get_ident()

    with ThreadPoolExecutor(threads) as pool:
        # As many again: a thread too many would take one of them.
        return set(pool.map(task, range(2 * threads)))


def edits(before, after):
    """Return the lines of one function that another does not have.

    before, after  functions, compiled or not; their names and docstrings do
                   not count
    """
    lines = difflib.ndiff(_code(before), _code(after))
    return [line[2:].strip() for line in lines if line.startswith("+ ")]


def _code(function):
    """Return a function's lines, without its name and docstring."""
    function = getattr(function, "py_func", function)
    text = inspect.getsource(function).replace(function.__name__, "_")
    return text.replace(f'    """{function.__doc__}"""\n', "").splitlines()
