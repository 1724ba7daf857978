"""Run probes, each in Python and compiled: a program, from Python 3.6 on.

An outcome is ``same`` (compiled, and the result is Python's), ``differs``,
``not in this Python``, ``not installed``, ``crash`` (the process died), or
the error's first line: ``refused: Unsupported context manager in use`` where
Numba refuses it, ``gone: ...`` where Python itself does.
"""

import gc
import os
import re
import warnings

import numba
import numpy as np

from onthefly.experiments.numba import old_numba_child

old_numba_child.keep_environments()


def _arguments(space, group):
    if group == "NumPy methods":
        return [np.array([3.0, 1.0, 2.0, 0.5])]
    return [space["v"]] if "v" in space else [5]


def _value(result):
    """Return a result in a form that can be compared."""
    if hasattr(result, "__next__"):
        return list(result)
    if isinstance(result, tuple):
        return tuple(_value(part) for part in result)
    return result.tolist() if hasattr(result, "tolist") else result


def _run(source, group, jit):
    space = {"JIT": jit}
    old_numba_child.kept.append(space)
    exec(source, space)
    if jit:
        space["f"] = jit(space["f"])
    return _value(space["f"](*_arguments(space, group)))


def _first_line(error):
    """Return the first line of an error that says what is wrong.

    Numba begins with a line on its own work, and may end with the place;
    addresses of objects are left out.
    """
    text = re.sub(" at 0x[0-9a-f]+", "", str(error).split(" Raised from")[0])
    lines = text.split("\n")
    said = [x.strip() for x in lines if x.strip() and "pipeline" not in x]
    return said[0] if said else type(error).__name__


def outcome(group, source):
    """Run a probe in Python and compiled; return the outcome as text.

    group   as in `probes.probes`
    source  of a function f
    """
    try:
        want = _run(source, group, None)
    except SyntaxError:
        return "not in this Python"
    except ImportError:
        return "not installed"
    except OSError:  # the file of `with open` is not there, and need not be
        want = None
    except Exception as error:
        return "gone: " + _first_line(error)
    try:
        got = _run(source, group, numba.njit)
    except Exception as error:
        return "refused: " + _first_line(error)
    return "same" if got == want else "differs"


def _work(rows, write):
    """Write the outcome of each row to a pipe, a line each; then end."""
    warnings.simplefilter("ignore")
    gc.disable()  # its life is short
    try:
        for group, source in rows:
            os.write(write, (outcome(group, source) + "\n").encode())
    finally:
        os._exit(0)


def outcomes(rows):
    """Return the outcome of each (group, source), in order.

    A copy of the process works through them.  Where it dies, the probe at
    hand is a crash, and another copy goes on behind it.
    """
    results = []
    while len(results) < len(rows):
        read, write = os.pipe()
        copy = os.fork()
        if copy == 0:
            _work(rows[len(results) :], write)
        os.close(write)
        with os.fdopen(read) as file:
            results += file.read().split("\n")[:-1]
        os.waitpid(copy, 0)
        if len(results) < len(rows):
            results.append("crash")
    return results
