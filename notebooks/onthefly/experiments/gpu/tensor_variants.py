"""The ways of π by tensors that a page compares, on processor and device.

A library is loaded where one of its ways is first called, so that it may be
missing.  Source: Okuda, PyCon JP 2018, slides 27 to 34 and 50 to 53.
"""

import functools

import numpy as np

from onthefly.experiments.gpu import tensor_trials
from onthefly.experiments.speed.variants import Way
from onthefly.kernels.pi import pi_ports

LOOP = 100  # estimates of a call of "loops"
SIZES = (10**3, 10**4, 10**5, 10**6, 10**7)  # shots of a call on a device
GPU = "/GPU:0"

NUMPY = Way("pi_numpy", "pi_numpy_legacy")
NUMPY_PRINTED = Way("pi_ports", "pi_numpy_double")
TALK, LEAN = "PyTorch, as in the talk", "TensorFlow graph"
BASE, LISTING = "NumPy, as in the talk", "PyTorch, listing"


class Placed(Way):
    """A way of TensorFlow that runs within ``tf.device(device)``."""

    def __init__(self, device, module, function, **options):
        super().__init__(module, function, **options)
        self._device = device

    @functools.cached_property
    def _pi(self):
        from onthefly.kernels.pi import pi_tensorflow_device

        return pi_tensorflow_device.on_device(self._device, super()._pi)


def _tensorflow(device):
    """Return {name: way} of TensorFlow on a device."""
    kinds = {"eager": "", "graph": "_graph", "XLA": "_xla"}
    return {
        f"TensorFlow {kind}": Placed(
            device, "pi_tensorflow", f"pi_tensorflow{end}"
        )
        for kind, end in kinds.items()
    }


def on_processor():
    """Return {name: function of the shots that returns π}.

    float64 as in the talk, XLA in float32.  BASE and TALK are the talk's
    lines; LISTING lists the hits, as these do, and makes no ones.
    """
    torch = "pi_torch_device"
    return {
        "NumPy": NUMPY,
        BASE: NUMPY_PRINTED,
        TALK: Way("pi_torch_printed", "pi_torch_printed"),
        LISTING: Way(torch, "pi_torch_nonzero"),
        "PyTorch": Way(torch, "pi_torch_device"),
        "PyTorch, compiled": Way(torch, "pi_torch_compiled"),
        **_tensorflow("/CPU:0"),
    }


def _four(sees):
    """Return the talk's programs, as far as their library sees a device."""
    ways = {"NumPy": NUMPY_PRINTED}
    if sees["tensorflow"]:
        module = "pi_tensorflow_printed"
        graph = module, f"{module}_graph"
        ways |= {
            "TensorFlow graph, CPU": Placed("/CPU:0", *graph),
            "TensorFlow eager": Placed(GPU, module, module),
            LEAN: Placed(GPU, *graph),
        }
    if sees["cupy"]:
        ways["CuPy"] = Way("pi_cupy_printed", "pi_cupy_printed")
    if sees["torch"]:
        torch = "pi_torch_printed"
        ways["PyTorch"] = Way(torch, torch, device="cuda")
    return ways


def _fewer(sees):
    """Return what makes fewer launches, and what it is compared with."""
    from onthefly.experiments.gpu import torch_trials

    fused = {"CuPy": "", "CuPy, fused": "_fused", "CuPy, raw kernel": "_raw"}
    return {
        name: Way("pi_cupy", f"pi_cupy{end}") for name, end in fused.items()
    } | torch_trials.on_gpu()


def _looped(sees):
    """Return LOOP estimates by as many calls, and by one."""
    four = _four(sees)
    ways = {
        name: functools.partial(tensor_trials.repeat, four[name], LOOP)
        for name in (LEAN, "CuPy", "PyTorch")
        if name in four
    }
    if sees["tensorflow"]:
        loop = ("pi_tensorflow_device", "pi_tensorflow_loop")
        ways["TensorFlow loop"] = Placed(GPU, *loop, loop=LOOP)
    return ways


def _placed(sees):
    """Return PyTorch's points, drawn on the device or moved there."""
    from onthefly.experiments.gpu import torch_trials

    return torch_trials.made_or_moved()


def _fed(sees):
    """Return a graph that is fed its points, and one that draws them.

    And NumPy's program of the same talk, in float32.
    """
    module = "pi_tensorflow_device"
    return {
        "NumPy": functools.partial(pi_ports.port_numpy, np),
        "fed": Placed(GPU, module, "pi_tensorflow_fed"),
        "drawn": Placed(GPU, module, "pi_tensorflow_drawn"),
    }


# {group: (its ways, the libraries that must see a device: one, or all)}
GROUPS = {
    "device": (_four, any, ("tensorflow", "torch", "cupy")),
    "launches": (_fewer, all, ("cupy", "torch")),
    "loops": (_looped, any, ("tensorflow", "torch", "cupy")),
    "placement": (_placed, all, ("torch",)),
    "fed": (_fed, all, ("tensorflow",)),
}


def can(group, sees):
    """Tell whether a group can be measured.

    sees  {"tensorflow", "torch", "cupy": whether it sees a device}
    """
    _, needed, libraries = GROUPS[group]
    return needed(sees[name] for name in libraries)


def measured(group, sees, **options):
    """Return the Timings of a group on the device; each way checked first.

    group, sees  as in `can`
    options      as `clock.measure` takes them

    Raises ValueError for an estimate five standard deviations off.
    """
    ways, *_ = GROUPS[group]
    sizes = SIZES[:4] if group == "loops" else SIZES
    return tensor_trials.checked(ways(sees), list(sizes), **options)
