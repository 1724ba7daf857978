"""π by JAX: NumPy's operations, compiled to one program by XLA.

Source for random numbers by key: JAX's documentation,
https://docs.jax.dev/en/latest/random-numbers.html
"""

import functools
import random

from onthefly.kernels import check_shots
from onthefly.tools.quiet_jax import jax, jnp

stream = random.Random


@functools.partial(jax.jit, static_argnames="shots")
def _hits(seed, shots):
    key = jax.random.key(seed)
    x, y = jax.random.uniform(key, (2, shots), jnp.float64)
    return jnp.count_nonzero(x * x + y * y <= 1.0)


def pi_jax(shots, rng=None, device="cpu"):
    """Return π estimated from `shots` points, in float64.

    rng     a ``random.Random``, or None: makes the seed of the call's key
    device  "cpu" or "cuda"

    XLA compiles anew for each number of shots.  Raises RuntimeError where
    JAX has no such device.
    """
    shots = check_shots(shots)
    seed = (rng or random).getrandbits(63)
    with jax.default_device(jax.devices(device)[0]):
        return 4.0 * int(_hits(seed, shots)) / shots
