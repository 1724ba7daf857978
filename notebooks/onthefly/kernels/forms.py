"""The forms of data that variants take, and how NumPy's arrays become them.

To bring data into a form, and the result back, has a price of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Form:
    """A form of data.

    load    function of a NumPy array: the same in this form
    unload  function of a result in this form: the same as arrays
    """

    load: Callable
    unload: Callable


def _same(data):
    return data


def _numpy(tensor):
    return tensor.numpy()


def _tensor(array):
    from onthefly.tools.quiet_tensorflow import tf

    return tf.constant(array)


def _torch(array):
    from onthefly.tools.quiet_torch import torch

    return torch.from_numpy(array)


def _torch_device(array):
    return _torch(array).to("cuda")


def _jax(array, kind="cpu"):
    from onthefly.tools.quiet_jax import jax, jnp

    # It stays on this device, and what is made from it, too.  device_put
    # would copy, or share the array's memory, by where that begins.
    tensor = jnp.array(array, device=jax.devices(kind)[0])
    return tensor.block_until_ready()


def _jax_device(array):
    return _jax(array, "cuda")


def _cupy(array):
    import cupy

    return cupy.asarray(array)


def _cuda(array):
    from numba import cuda

    return cuda.to_device(array)


FORMS = {
    "lists": Form(np.ndarray.tolist, np.asarray),
    "arrays": Form(_same, _same),
    "TensorFlow": Form(_tensor, _numpy),
    "PyTorch": Form(_torch, _numpy),
    "JAX": Form(_jax, np.asarray),
    "Numba CUDA": Form(_cuda, lambda array: array.copy_to_host()),
    "CuPy": Form(_cupy, lambda array: array.get()),
    "PyTorch, GPU": Form(_torch_device, lambda tensor: tensor.cpu().numpy()),
    "JAX, GPU": Form(_jax_device, np.asarray),
}


def loaded(data, form):
    """Return a problem's arguments in a form.

    data  tuple; what is no array, as a text or a number, stays as it is
    """
    load = FORMS[form].load
    return tuple(load(x) if isinstance(x, np.ndarray) else x for x in data)


def unloaded(result, form):
    """Return a variant's result as NumPy's arrays; text and numbers stay.

    result  one, or a tuple of them
    """
    if isinstance(result, tuple):
        return tuple(unloaded(part, form) for part in result)
    plain = isinstance(result, (int, float, dict, np.ndarray, np.generic))
    return result if plain else FORMS[form].unload(result)
