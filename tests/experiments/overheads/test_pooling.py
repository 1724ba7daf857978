"""The median over the rounds of several sizes."""

from onthefly.experiments.overheads.pooling import pooled
from onthefly.quantity import EXAMPLE
from onthefly.samples import Series
from onthefly.timings import Timings


def test_all_rounds_of_all_sizes_count():
    times = Timings(
        [Series("a", n, None, (n - 1.0, n, n + 1.0) * 2) for n in (10, 20)],
        origin=EXAMPLE,
    )
    found = pooled(times.seconds("a", n) - 15 for n in (10, 20))
    assert found.value == 0 and -6 <= found.low < 0 < found.high <= 6
    assert (found.unit, found.origin) == ("s", EXAMPLE)
    apart = pooled((times.seconds("a", n) - 15 for n in (10, 20)), abs)
    assert (apart.value, apart.low, apart.high) == (5, 4, 6)
