"""Time on a device by its own stamps, without the host's share.

An event is stamped when the device gets to it.  A device with nothing to do
gets there at once, while the host still prepares the launch that is to be
timed, and the stamps would hold that preparation, too.  So a hold goes
first: work that lasts until all of the rest is in line.
"""

TRIES = 24  # doublings of a hold


class Stopwatch:
    """Times what a device does between two events.

    event   makes one, as ``numba.cuda.event``
    hold    keeps the device busy: function of a length, a whole number
    length  of the first hold; doubled as long as it is too short
    """

    def __init__(self, event, hold, length=64):
        self._start, self._end = event(), event()
        self._hold, self._length = hold, length

    def seconds(self, launch):
        """Return the device's seconds for what `launch` puts in line.

        launch  function without arguments that does not wait for the device

        Raises RuntimeError where the device is never found behind.
        """
        for _ in range(TRIES):
            self._hold(self._length)
            self._start.record()
            launch()
            self._end.record()
            idle = self._start.query()  # it got there before we were done
            self._end.synchronize()
            if not idle:
                return self._start.elapsed_time(self._end) / 1000
            self._length *= 2
        raise RuntimeError(
            "events: the device is never behind; does the launch wait for it?"
        )
