"""A chain of small operations: called one by one, or run as one graph."""

import contextlib
import functools

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def power(x, operations):
    """Return x multiplied by itself, so many times.

    Of cosines a graph's optimiser would make one operation.
    """
    y = x
    for _ in range(operations):
        y = y * x
    return y


class Sessions(contextlib.ExitStack):
    """Sessions of chains, one for each length; a context manager."""

    @functools.cache  # noqa: B019 - as long as the page
    def _open(self, operations, length):
        with tf.Graph().as_default() as graph:
            fed = v1.placeholder(tf.float32, [length])
            wanted = power(fed, operations)
        session = v1.Session(graph=graph)  # not entered: it would stay the
        self.callback(session.close)  # default, with its graph
        return session, wanted, fed

    def run(self, x, operations):
        """Return the chain's end for an array, by its session."""
        session, wanted, fed = self._open(operations, len(x))
        return session.run(wanted, {fed: x})
