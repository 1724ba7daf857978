"""Where the numbers of arrays and tensors lie, and who shares them."""

import signal

import numpy as np

from onthefly.tools.processes import Ended, Lazy, Program


def aligned(size, offset=0, dtype=np.float32):
    """Return zeros that lie so many bytes past a multiple of 64."""
    length = size * np.dtype(dtype).itemsize
    raw = np.zeros(length + 128, np.uint8)
    start = -raw.ctypes.data % 64 + offset
    return raw[start : start + length].view(dtype)


def view(holder):
    """Return the numbers of an array or tensor as an array, uncopied.

    holder  NumPy or JAX array, TensorFlow or PyTorch tensor, on the
            processor
    """
    if hasattr(holder, "data_ptr"):  # PyTorch
        return holder.numpy()
    return np.asarray(memoryview(holder))


def address(holder):
    """Return where the numbers of an array or a tensor lie.

    holder  of NumPy, PyTorch, Numba or CuPy, on any device, or of
            TensorFlow or JAX on the processor

    Raises TypeError for what tells no address.
    """
    if hasattr(holder, "data_ptr"):  # PyTorch
        return holder.data_ptr()
    for name in ("__cuda_array_interface__", "__array_interface__"):
        if hasattr(holder, name):
            return getattr(holder, name)["data"][0]
    try:
        return view(holder).ctypes.data  # TensorFlow, JAX
    except TypeError:
        kind = type(holder).__name__
        raise TypeError(f"no address in a {kind}") from None


def shares(way, source):
    """Tell whether ``way(source)`` shares memory with its source.

    Returns (same address, what a write through the source shows): the
    second is "yes" or "no", or "cannot be written".
    """
    made, numbers = way(source), view(source)
    same = address(made) == address(source)
    if not numbers.flags.writeable:
        return same, "cannot be written"
    numbers[0] += 7
    return same, "yes" if view(made)[0] == numbers[0] else "no"


def compare(ways):
    """Return a table's rows: who shares memory, by address and by writing.

    ways  {name: (way, source, what was said of it)}, for `shares`
    """
    outcomes = {
        k: shares(way, source) for k, (way, source, _) in ways.items()
    }
    return [
        {
            "way": name,
            "in the talk": ways[name][2],
            "by its address": "shares" if same else "copies",
            "a write shows": shows,
        }
        for name, (same, shows) in outcomes.items()
    ]


def to_tensorflow(holder):
    """Return a TensorFlow tensor on the memory of an array or tensor."""
    from onthefly.tools.quiet_tensorflow import tf

    return tf.experimental.dlpack.from_dlpack(holder.__dlpack__())


def fed_address(array):
    """Return the address at which a Session sees an array that is fed.

    It is the array's own where the Session shares its memory.
    """
    from onthefly.tools.quiet_tensorflow import tf

    seen = []

    def look(inside):
        seen.append(inside.ctypes.data)
        return np.int64(0)

    with tf.Graph().as_default() as graph:
        fed = tf.compat.v1.placeholder(array.dtype, array.shape)
        looked = tf.numpy_function(look, [fed], tf.int64)
    with tf.compat.v1.Session(graph=graph) as session:
        session.run(looked, {fed: array})
    return seen[0]


def start_reading():
    """Return the program that reads shared memory through TensorFlow.

    It starts when `readings`, which it is for, first asks it.
    """
    return Lazy(lambda: Program("onthefly.experiments.memory.buffers_child"))


def readings(reader, *offsets):
    """Return in words what comes of each offset; end the reader.

    offsets  bytes past a multiple of 64, tried one after the other

    The last says by what signal TensorFlow ended the process, if it did.
    Raises ProcessError where it fails in another way.
    """
    outcomes = []
    with reader:
        try:
            for offset in offsets:
                outcomes.append(f"it reads {reader.ask('element', offset)}")
        except Ended as end:
            if end.status is None or end.status >= 0:
                raise
            name = signal.Signals(-end.status).name
            outcomes.append(f"the process is ended by {name}")
    return outcomes
