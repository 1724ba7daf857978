"""Counts of whole numbers, compiled by JAX for each length and number of
bins."""

import functools

from onthefly.tools.quiet_jax import jax, jnp


@functools.partial(jax.jit, static_argnames="bins")
def _counts(values, bins):
    return jnp.bincount(values, length=bins)


def histogram_jax(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    return _counts(values, bins).block_until_ready()
