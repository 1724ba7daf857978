"""Steps to 1 from each number of an array, compiled by JAX for each length.

A loop for one number, which `vmap` turns into one for all of them: it goes on
until the last is there.
"""

from onthefly.tools.quiet_jax import jax


def _on(state):
    x, _ = state
    return x != 1


def _step(state):
    x, steps = state
    return jax.lax.select(x % 2 == 0, x // 2, 3 * x + 1), steps + 1


def _steps(start):
    return jax.lax.while_loop(_on, _step, (start, 0))[1]


_all_steps = jax.jit(jax.vmap(_steps))


def collatz_jax(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    return _all_steps(starts).block_until_ready()
