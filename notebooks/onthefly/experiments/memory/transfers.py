"""The price of data on its way: the link's rating, the model, break-even.

A copy of n bytes takes a + b·n seconds: `a` is its latency, 1/b its
bandwidth.  One such line a direction tells what a call costs whose arguments
and result live on the other side.
"""

import itertools

from onthefly.measure import machine, models
from onthefly.measure.quantity import Quantity

DIRECTIONS = ("in", "out")

# Transfers a second and lane, in units of 10^9, and the share that is left
# after the line code, by the generation of PCI Express.
_PCIE = {
    1: (2.5, 8 / 10),
    2: (5, 8 / 10),
    3: (8, 128 / 130),
    4: (16, 128 / 130),
    5: (32, 128 / 130),
    6: (64, 242 / 256),
}


def rating(generation, width):
    """Return the bytes a second of a PCI Express link, in one direction.

    What is left after the line code; packets' heads take more.  Raises
    ValueError for an unknown generation or a width below 1.
    """
    if generation not in _PCIE or width < 1:
        raise ValueError(f"PCIe generation {generation!r}, ×{width!r}")
    rate, share = _PCIE[generation]
    return rate * 1e9 * share * width / 8


def least(there, back, generation, width=16):
    """Return the seconds that a link needs at least, a Quantity.

    there, back        bytes each way, one way after the other
    generation, width  of PCI Express, as in ``rating``
    """
    seconds = (there + back) / rating(generation, width)
    return Quantity.exact(seconds, "s")


def link():
    """Return {generation, width} of the first GPU's PCIe link, or None.

    As `nvml.link` tells; None without a GPU that CUDA may use, or where NVML
    does not tell, as in some virtual machines.
    """
    bus = machine.gpu_link()
    known = bus and bus["generation"] in _PCIE and bus["width"]
    return bus if known else None


def lines(times, memory="pinned"):
    """Fit a + b·n to the copies of each direction.

    times   Timings with series ``in, <memory>`` and ``out, <memory>``
            against bytes
    memory  the host's side: "pinned" or "pageable"

    Returns {"in": Fit, "out": Fit}, in seconds and bytes.
    """
    return {way: _line(times, f"{way}, {memory}") for way in DIRECTIONS}


def _line(times, name, units=int):
    """Fit a + b·units(n) to a series against n."""
    sizes = times.sizes(name)
    seconds = [times.seconds(name, n) for n in sizes]
    return models.line([units(n) for n in sizes], seconds)


def bandwidth(seconds, size):
    """Return `size` bytes over a Quantity of seconds, in GB/s."""
    return (size / 1e9 / seconds).named("GB/s")


def constants(laws, rated=None):
    """Return rows for a table: latency, bandwidth and knee of each copy.

    laws   {memory: lines(...)}
    rated  the link's bytes a second, if known
    """
    rows = []
    for memory, way in itertools.product(laws, DIRECTIONS):
        fit = laws[memory][way]
        knee = fit["a"] / fit["b"]
        row = {
            "copy": f"{way}, {memory}",
            "latency a": fit["a"],
            "bandwidth 1/b": bandwidth(fit["b"], 1),
            "knee a/b": knee.worded(f"{knee.value:,.0f} bytes"),
            "off by at most": knee.worded(f"{100 * fit.worst:.1f} %"),
        }
        if rated:
            row["of the link"] = (1 / fit["b"] / rated).named("%").short
        rows.append(row)
    return rows


def round_trip(laws, size):
    """Return the seconds of a copy in and one out, a Quantity.

    laws  {"in": Fit, "out": Fit}, as of ``lines``
    size  bytes, each way
    """
    return laws["in"].at(size) + laws["out"].at(size)


class Way:
    """What an operation costs by NumPy, and on a device, there and back.

    times    Timings of ``copy_trials.operations``
    laws     the copies' {"in": Fit, "out": Fit}
    name     the operation
    results  bytes of a number of the result; an argument's has four
    units    the work that n numbers are, a function

    `predicted` holds (n, predicted over measured) of the whole way, for
    ``figures.ratios``; `share` is that of the copies at the largest size.
    """

    def __init__(self, times, laws, name, results, units):
        self._laws, self._results, self._units = laws, results, units
        self.name, self.numbers = name, times.sizes(f"{name}, NumPy")
        self._by_numpy = _line(times, f"{name}, NumPy", units)
        self._resident = _line(times, f"{name}, resident", units)
        parts = {
            n: (self.copies(n) + times.seconds(f"{name}, resident", n))
            / times.seconds(f"{name}, there and back", n)
            for n in self.numbers
        }
        self.predicted = [(n, part.value) for n, part in parts.items()]
        most = self.numbers[-1]
        whole = times.seconds(f"{name}, there and back", most)
        self.share = (self.copies(most) / whole).named("%")

    def copies(self, n):
        """Return the seconds of the copies in and out of n numbers."""
        there = self._laws["in"].at(4 * n)
        return there + self._laws["out"].at(self._results * n)

    def by_numpy(self, n):
        """Return NumPy's seconds for n numbers, by its line."""
        return self._by_numpy.at(self._units(n))

    def there_and_back(self, n):
        """Return the seconds of the whole way, by the lines."""
        return self.copies(n) + self._resident.at(self._units(n))

    def even(self, reach):
        """Return ``break_even`` of NumPy and the whole way."""
        return break_even(self.by_numpy, self.there_and_back, reach)


def even_rows(ways, crossings, tried, most):
    """Return rows for a table: from which size each operation pays.

    ways   {operation: Way}
    crossings  {operation: its ``even``}
    tried  Timings of ``copy_trials.tried`` at these sizes
    most   the largest size looked at
    """
    rows = []
    for name, even in crossings.items():
        whose = ways[name].share
        row = {"operation": name}
        if even:
            low, high = (f"{end:,.0f}" for end in (even.low, even.high))
            row["pays from"] = whose.worded(f"{even.value:,.0f} numbers")
            row["interval"] = whose.worded(f"{low} to {high}")
        else:
            row["pays from"] = whose.worded(f"not below {most:,}")
            row["interval"] = ""
        gain = ""
        if even and f"{name}, NumPy" in tried.names:
            gain = str(
                tried.ratio(f"{name}, NumPy", f"{name}, there and back")
            )
        row["NumPy's time over its own there"] = gain
        row["copies' share at the largest"] = ways[name].share.short
        rows.append(row)
    return rows


def largest_step(times, way="fresh"):
    """Return where a byte becomes dearest from a size to the next.

    times  Timings of copies against bytes

    Returns (size, {name: by how much a byte is dearer there}): the size
    where the step of `way` ends, and the step of each series, round by
    round.
    """

    def step(name, low, high):
        per = [times.seconds(name, n) / n for n in (low, high)]
        return (per[1] / per[0] - 1).named("%")

    low, high = max(
        itertools.pairwise(times.sizes(way)),
        key=lambda pair: step(way, *pair).value,
    )
    return high, {name: step(name, low, high) for name in times.names}


def break_even(slow, fast, reach):
    """Return from which size `fast` wins, where no straight line tells.

    slow, fast  functions of a size that return seconds, Quantities
    reach       (smallest, largest) size to look at

    Returns a Quantity without unit, or None where `fast` wins nowhere
    within reach.  An end of its interval lies at an end of the reach where
    it is not within; the smallest size of the reach means everywhere.
    """
    low, high = map(float, reach)
    size = _zero(lambda n: (fast(n) - slow(n)).value, low, high)
    if size is None:
        return None
    early = _zero(lambda n: (fast(n) - slow(n)).low, low, high)
    late = _zero(lambda n: (fast(n) - slow(n)).high, low, high)
    gain = fast(size) - slow(size)
    return Quantity(
        size,
        early,
        high if late is None else late,
        note=gain.note,
        disturbed=gain.disturbed,
        origin=gain.origin,
    )


def _zero(gain, low, high):
    """Return from where on a function is not above 0, or None."""
    from scipy.optimize import brentq

    if gain(low) <= 0:
        return low
    return brentq(gain, low, high) if gain(high) < 0 else None
