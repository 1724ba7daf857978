"""The median over the rounds of several sizes."""

from onthefly.experiments.overheads.pooling import pooled
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def test_all_rounds_of_all_sizes_count():
    times = Timings(
        [Series("a", n, None, (n - 1.0, n, n + 1.0) * 2) for n in (10, 20)],
        origin="another machine",
    )
    median = pooled(times.seconds("a", n) - 15 for n in (10, 20))
    assert median.value == 0 and -6 <= median.low < 0 < median.high <= 6
    assert (median.unit, median.origin) == ("s", "another machine")
    distance = pooled((times.seconds("a", n) - 15 for n in (10, 20)), abs)
    assert (distance.value, distance.low, distance.high) == (5, 4, 6)
