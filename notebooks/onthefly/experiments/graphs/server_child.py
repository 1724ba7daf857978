"""A process of TensorFlow: a server, or the client of some servers.

Reads lines of JSON, ``[command, argument...]``, and answers each with
``{"answer": ...}`` or ``{"error": one line}``.  It leaves at the end of its
input, whatever it is doing.  Started by tensorflow_servers.
"""

import ctypes
import json
import os
import queue
import socket
import sys
import threading

KINDS = ("GraphDef", "NodeDef", "FunctionDef", "AttrValue")


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


def ready():
    """Import TensorFlow."""
    from onthefly.tools.quiet_tensorflow import tf

    return tf.__version__


def listen():
    """Start a server; return its port, which the system gives.

    Raises RuntimeError unless every socket of this process is on loopback;
    the first is Python's own, opened to see whether `bind` is guarded.
    """
    import psutil

    with socket.socket() as trial:
        trial.bind(("0.0.0.0", 0))  # the guard makes it 127.0.0.1
        if trial.getsockname()[0] != "127.0.0.1":
            raise RuntimeError("LD_PRELOAD has no effect: no server started")
    from onthefly.tools.quiet_tensorflow import tf

    global server  # kept: it ends when it is collected
    server = tf.distribute.Server({"local": ["localhost:0"]}, "local", 0)
    local = ("127.0.0.1", "::ffff:127.0.0.1", "::1")
    for each in psutil.Process().net_connections("inet"):
        if each.laddr.ip not in local:
            raise RuntimeError(f"a socket on {each.laddr.ip}: server ended")
    return int(server.target.rsplit(":", 1)[1])


def connect(addresses):
    """Make the tasks at some addresses devices of eager execution."""
    from onthefly.tools.quiet_tensorflow import tf

    cluster = tf.train.ClusterSpec({"worker": addresses})
    tf.config.experimental_connect_to_cluster(cluster)
    devices = tf.config.list_logical_devices()
    return [d.name for d in devices if "worker" in d.name]


def steps(way, count):
    """Add 1 so many times on task 0; return the sum.

    way  "eager", an operation at a time, or "function", one traced graph
    """
    from onthefly.kernels import counter_split

    with counter_split.tf.device(counter_split.task(0)):
        return int(counter_split.STEPS[way](count))


def stages(addresses):
    """Return {stage: {kind: messages serialised}} of the counter's life.

    addresses  of two servers, for the stage that has them
    """
    from onthefly.kernels import counter_split

    found = {}
    for name, action in counter_split.stages(addresses):
        before = serialised()
        action()
        found[name] = {k: n - before[k] for k, n in serialised().items()}
    return found


COMMANDS = (serialised, guarded, ready, listen, connect, steps, stages)


def read(lines):
    """Put the questions into a queue; end the process after the last."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main():
    commands = {command.__name__: command for command in COMMANDS}
    lines = queue.SimpleQueue()
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    ready()
    while True:
        name, *arguments = json.loads(lines.get())
        try:
            answer = {"answer": commands[name](*arguments)}
        except Exception as error:  # whatever it is, the parent reports it
            text = str(error).strip().split("\n")[0]
            answer = {"error": f"{type(error).__name__}: {text}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
