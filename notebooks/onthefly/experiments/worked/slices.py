"""What XLA makes of a sweep over a grid that JAX compiles."""

import re

from onthefly.programs import heat


def copied():
    """Return how many parts of the grid the compiled sweep copies first."""
    from onthefly.programs.heat.heat_jax import swept

    text = swept.lower(heat.picture(), 1).compile().as_text()
    return len(re.findall(r"= f64\S+ fusion\(.*calls=%\w*slice_comp", text))
