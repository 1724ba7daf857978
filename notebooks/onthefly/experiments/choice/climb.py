"""From the roof of memory to that of arithmetic, by rising polynomials."""

from onthefly.experiments.choice import roof_loops, roofs

DENSE = 16  # degree at which a loop computes, and hardly moves anything
DEGREES = (1, 2, 4, 8, 16, 32)


class Climb:
    """Loops that lead from the roof of memory to that of arithmetic.

    room     a Room, whose arrays no cache holds
    threads  how many cores work
    degrees  of the polynomials, from few operations on a byte to many

    `variants` are the loops by name, for the stopwatch, and `sizes` the bytes
    that each goes over; the methods take the Timings.
    """

    def __init__(self, room, threads, degrees=DEGREES):
        self._loops = {d: f"degree {d}, {_cores(threads)}" for d in degrees}
        self._dense = f"in the cache, {_cores(threads)}"
        self._copying = f"copying, {_cores(threads)}"
        loops = {
            name: roof_loops.horner(d) for d, name in self._loops.items()
        }
        loops |= {
            self._dense: roof_loops.horner(DENSE),
            self._copying: roof_loops.COPYING,
        }
        self.name = _cores(threads)
        self.variants = {k: room.trial(x, threads) for k, x in loops.items()}
        self.sizes = {name: [room.most] for name in loops}
        self.sizes[self._dense] = [roofs.LEAST * threads]

    def time(self, times, degree):
        """Return the seconds of a call with one of the degrees."""
        return times.seconds(self._loops[degree], self._size(degree))

    def _size(self, degree):
        return self.sizes[self._loops[degree]][0]

    def points(self, times):
        """Return {operations a byte: Gflop/s} of the polynomials."""
        return {
            roof_loops.horner(d).intensity.ratio: self.variants[name].speed(
                self.time(times, d), self._size(d)
            )
            for d, name in self._loops.items()
        }

    def peak(self, times):
        """Return the roof of arithmetic, in Gflop/s."""
        (size,) = self.sizes[self._dense]
        seconds = times.seconds(self._dense, size)
        return self.variants[self._dense].speed(seconds, size)

    def bandwidth(self, times):
        """Return the roof of memory, in GB/s."""
        (size,) = self.sizes[self._copying]
        seconds = times.seconds(self._copying, size)
        return self.variants[self._copying].bandwidth(seconds, size)

    def roof(self, times):
        """Return both roofs, to be drawn over the points."""
        return roofs.roof(
            self.points(times), self.peak(times), self.bandwidth(times)
        )


def _cores(threads):
    return "one core" if threads == 1 else f"{threads} cores"
