"""Small trials of tensors: where they live, what shares, what waits.

Each takes the library as an argument, as ``pi_ports`` does, so that this
module loads none.  Source: Okuda, PyCon JP 2018, slides 27 to 34.
"""

import itertools
import time

import numpy as np

from onthefly.kernels import z_score
from onthefly.measure.clock import measure
from onthefly.measure.quantity import Quantity

# Names of NumPy that the talk's program takes.
NAMES = ("random.rand", "sqrt", "add", "multiply", "array", "ones",
         "less_equal", "count_nonzero", "float32")  # fmt: skip


def absent(library, names=NAMES):
    """Return those of NumPy's names that a library does not have."""

    def lacks(path):
        here = library
        for name in path.split("."):
            if not hasattr(here, name):
                return True
            here = getattr(here, name)
        return False

    return [name for name in names if lacks(name)]


def places(torch, device="meta"):
    """Return {expression: where its result is, or how it is refused}.

    The device "meta" has shapes and no data, and is on every machine.
    """
    x, here = torch.rand(3, device=device), torch.rand(3)

    def around():
        with torch.device(device):
            return torch.rand(3)

    trials = {
        "rand(3)": lambda: torch.rand(3),
        "x * x": lambda: x * x,
        "ones_like(x)": lambda: torch.ones_like(x),
        "x * rand(3)": lambda: x * here,
        "with device: rand(3)": around,
        "rand(3).to(device)": lambda: here.to(device),
        "rand(3).cuda()": here.cuda,
    }
    return {text: _place(make) for text, make in trials.items()}


def _place(make):
    try:
        return str(make().device)
    except (RuntimeError, AssertionError) as error:
        return "refused: " + str(error).splitlines()[0]


def gpu_block(tf, soft):
    """Return where a matrix and its product land in ``tf.device("/gpu:0")``.

    soft  whether TensorFlow may take another device (its default)

    Two device names, or "refused" twice.
    """
    before = tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(soft)
    try:
        with tf.device("/gpu:0"):
            a = tf.random.uniform([10, 10])
            return [t.device.rsplit("device:")[-1] for t in (a, a @ a)]
    except tf.errors.InvalidArgumentError:
        return ["refused", "refused"]
    finally:
        tf.config.set_soft_device_placement(before)


def two_clocks(call, wait):
    """Return the seconds until `call` returns, and until it is done.

    wait  function of what `call` returns; returns when that is there
    """
    start = time.perf_counter()
    out = call()
    returned = time.perf_counter() - start
    wait(out)
    return returned, time.perf_counter() - start


def made(torch, call):
    """Return how many operations a call runs, and the bytes they take."""
    with torch.autograd.profiler.profile(profile_memory=True) as profile:
        call()
    events = [e for e in profile.key_averages() if e.key != "[memory]"]
    taken = sum(max(e.self_cpu_memory_usage, 0) for e in events)
    return sum(e.count for e in events if e.key.startswith("aten")), taken


def trips(tf=None, torch=None, cupy=None):
    """Return {calls: (into, out)} of the libraries given."""

    def fetch(tensor):
        return tensor.cpu().numpy()

    routes = {}
    if tf:
        into = tf.convert_to_tensor
        routes["convert_to_tensor, .numpy"] = into, lambda t: t.numpy()
        routes["convert_to_tensor, np.asarray"] = into, np.asarray
    if torch:
        routes["tensor, .cpu().numpy"] = torch.tensor, fetch
        routes["from_numpy, .cpu().numpy"] = torch.from_numpy, fetch
    if cupy:
        routes["array, asnumpy"] = cupy.array, cupy.asnumpy
    return routes


def crosses(into, out):
    """Return whether a round trip keeps all, and whether each way shares.

    A way shares where a change on one side is seen on the other; of the way
    out, where two results are one memory.
    """
    source = np.arange(8.0)
    tensor = into(source)
    result, again = out(tensor), out(tensor)
    same = result.dtype == source.dtype and np.array_equal(result, source)
    source[:] = -1.0
    shares_in = bool(out(tensor)[0] == -1.0)
    return same, shares_in, bool(np.shares_memory(result, again))


def seen(source, take, place=3):
    """Tell whether a change of `source` is seen in what `take` made of it.

    source  an array or tensor of numbers that can be written to
    """
    other = take(source)
    source[:] = 7.0
    return float(other[place]) == 7.0


def handovers(tf=None, torch=None, cupy=None):
    """Return {from, to: whether DLPack shared memory}, libraries given.

    With `cupy`, PyTorch's tensor is on the GPU.
    """
    shared = {}
    if torch:
        shared["NumPy to PyTorch"] = seen(np.arange(8.0), torch.from_dlpack)
        shared["PyTorch to NumPy"] = seen(torch.arange(8.0), np.from_dlpack)
    if torch and tf:
        unpack = tf.experimental.dlpack.from_dlpack
        shared["PyTorch to TensorFlow"] = seen(
            torch.arange(8.0), lambda t: unpack(t.__dlpack__())
        )
        with tf.device("/CPU:0"):
            constant = tf.range(8.0)  # cannot be written to: ask twice
        taken = [torch.from_dlpack(constant) for _ in range(2)]
        first, second = (t.data_ptr() for t in taken)
        shared["TensorFlow to PyTorch"] = first == second
    if torch and cupy:
        shared["PyTorch to CuPy, on the GPU"] = seen(
            torch.arange(8.0, device="cuda"), cupy.from_dlpack
        )
    return shared


def bridge(torch, device="cuda"):
    """Return {statement on a tensor of `device`: whether it holds}."""
    host = torch.arange(8.0)
    there = host.to(device)
    which = torch.tensor([3, 1], device=device)
    branch = torch.where(there > 3, there, torch.zeros_like(there))
    return {
        "results stay there": (there * there).device == there.device,
        "the way back is exact": torch.equal(there.cpu(), host),
        "gather": there[which].tolist() == [3.0, 1.0],
        "scatter": there.index_fill(0, which, 9.0).tolist()[3] == 9.0,
        "branch": branch.sum().item() == 4.0 + 5.0 + 6.0 + 7.0,
    }


def held(tf=None, torch=None, cupy=None):
    """Return a row of the GPU's bytes for each library that is given."""
    rows = []
    if torch:
        memory = torch.cuda
        used, total = memory.memory_allocated(), memory.memory_reserved()
        rows.append({"library": "PyTorch", "in use": used, "held": total})
    if cupy:
        pool = cupy.get_default_memory_pool()
        used, total = pool.used_bytes(), pool.total_bytes()
        rows.append({"library": "CuPy", "in use": used, "held": total})
    if tf:
        used = tf.config.experimental.get_memory_info("GPU:0")["current"]
        rows.append(
            {"library": "TensorFlow, growing", "in use": used, "held": None}
        )
    return rows


def checked(ways, sizes, **options):
    """Check each way of π at each size, then measure them; return Timings.

    options  as `measure` takes them

    Raises ValueError for an estimate five standard deviations off.
    """
    for (name, way), shots in itertools.product(ways.items(), sizes):
        if z_score(estimate := way(shots), shots) > 5:
            raise ValueError(f"{name}: π = {estimate} from {shots} shots")
    return measure(ways, sizes=sizes, **options)


def repeat(way, times, shots):
    """Return the mean of so many estimates, one call each."""
    return sum(way(shots) for _ in range(times)) / times


def in_order(seconds, order):
    """Return the share of the steps of `order` that are gains, a Quantity.

    seconds  {name: Quantity}
    order    names, said to be from slow to fast
    """
    return Quantity.held(
        seconds[slow] > seconds[fast]
        for slow, fast in itertools.pairwise(order)
    )
