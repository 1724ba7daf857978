"""Calls beside busy processes: the problem of several users on a machine.

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

import functools
import sys
import time

import numpy as np
import psutil

from onthefly.measure import clock

# Busy as long as its parent lives.
SPIN = "import os\np = os.getppid()\nwhile os.getppid() == p: pass"


class Neighbours:
    """Busy processes that can be put to sleep and woken.

    count  how many; each takes what it gets of one core
    A context manager: they start with its first sample, and end with it.
    """

    def __init__(self, count):
        self._count = count

    @functools.cached_property
    def processes(self):
        spin = [sys.executable, "-c", SPIN]
        return [psutil.Popen(spin) for _ in range(self._count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in vars(self).get("processes", ()):
            process.kill()
            process.wait()

    def asleep(self, function, seconds=0.06):
        """Return a sampler of many calls, the neighbours asleep.

        function  called with the size
        seconds   for which it is called, one call after the other

        A sample has three numbers, in seconds: the median, the mean and the
        longest of these calls.
        """
        return self._sampler("suspend", "alone", function, seconds)

    def awake(self, function, seconds=0.06):
        """Return the same, the neighbours at work."""
        return self._sampler("resume", "beside", function, seconds)

    def _sampler(self, act, name, function, seconds):
        def sample(size):
            for process in self.processes:
                getattr(process, act)()
            seconds_taken, end = [], time.monotonic() + seconds
            while time.monotonic() < end:
                seconds_taken.append(clock.seconds(function, size))
            return {
                f"{name}, median": float(np.median(seconds_taken)),
                f"{name}, mean": float(np.mean(seconds_taken)),
                f"{name}, longest": max(seconds_taken),
            }

        return sample
