"""The ways of the talk's first chart: are they right?"""

import pytest

from onthefly.experiments.speed.charted import charted
from onthefly.experiments.speed.variants import scores

pytestmark = pytest.mark.slow  # TensorFlow loads for seconds


def test_each_way_of_the_chart_estimates_pi():
    ways = charted(2)
    assert next(iter(ways)) == "Python"
    assert next(reversed(ways)) == "Numba, threads"
    off = scores(ways, 10**5)
    assert set(off) >= {"Python", "NumPy"} and max(off.values()) < 5
