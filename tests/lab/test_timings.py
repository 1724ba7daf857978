"""The table of samples, and what makes it doubtful."""

import pytest

from onthefly.samples import Series
from onthefly.timings import Timings, doubt


def series(values, load=0.0, others=0.0):
    return Series("a", None, 1.0, tuple(values), 1, load, others)


def test_doubt_names_what_is_wrong():
    assert doubt(series([1.0] * 8), cores=2) == ""
    assert "spread" in doubt(series([1, 1, 1, 2, 2, 2.0]), cores=2)
    assert "load 2.5 on 2 cores" in doubt(series([1.0] * 8, 2.5), cores=2)
    assert "only 3 samples" in doubt(series([1.0] * 3), cores=2)
    busy = series([1.0] * 8, others=0.5)
    assert "others used 0.5 of 2 cores" in doubt(busy, cores=2)
    assert Timings([busy], cores=2).seconds("a").contended
    assert not Timings([busy], cores=8).seconds("a").contended


def beside(others, **shares):
    """Return Timings of candidates, each with its share in other threads."""
    values = (1.0, 1.1, 0.9, 1.2, 1.0, 1.1)
    return Timings(
        [Series(k, None, None, values, others=others, other_threads=share)
         for k, share in shares.items()], cores=2
    )  # fmt: skip


@pytest.mark.parametrize(
    ("others", "share", "contended"),
    [(1.0, 0.02, False), (1.0, 0.5, True), (1.0, None, True),
     (1.4, 0.02, True), (0.0, 0.5, False), (0.0, None, False)],
)  # fmt: skip
def test_others_contend_with_what_needs_free_cores(others, share, contended):
    times = beside(others, loop=0.0, way=share)
    a, b = (times.seconds(name) for name in times.names)
    for ratio in (times.ratio("loop", "way"), 2 * a / b, (a - b / 2) / a):
        assert ratio.contended is contended
    assert ((3 * a > b).holds is None) == contended
    # A time is longer beside others, and so is a sum or a difference.
    assert a.contended == (a + b).contended == (others > 0)
    of_another_run = beside(others, loop=0.0).seconds("loop")
    assert (a / of_another_run).contended == (others > 0)


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
