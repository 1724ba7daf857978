"""What the first call costs: each sample is a process of its own."""

import tempfile

from onthefly import machine
from onthefly.timings import Timings
from onthefly.tools import processes


def ask(how, **environment):
    """Return {step: seconds} of one fresh process.

    how          "parts", "whole", or "cache" for the kernel kept on disk
    environment  variables that it gets beside this process's own

    Raises RuntimeError where it fails.
    """
    return processes.answer(f"{__name__}_child", how, environment=environment)


def _collect(runs, bystanders):
    samples = {}
    for run in runs:
        for name, seconds in run.items():
            samples.setdefault(name, []).append(seconds)
    return Timings.from_samples(samples, bystanders)


def parts(rounds):
    """Return the Timings of the steps before the first kernel."""
    watch = machine.Bystanders()
    return _collect([ask("parts") for _ in range(rounds)], watch)


def calls(rounds):
    """Return the Timings of the first and the second call on a device.

    Nothing is cached, neither by Numba nor by the driver; and, as "cached
    call", the first call of a process that finds its kernel on disk.
    """
    watch, runs = machine.Bystanders(), []
    with tempfile.TemporaryDirectory() as folder:
        ask("cache", NUMBA_CACHE_DIR=folder)
        for _ in range(rounds):
            cold = ask("whole", CUDA_CACHE_DISABLE="1")
            warm = ask("cache", NUMBA_CACHE_DIR=folder)
            runs.append(cold | {"cached call": warm["first call"]})
    return _collect(runs, watch)
