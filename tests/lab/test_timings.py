"""The table of samples, and what makes it doubtful."""

import pytest

from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings, doubt


def series(values, load=0.0, others=0.0):
    return Series("a", None, 1.0, tuple(values), 1, load, others)


def test_doubt_names_what_is_wrong():
    assert doubt(series([1.0] * 8), cores=2) == ""
    assert "spread" in doubt(series([1, 1, 1, 2, 2, 2.0]), cores=2)
    assert "load 2.5 on 2 cores" in doubt(series([1.0] * 8, 2.5), cores=2)
    assert "only 3 samples" in doubt(series([1.0] * 3), cores=2)
    busy = series([1.0] * 8, others=0.5)
    assert "others used 0.5 of 2 cores" in doubt(busy, cores=2)


def beside(others, **shares):
    """Return Timings of candidates, each with its share in other threads."""
    values = (1.0, 1.1, 0.9, 1.2, 1.0, 1.1)
    return Timings(
        [Series(k, None, None, values, others=others, other_threads=share)
         for k, share in shares.items()], cores=2
    )  # fmt: skip


@pytest.mark.parametrize(
    ("others", "share", "lost"),
    [(1.0, 0.02, 0), (0.6, 0.5, 0.6), (0.6, None, 0.6), (1.4, 0.02, 0.4),
     (1.4, 0.5, 1), (0.0, 0.5, 0), (0.0, None, 0)],
)  # fmt: skip
def test_others_may_have_cost_the_share_that_they_had(others, share, lost):
    times = beside(others, loop=0.0, way=share)
    way = times.seconds("way")
    assert way.disturbed == pytest.approx(lost)
    alone = beside(0.0, loop=0.0, way=share).seconds("way")
    assert way.low == pytest.approx((1 - lost) * alone.low)
    assert way.high == alone.high and way.value == alone.value


def test_unknown_series_names_what_there_is():
    with pytest.raises(KeyError, match="there are: a @ None"):
        Timings([series([1.0])]).seconds("b")


def two(origin=""):
    """Return Timings of two series at one size, in the same rounds."""
    pairs = {"slow": [2.0, 4.0, 6.0] * 3, "fast": [1.0, 2.0, 3.0] * 3}
    return Timings(
        [Series(k, None, 5.0, tuple(v)) for k, v in pairs.items()],
        cores=2,
        origin=origin,
    )


def test_a_ratio_is_taken_round_by_round():
    times = two()
    ratio = times.ratio("slow", "fast")
    assert (ratio.value, ratio.low, ratio.high, ratio.unit) == (2, 2, 2, "×")
    same = times.seconds("slow") / times.seconds("fast")
    assert (same.value, same.low, same.high) == (2, 2, 2)
    assert "slow: spread" in ratio.note and "fast: spread" in ratio.note
