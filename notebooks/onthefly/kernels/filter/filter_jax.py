"""A filter with a memory, compiled by JAX for each length.

``lax.scan`` is the loop as it stands.  ``lax.associative_scan`` would share
it: by another algorithm, which needs an equation that is linear, and does
more work.  It is for devices with many cores.
"""

from onthefly.kernels.filter import A, B
from onthefly.tools.quiet_jax import jax


def _step(last, v):
    last = A * last + B * v
    return last, last


@jax.jit
def _filtered(x):
    return jax.lax.scan(_step, 0.0, x)[1]


def filter_jax(x):
    """Return the array of filtered numbers, float64 of shape (n,)."""
    return _filtered(x).block_until_ready()
