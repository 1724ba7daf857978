"""How often intervals of several sessions hold the truth, by simulation."""

import numpy as np
import pytest

from onthefly.quantity import Quantity, Rounds
from running.sharpen import LOOKS

pytestmark = pytest.mark.calibration

RUNS, ROUNDS = 20_000, 12
SHIFTS = (0.0, 0.5, 1.0, 3.0)  # of sessions, in scatters of a round


def sessions(rng, count, shift):
    """Return samples around 0, skewed as times are, in shifted sessions."""
    scatter = rng.gamma(4, 0.5, (count, ROUNDS))
    middle = 1.8360  # the median of that distribution
    return scatter - middle + rng.normal(0, shift, (count, 1))


def quantity(samples):
    return Quantity.of_rounds(Rounds(None, tuple(map(tuple, samples))))


@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("shift", SHIFTS)
def test_the_interval_covers_what_sessions_disagree_on(count, shift):
    rng = np.random.default_rng(count)
    held = 0
    for _ in range(RUNS):
        q = quantity(sessions(rng, count, shift))
        held += q.low <= 0 <= q.high
    assert held / RUNS >= 0.945


@pytest.mark.parametrize("shift", SHIFTS)
def test_measuring_until_it_is_settled_is_seldom_wrong(shift):
    """The truth lies on the limit, where a wrong word is likeliest."""
    rng = np.random.default_rng(7)
    wrong = begun = 0
    for _ in range(RUNS):
        samples = sessions(rng, LOOKS[-1], shift)
        if (quantity(samples[:1]) > 0).holds is not None:
            continue  # one session settled it: nothing is sharpened
        begun += 1
        for look in LOOKS:
            holds = (quantity(samples[:look]) > 0).holds
            if holds is not None:
                wrong += holds
                break
    assert wrong / begun <= 0.05
