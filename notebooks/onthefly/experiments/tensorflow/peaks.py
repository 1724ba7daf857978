"""How much memory a computation of TensorFlow needs at once.

Each answer comes from a copy of a process in which freed memory goes back to
the system at once, so that what lies in memory is what is in use.  There the
greatest resident size is set back, a call is made, and the size is read.
Needs Linux, from 4.0 on.
"""

import functools
import pathlib

import cloudpickle

from onthefly.experiments.graphs import workers
from onthefly.experiments.tensorflow import resident
from onthefly.measure import clock, libraries
from onthefly.measure.samples import Reading
from onthefly.tools.processes import Program
from onthefly.tools.quiet_tensorflow import tf

_CLEAR = pathlib.Path("/proc/self/clear_refs")
_PEAK = "5"  # what is written to set the greatest size back

# glibc then gives each block of its size back when it is freed; and with
# oneDNN, TensorFlow has an allocator that keeps what is freed.
_GIVES_BACK = {
    "MALLOC_MMAP_THRESHOLD_": str(2**16),
    "MALLOC_TRIM_THRESHOLD_": "0",
    workers.ONEDNN: "0",
}


def here():
    """Tell whether this system sets a process's greatest size back."""
    try:
        _CLEAR.write_text(_PEAK)
    except OSError:  # not there, or not to be written
        return False
    return True


def start():
    """Return the Origin that processes are copied from.

    Raises libraries.Missing where the system does not set a process's
    greatest size back: a page then leaves out what needs it, as for want of
    a library.
    """
    if not here():
        raise libraries.Missing(f"Linux's {_CLEAR}")
    return Origin()


class _Started:
    """Something that starts when it is first asked; closing ends it.

    A context manager.
    """

    @functools.cached_property
    def _process(self):
        return self._start()

    def close(self):
        """End it, if it was started."""
        if "_process" in vars(self):
            self._process.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Origin(_Started):
    """A Program with TensorFlow, which has run nothing."""

    def _start(self):
        return Program(workers.CHILD, environment=_GIVES_BACK)

    def fork(self, environment):
        """Return a Fork of it."""
        return self._process.fork(environment)


class Process(_Started):
    """A copy of a process that answers of peaks, a thread an operation.

    origin  what `start` returned
    inter   operations that may run side by side
    """

    def __init__(self, origin, inter=1):
        self._origin, self._inter = origin, inter

    def _start(self):
        return workers.fork(self._origin, intra=1, inter=self._inter)

    def calls(self, function, *arguments, way="eager"):
        """Return a sampler: the Reading of function(*arguments) there.

        way        one of WAYS
        arguments  arrays become tensors, once, beforehand

        Its seconds, and as a count "bytes": the greatest size during the
        call less the size before, and so without the arguments.
        """

        @functools.cache
        def number():
            sent = cloudpickle.dumps((function, arguments, way))
            return self.ask(keep, sent)

        def sample():
            seconds, size = self.ask(measured, number())
            return Reading(seconds, {"bytes": size})

        return sample

    def ask(self, function, *arguments):
        """Return function(*arguments) of that process."""
        return self._process.ask(function, *arguments)


WAYS = {
    "eager": lambda function: function,
    "graph": lambda function: tf.function(function, autograph=False),
    "XLA": lambda function: tf.function(
        function, autograph=False, jit_compile=True
    ),
}
_KEPT = []


def keep(sent):
    """Take what is to be called, call it once, and return its number.

    sent  function, arguments and way, pickled; way None: what the function
          returns is to be called
    """
    function, arguments, way = cloudpickle.loads(sent)
    if way is None:
        _KEPT.append(function(*arguments))
    else:
        ready = map(tf.constant, arguments)
        _KEPT.append(functools.partial(WAYS[way](function), *ready))
    _KEPT[-1]()
    return len(_KEPT) - 1


def measured(number):
    """Return the seconds and the extra bytes of a call that was kept."""
    _KEPT[number]()  # what an earlier question left is given back by now
    _CLEAR.write_text(_PEAK)
    before = resident.size("VmRSS")
    seconds = clock.seconds(_KEPT[number])
    return seconds, resident.peak_memory() - before
