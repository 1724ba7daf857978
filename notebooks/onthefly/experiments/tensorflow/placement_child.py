"""Where operations run: in a process of its own, for devices are set once.

The processor is split into two devices of TensorFlow, so that there is a
choice without a GPU, too.
"""

import functools

from onthefly.tools.quiet_tensorflow import tf


@functools.cache
def devices():
    """Return the short names of the devices, as "CPU:1"."""
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(
        cpu, [tf.config.LogicalDeviceConfiguration()] * 2
    )
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    return [_short(d.name) for d in tf.config.list_logical_devices()]


def _short(name):
    return ":".join(name.split(":")[-2:])


def product(device, soft=True):
    """Return where a random matrix and its square lie, or an error's words.

    device  as for tf.device, or None: TensorFlow chooses
    soft    whether another device may do where this one is missing
    """
    devices()
    tf.config.set_soft_device_placement(soft)
    try:
        with tf.device(device):
            x = tf.random.uniform([10, 10])
            y = tf.matmul(x, x)
    except tf.errors.InvalidArgumentError as error:
        return str(error).partition(".")[0]
    finally:
        tf.config.set_soft_device_placement(True)
    return ", ".join(_short(tensor.device) for tensor in (x, y))


def beyond(device):
    """Return what gathering index 7 of three numbers gives on a device."""
    devices()
    try:
        with tf.device(device):
            element = tf.gather(tf.constant([1.0, 2.0, 3.0]), tf.constant(7))
            return f"{float(element):g}"
    except tf.errors.InvalidArgumentError as error:
        return type(error).__name__
