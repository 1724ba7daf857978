"""How often intervals of several sessions hold the truth, by simulation."""

import numpy as np
import pytest

from onthefly.measure.quantity import Quantity, Rounds
from running.sharpen import LOOKS

pytestmark = pytest.mark.calibration

RUNS, ROUNDS = 20_000, 12
SHIFTS = (0.0, 0.5, 1.0, 3.0)  # of sessions, in scatters of a round
SCATTER = 0.1  # of a time, as a share of it
MIDDLE = {"times": 1.0, "differences": 0.0}  # the truth


def sessions(rng, count, shift, kind):
    """Return skewed samples, a list for each of the shifted sessions."""
    scatter = rng.gamma(4, 0.5, (count, ROUNDS))
    middle = 1.8360  # the median of that distribution
    samples = scatter - middle + rng.normal(0, shift, (count, 1))
    return np.exp(SCATTER * samples) if kind == "times" else samples


def quantity(samples, kind):
    values = tuple(map(tuple, samples))
    signed = kind == "differences"
    return Quantity.of_rounds(Rounds(None, values, signed=signed))


@pytest.mark.parametrize("kind", MIDDLE)
@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("shift", SHIFTS)
def test_the_interval_covers_what_sessions_disagree_on(count, shift, kind):
    rng = np.random.default_rng(count)
    held = 0
    for _ in range(RUNS):
        q = quantity(sessions(rng, count, shift, kind), kind)
        held += q.low <= MIDDLE[kind] <= q.high
    assert held / RUNS >= 0.945


@pytest.mark.parametrize("kind", MIDDLE)
@pytest.mark.parametrize("shift", SHIFTS)
def test_measuring_until_it_is_settled_is_seldom_wrong(shift, kind):
    """The truth lies on the limit, where a wrong word is likeliest."""
    rng = np.random.default_rng(7)
    limit, wrong, begun = MIDDLE[kind], 0, 0
    for _ in range(RUNS):
        samples = sessions(rng, LOOKS[-1], shift, kind)
        if (quantity(samples[:1], kind) > limit).holds is not None:
            continue  # one session settled it: nothing is sharpened
        begun += 1
        for look in LOOKS:
            holds = (quantity(samples[:look], kind) > limit).holds
            if holds is not None:
                wrong += holds
                break
    assert wrong / begun <= 0.05
