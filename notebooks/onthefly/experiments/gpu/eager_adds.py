"""TensorFlow's eager additions on a device, one after the other.

Source: Okuda, TFUG Tokyo 2018, slides 13, 14 and 30.
"""

from onthefly.measure.clock import measure
from onthefly.tools.quiet_tensorflow import tf

STEPS = 10  # additions of a call


def chain(size, device="/GPU:0", **how):
    """Return the Samples of a call that adds 1 to an array, STEPS times.

    size  numbers of the array, in single precision, which is on the device
    how   goes to ``clock.measure``
    """
    with tf.device(device):
        zeros = tf.zeros([size])

    def additions():
        a = zeros
        with tf.device(device):
            for _ in range(STEPS):
                a = tf.add(a, 1)
        return a

    assert (additions().numpy() == STEPS).all()
    return measure({"additions": additions}, **how)
