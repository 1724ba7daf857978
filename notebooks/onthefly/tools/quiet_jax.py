"""JAX in 64 bits.

Who sets what JAX reads once takes it from here::

    from onthefly.tools.quiet_jax import jax
"""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402

__all__ = ["jax", "jnp"]
