"""A cubic at each number of an array, compiled by JAX for each length."""

from onthefly.tools.quiet_jax import jax


@jax.jit
def _values(x):
    return ((2.0 * x + 3.0) * x - 5.0) * x + 7.0


def polynomial_jax(x):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    return _values(x).block_until_ready()
