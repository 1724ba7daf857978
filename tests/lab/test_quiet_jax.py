"""JAX as the lab loads it: which numbers, which devices, what it prints."""

import os
import subprocess
import sys

import pytest

from onthefly.measure import machine

pytestmark = pytest.mark.slow  # JAX loads for a second, in each process

LOADED = """
from onthefly.tools import devices
devices.may_see = lambda name: {may_see}
from onthefly.tools.quiet_jax import jax, jnp
print(jnp.ones(1).dtype, jnp.arange(1).dtype, jax.config.jax_platforms)
"""


def loaded(may_see=False, **environment):
    """Return what a process of its own prints once it has loaded JAX.

    The types of its numbers and the platforms it may use; without a word of
    JAX itself.
    """
    pytest.importorskip("jax", exc_type=ImportError)
    own = {k: v for k, v in os.environ.items() if k[:4] != "JAX_"}
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(may_see=may_see)],
        env=own | environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_numbers_have_64_bits_whatever_the_environment_says():
    assert loaded(JAX_ENABLE_X64="0")[:2] == ["float64", "int64"]


@pytest.mark.skipif(machine.has_cuda(), reason="there is a GPU")
def test_the_processor_is_named_where_no_gpu_can_be_seen():
    assert loaded()[2] == "cpu"
    assert loaded(may_see=True)[2] == "None"
