"""π by TensorFlow from NumPy's numbers."""

import pytest

from cases import bad_shots, tensorflow_or_skip
from onthefly.kernels import z_score


def test_fed_numbers_estimate_pi():
    tensorflow_or_skip()
    from onthefly.kernels.pi.pi_tensorflow_fed import pi_tensorflow_fed

    assert z_score(pi_tensorflow_fed(10**5), 10**5) < 5


@bad_shots
def test_bad_shots_are_refused(shots, error):
    tensorflow_or_skip()
    from onthefly.kernels.pi.pi_tensorflow_fed import pi_tensorflow_fed

    with pytest.raises(error, match="shots must be"):
        pi_tensorflow_fed(shots)
