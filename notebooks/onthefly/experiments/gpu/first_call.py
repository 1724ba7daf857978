"""What the first call costs: each sample is a process of its own."""

import functools
import tempfile

from onthefly.measure.clock import sample
from onthefly.tools import processes

CHILD = f"{__name__}_child"


def ask(function, *arguments, **environment):
    """Return {step: seconds} of one fresh process.

    function     "parts" or "calls" of the child, with its arguments
    environment  variables that it gets beside this process's own

    Raises processes.ProcessError where it fails.
    """
    return processes.answer(
        CHILD, function, *arguments, environment=environment
    )


def parts(rounds):
    """Return the Timings of the steps before the first kernel."""
    samplers = {"parts": functools.partial(ask, "parts")}
    return sample(samplers, least=rounds, rounds=rounds, first="unknown")


def calls(rounds):
    """Return the Timings of the first and the second call on a device.

    Nothing is cached, neither by Numba nor by the driver; and, as "cached
    call", the first call of a process that finds its kernel on disk.
    """
    with tempfile.TemporaryDirectory() as folder:
        cached = functools.partial(ask, "calls", True, NUMBA_CACHE_DIR=folder)
        cached()  # fills the cache
        samplers = {
            "cold": functools.partial(ask, "calls", CUDA_CACHE_DISABLE="1"),
            "cached": lambda: {"cached call": cached()["first call"]},
        }
        return sample(samplers, least=rounds, rounds=rounds, first="unknown")
