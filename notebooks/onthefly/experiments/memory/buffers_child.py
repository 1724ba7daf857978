"""Read one element of an array through a tensor that shares its memory.

In a process of its own, since TensorFlow may end it: see `buffers.readings`.
"""

import resource

from onthefly.experiments.memory.buffers import aligned
from onthefly.tools.quiet_tensorflow import tf


def element(offset):
    """Return the element, 7, of an array written after it was shared.

    offset  bytes that the array lies past a multiple of 64
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash leaves no file
    array = aligned(1024, offset)
    tensor = tf.experimental.dlpack.from_dlpack(array.__dlpack__())
    array[3] = 7
    return float(tensor[3])
