"""A process of TensorFlow: a server, or the client of some servers.

The library that servers.py builds stands before its ``bind``.
"""

import ctypes
import socket

import psutil

from onthefly.experiments.graphs import cluster
from onthefly.kernels.count import counter_split
from onthefly.tools.quiet_tensorflow import tf

KINDS = ("GraphDef", "NodeDef", "FunctionDef", "AttrValue")
LOOPBACK = ("127.0.0.1", "::ffff:127.0.0.1", "::1")

_servers = []  # kept: a server ends when it is collected


def serialised():
    """Return {kind: how often the library turned a message into bytes}."""
    library = ctypes.CDLL(None)
    return {
        kind: ctypes.c_long.in_dll(library, f"serialised_{kind}").value
        for kind in KINDS
    }


def guarded():
    """Return how many calls of `bind` were led to loopback."""
    return ctypes.c_long.in_dll(ctypes.CDLL(None), "guarded").value


def listen():
    """Start a server; return its port, which the system gives.

    Raises RuntimeError unless every socket of this process is on loopback;
    the first is Python's own, opened to see whether `bind` is guarded.
    """
    with socket.socket() as trial:
        trial.bind(("0.0.0.0", 0))  # the guard makes it 127.0.0.1
        if trial.getsockname()[0] != "127.0.0.1":
            raise RuntimeError("LD_PRELOAD has no effect: no server started")
    server = tf.distribute.Server({"local": ["localhost:0"]}, "local", 0)
    for each in psutil.Process().net_connections("inet"):
        if each.laddr.ip not in LOOPBACK:
            raise RuntimeError(f"a socket on {each.laddr.ip}: server ended")
    _servers.append(server)
    return int(server.target.rsplit(":", 1)[1])


def connect(addresses):
    """Make the tasks at some addresses devices of eager execution."""
    workers = tf.train.ClusterSpec({"worker": addresses})
    tf.config.experimental_connect_to_cluster(workers)
    devices = tf.config.list_logical_devices()
    return [d.name for d in devices if "worker" in d.name]


def steps(way, count):
    """Add 1 so many times on task 0; return the sum.

    way  "eager", an operation at a time, or "function", one traced graph
    """
    with tf.device(counter_split.task(0)):
        return int(counter_split.STEPS[way](count))


def stages(addresses):
    """Return {stage: {kind: messages serialised}} of the counter's life.

    addresses  of two servers, for the stage that has them
    """
    counts = {}
    for name, action in cluster.stages(addresses):
        before = serialised()
        action()
        counts[name] = {k: n - before[k] for k, n in serialised().items()}
    return counts
