"""Heavy functions by TensorFlow and by PyTorch, on arrays or on tensors.
Source: Okuda, PyCon JP 2018, slide 32.
"""

import numpy as np

from onthefly.tools.quiet_tensorflow import tf
from onthefly.tools.quiet_torch import torch

FUNCTIONS = ("FFT", "resize", "solve")
_BY = {
    "TF FFT": tf.signal.fft,
    "TF resize": lambda x: tf.image.resize(
        x[None, ..., None], [x.shape[0] // 2] * 2
    ),
    "TF solve": lambda x: tf.linalg.solve(x, x[:, :1]),
    "torch FFT": torch.fft.fft,
    "torch resize": lambda x: torch.nn.functional.interpolate(
        x[None, None], scale_factor=0.5, mode="bilinear"
    ),
    "torch solve": lambda x: torch.linalg.solve(x, x[:, :1]),
}
KITS = {"TF": tf.constant, "torch": torch.tensor}


def heavy_input(function, size, seed=0):
    """Return an input: a complex vector, or a square matrix with a solution.

    function  of FUNCTIONS; "resize" takes the matrix for an image
    size      the vector's length, or the matrix's side
    """
    rng = np.random.default_rng(seed)
    if function == "FFT":
        return rng.random(size).astype(np.complex64)
    matrix = rng.random((size, size), np.float32)
    return matrix + size * np.eye(size, dtype=np.float32)


def heavy_ways(kit, function, sizes):
    """Return (whole, resident), two functions of the size.

    kit  "TF" or "torch"

    ``whole(size)`` takes an array and returns one; ``resident(size)`` takes a
    tensor that is there and returns one.
    """
    call, tensor = _BY[f"{kit} {function}"], KITS[kit]
    arrays = {n: heavy_input(function, n) for n in sizes}
    tensors = {n: tensor(array) for n, array in arrays.items()}
    return (
        lambda n: call(tensor(arrays[n])).numpy(),
        lambda n: call(tensors[n]),
    )


def heavy_jobs(by_function):
    """Return ({name: call(size)}, {name: sizes}) of both kits.

    by_function  {function: sizes}

    Each name, such as ``TF FFT``, has a twin that ends in ``, resident``.
    Raises AssertionError where the kits' results differ at the first size.
    """
    jobs, job_sizes = {}, {}
    for kit in KITS:
        for function, sizes in by_function.items():
            name = f"{kit} {function}"
            pair = heavy_ways(kit, function, sizes)
            jobs[name], jobs[f"{name}, resident"] = pair
            job_sizes |= dict.fromkeys((name, f"{name}, resident"), sizes)
    for function, sizes in by_function.items():
        results = [
            np.squeeze(jobs[f"{kit} {function}"](sizes[0])) for kit in KITS
        ]
        assert np.allclose(*results, rtol=1e-3, atol=1e-3), function
    return jobs, job_sizes


def overhead(times, name):
    """Return {elements: share of a call that is not the function's work}.

    times  Timings of `heavy_jobs`; the smallest size tells what the call
           itself takes, and is left out
    """
    least, *sizes = times.sizes(name)
    call = times.seconds(f"{name}, resident", least)
    shares = {}
    for n in sizes:
        work = times.seconds(f"{name}, resident", n) - call
        share = 1 - work / times.seconds(name, n)
        shares[n if "FFT" in name else n * n] = share.named("%")
    return shares
