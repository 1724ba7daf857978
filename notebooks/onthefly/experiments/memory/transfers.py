"""The price of data on its way: the link's rating, the model, break-even.

A copy of n bytes takes a + b·n seconds: `a` is its latency, 1/b its
bandwidth.  One such line a direction tells what a call costs whose arguments
and result live on the other side.
"""

import dataclasses
import itertools
import math

from onthefly import machine, models
from onthefly.quantity import Quantity

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


def link():
    """Return {generation, width} of the first GPU's PCIe link, or None.

    Both are the most that device and system can do together: an idle link
    is slowed down to save power.  None without a GPU, or where NVML does not
    tell, as in some virtual machines.
    """
    if not machine.has_cuda():
        return None
    import pynvml

    try:
        pynvml.nvmlInit()
        device = pynvml.nvmlDeviceGetHandleByIndex(0)
        found = {
            "generation": pynvml.nvmlDeviceGetMaxPcieLinkGeneration(device),
            "width": pynvml.nvmlDeviceGetMaxPcieLinkWidth(device),
        }
        pynvml.nvmlShutdown()
    except pynvml.NVMLError:
        return None
    known = found["generation"] in _PCIE and found["width"] >= 1
    return found if known else None


def lines(times, memory="pinned"):
    """Fit a + b·n to the copies of each direction.

    times   Timings with series ``in, <memory>`` and ``out, <memory>``
            against bytes
    memory  the host's side: "pinned" or "pageable"

    Returns {"in": Fit, "out": Fit}, in seconds and bytes.
    """
    found = {}
    for way in DIRECTIONS:
        name = f"{way}, {memory}"
        sizes = times.sizes(name)
        seconds = [times.seconds(name, n).value for n in sizes]
        found[way] = models.line(sizes, seconds)
    return found


def bandwidth(seconds, size):
    """Return `size` bytes over a Quantity of seconds, in GB/s."""
    value, high, low = (
        size / end / 1e9 if end else math.inf
        for end in (seconds.value, seconds.low, seconds.high)
    )
    return dataclasses.replace(
        seconds, value=value, low=low, high=high, unit="GB/s"
    )


def marked(text, origin):
    """Return text with the mark of borrowed numbers, as a Quantity's."""
    mark = Quantity(1, 1, 1, origin=origin).short.removeprefix("1.00")
    return f"{text}{mark}"


def owned(quantity, origin):
    """Return the Quantity as of this origin."""
    return dataclasses.replace(quantity, origin=origin)


def share(value, origin):
    """Return a share as text, with the mark of borrowed numbers."""
    return owned(Quantity.exact(round(value, 3), "%"), origin).short


def constants(laws, origin, rated=None):
    """Return rows for a table: latency, bandwidth and knee of each copy.

    laws    {memory: lines(...)}
    origin  of the Timings fitted
    rated   the link's bytes a second, if known
    """
    rows = []
    for memory, way in itertools.product(laws, DIRECTIONS):
        fit = laws[memory][way]
        knee = fit["a"].value / fit["b"].value
        row = {
            "copy": f"{way}, {memory}",
            "latency a": owned(fit["a"], origin),
            "bandwidth 1/b": owned(bandwidth(fit["b"], 1), origin),
            "knee a/b": marked(f"{knee:,.0f} bytes", origin),
            "off by at most": share(fit.worst, origin),
        }
        if rated:
            part = 1 / fit["b"].value / rated
            row["of the link"] = share(part, origin)
        rows.append(row)
    return rows


class Way:
    """What an operation costs by NumPy, and on a device, there and back.

    times    Timings of ``copy_trials.operations``
    laws     the copies' {"in": Fit, "out": Fit}
    name     the operation
    results  bytes of a number of the result; an argument's has four
    units    the work that n numbers are, a function

    `predicted` holds (n, predicted over measured) of the whole way.
    """

    def __init__(self, times, laws, name, results, units):
        self._laws, self._bytes, self._units = laws, (4, results), units
        self.name, self.numbers = name, times.sizes(f"{name}, NumPy")
        took = {
            way: [times.seconds(f"{name}, {way}", n).value
                  for n in self.numbers]
            for way in ("NumPy", "resident", "there and back")
        }  # fmt: skip
        work = [units(n) for n in self.numbers]
        self._by_numpy = models.line(work, took["NumPy"])
        self._resident = models.line(work, took["resident"])
        guess = [
            self.copies(n) + there
            for n, there in zip(self.numbers, took["resident"], strict=True)
        ]
        whole = took["there and back"]
        self.predicted = [
            (n, g / w)
            for n, g, w in zip(self.numbers, guess, whole, strict=True)
        ]
        self.share = self.copies(self.numbers[-1]) / whole[-1]

    def copies(self, n, end="value"):
        """Return the seconds of the copies in and out of n numbers."""
        sent = zip(DIRECTIONS, self._bytes, strict=True)
        return sum(cost(self._laws[way], b * n, end) for way, b in sent)

    def by_numpy(self, n, end="value"):
        """Return NumPy's seconds for n numbers, by its line."""
        return cost(self._by_numpy, self._units(n), end)

    def there_and_back(self, n, end="value"):
        """Return the seconds of the whole way, by the lines."""
        work = cost(self._resident, self._units(n), end)
        return self.copies(n, end) + work

    def even(self, reach):
        """Return ``break_even`` of NumPy and the whole way."""
        return break_even(self.by_numpy, self.there_and_back, reach)


def cost(fit, n, end="value"):
    """Return a + b·n of a ``line``, or its "low" or "high" end."""
    return getattr(fit["a"], end) + getattr(fit["b"], end) * n


def round_trip(laws, size, origin):
    """Return the seconds of a copy in and one out, a Quantity.

    laws    {"in": Fit, "out": Fit}, as of ``lines``
    size    bytes, each way
    origin  of the Timings fitted

    Its interval takes each constant at its worse end.
    """
    value, low, high = (
        sum(cost(laws[way], size, end) for way in DIRECTIONS)
        for end in ("value", "low", "high")
    )
    return Quantity(value, low, high, "s", origin=origin)


def break_even(slow, fast, reach):
    """Return from which size `fast` wins, where no straight line tells.

    slow, fast  functions (size, end) that return seconds; end is "value",
                "low" or "high"
    reach       (smallest, largest) size to look at

    Returns (size, low, high), each a float, or None where `fast` wins
    nowhere within reach.  An end lies at an end of the reach where it is
    not within.  ``(reach[0], …)`` means that it wins everywhere.
    """
    from scipy.optimize import brentq

    low, high = map(float, reach)

    def meet(end_slow, end_fast):
        def lost(n):
            return fast(n, end_fast) - slow(n, end_slow)

        if lost(low) <= 0:
            return low
        return brentq(lost, low, high) if lost(high) < 0 else None

    value = meet("value", "value")
    if value is None:
        return None
    early, late = meet("high", "low"), meet("low", "high")
    return value, early, high if late is None else late
