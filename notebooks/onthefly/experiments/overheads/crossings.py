"""An addition by a library with tensors: into it, there, and out again.
Source: Okuda, PyCon JP 2018, slide 33.
"""

import functools

import numpy as np


class Crossing:
    """One array in, one added to it, the result out, by one library.

    name    "TF" or "torch"
    arrays  {size: array}
    device  of PyTorch's tensors; TensorFlow's are where it puts them

    The library is loaded at the first call.
    """

    def __init__(self, name, arrays, device="cpu"):
        self._name, self._arrays, self._device = name, arrays, device

    @functools.cached_property
    def _kit(self):
        """Return the library's (into, add, out)."""
        if self._name == "TF":
            from onthefly.tools.quiet_tensorflow import tf

            one = tf.constant(np.float32(1))
            into, add = tf.convert_to_tensor, lambda x: tf.add(x, one)
            return into, add, lambda x: x.numpy()
        from onthefly.tools.quiet_torch import torch

        into = functools.partial(torch.tensor, device=self._device)
        return into, lambda x: x + 1.0, lambda x: x.cpu().numpy()

    @functools.cached_property
    def _resident(self):
        """Return {size: tensor}."""
        into, _, _ = self._kit
        return {n: into(array) for n, array in self._arrays.items()}

    def into(self, size):
        """Return a tensor of the array's numbers."""
        into, _, _ = self._kit
        return into(self._arrays[size])

    def out(self, size):
        """Return an array of the tensor's numbers."""
        _, _, out = self._kit
        return out(self._resident[size])

    def resident(self, size):
        """Return a tensor, one more than the tensor that is there."""
        _, add, _ = self._kit
        return add(self._resident[size])

    def whole(self, size):
        """Return an array, one more than the array."""
        into, add, out = self._kit
        return out(add(into(self._arrays[size])))

    def in_turn(self, size):
        """Make the same three calls, and pass nothing on."""
        into, add, out = self._kit
        into(self._arrays[size])
        add(self._resident[size])
        out(self._resident[size])


def ways(crossings, *calls):
    """Return {"TF into": call(size)} of some Crossings' methods.

    crossings  {name: Crossing}
    calls      names of methods; "in_turn" becomes "in turn"
    """
    return {
        f"{name} {call.replace('_', ' ')}": getattr(crossing, call)
        for name, crossing in crossings.items()
        for call in calls
    }
