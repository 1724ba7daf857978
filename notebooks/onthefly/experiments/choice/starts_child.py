"""A process that has imported nothing yet, in which a library starts."""

import importlib
import time


def _numba():
    import numba

    numba.njit(lambda n: n + 1)(1)


def _prange():
    import numba
    import numpy as np

    @numba.njit(parallel=True)
    def fill(x):
        for k in numba.prange(len(x)):
            x[k] = k

    fill(np.empty(8))


def _threads():
    from onthefly.kernels.pools import threads, usable

    list(threads(usable(None)).map(abs, range(8)))


def _processes():
    from onthefly.kernels.pools import processes, usable

    list(processes(usable(None)).map(abs, range(8)))


def _tensorflow():
    from onthefly.tools.quiet_tensorflow import tf

    tf.config.set_visible_devices([], "GPU")
    tf.function(lambda x: x + 1.0)(tf.constant(1.0))


def _torch():
    from onthefly.tools.quiet_torch import torch

    torch.ones(8) + 1


def _jax():
    from onthefly.tools.quiet_jax import jax

    with jax.default_device(jax.devices("cpu")[0]):
        jax.jit(lambda x: x + 1)(1.0).block_until_ready()


def _delayed():
    from dask import delayed

    delayed(abs)(1).compute(scheduler="threads")


def _dask_array():
    import dask.array as da

    da.ones(8, chunks=4).sum().compute(scheduler="threads")


def _dask_bag():
    import dask.bag as db

    db.from_sequence(range(8)).sum().compute(scheduler="threads")


def _numba_cuda():
    _numba()
    import numpy as np
    from numba import cuda

    cuda.to_device(np.ones(8)).copy_to_host()


def _cupy():
    import cupy

    cupy.ones(8).get()


def _torch_on_device():
    from onthefly.tools.quiet_torch import torch

    (torch.ones(8, device="cuda") + 1).cpu()


def _jax_on_device():
    from onthefly.tools.quiet_jax import jax

    with jax.default_device(jax.devices("cuda")[0]):
        jax.jit(lambda x: x + 1)(1.0).block_until_ready()


USES = {  # {name: function that imports and uses it for the first time}
    "numba": _numba,
    "numba.prange": _prange,
    "threads": _threads,
    "processes": _processes,
    "tensorflow": _tensorflow,
    "torch": _torch,
    "jax": _jax,
    "numba.cuda": _numba_cuda,
    "cupy": _cupy,
    "torch.cuda": _torch_on_device,
    "jax.cuda": _jax_on_device,
    "dask": _delayed,
    "dask.array": _dask_array,
    "dask.bag": _dask_bag,
}


def started(name):
    """Return the seconds until a library has done its first small thing.

    name  one of USES, or a module that is imported alone
    """
    start = time.perf_counter()
    USES.get(name, lambda: importlib.import_module(name))()
    return time.perf_counter() - start
