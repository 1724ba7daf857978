"""JAX with numbers of 64 bits, and without a word on a GPU it cannot have.

Whoever uses JAX in this project takes it from here::

    from onthefly.tools.quiet_jax import jax, jnp

By itself, JAX makes float32 of every float64, and int32 of every int64.
Where it can see no GPU, its build or CUDA being without one, it would still
look for one at its first use, and warn; so it is told to use the processor,
unless JAX_PLATFORMS says otherwise.
"""

import jax
import jax.numpy as jnp

from onthefly.tools import devices

jax.config.update("jax_enable_x64", True)
if not jax.config.jax_platforms and not devices.may_see("jax"):
    jax.config.update("jax_platforms", "cpu")

__all__ = ["jax", "jnp"]
