"""The mixing function of seeds."""

import numpy as np

from onthefly.kernels import splitmix
from onthefly.kernels.pi import pi_limit


def test_splitmix_gives_its_published_numbers():
    """The first five of the seed that implementations are checked with."""
    k = np.arange(1, 6, dtype=np.uint64)
    seeded = np.uint64(1234567) + k * splitmix.STEP
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert splitmix.mix(seeded).tolist() == published
    assert [int(pi_limit.mix64(z)) for z in seeded] == published
