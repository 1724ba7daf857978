"""A graph and its server, or eager execution, under TensorFlow 1.4 to 1.9.

The program of `then.served`, for Python 3.6: behind the library that guards
`bind` a server; without it what a session gives to C++, and what eager
execution cannot do.
"""

import ctypes
import socket
import sys
from collections import Counter

import tensorflow as tf

# What Python asks of the runtime to run something, in these versions.
RUN = (
    "TF_Run",
    "TF_SessionRun_wrapper",
    "TFE_Py_Execute",
    "TFE_Py_FastPathExecute",
)
LIMIT = 20000  # milliseconds that one call of a server may take
_state = {}


def listen():
    """Start a server; return its port, which the system gives.

    Raises RuntimeError where its sockets are not led to loopback.
    """
    with socket.socket() as trial:
        trial.bind(("0.0.0.0", 0))  # the guard makes it 127.0.0.1
        if trial.getsockname()[0] != "127.0.0.1":
            raise RuntimeError("LD_PRELOAD has no effect: no server started")
    guarded = ctypes.c_long.in_dll(ctypes.CDLL(None), "guarded")
    before = guarded.value
    server = tf.train.Server({"worker": ["localhost:0"]}, "worker", 0)
    if guarded.value == before:
        raise RuntimeError("the server's bind was not led to loopback")
    _state["server"] = server  # it ends when it is collected
    return int(tf.compat.as_str(server.target).rsplit(":", 1)[1])


def _counter():
    """Return the article's counter: (start, a step)."""
    state = tf.Variable(0, name="counter")
    one = tf.constant(1)
    new_value = tf.add(state, one)
    update = tf.assign(state, new_value)
    return tf.global_variables_initializer(), update


def _loop():
    """Return a loop that adds 1: (number of steps to feed, the sum)."""
    steps = tf.placeholder(tf.int32, [])
    _, total = tf.while_loop(
        lambda k, total: tf.less(k, steps),
        lambda k, total: (tf.add(k, 1), tf.add(total, 1)),
        [0, 0],
    )
    return steps, total


def open_session(target=""):
    """Make both graphs and a session that the process keeps.

    target  "grpc://host:port" of a server; "" for this process
    """
    with tf.Graph().as_default() as graph:
        init, update = _counter()
        steps, total = _loop()
    config = tf.ConfigProto(operation_timeout_in_ms=LIMIT if target else 0)
    session = tf.Session(target, graph, config)
    _state.update(
        session=session, init=init, update=update, steps=steps, total=total
    )


def first_run():
    """Set the counter to 0: the session's first run."""
    _state["session"].run(_state["init"])


def by_runs(count):
    """Add 1 so many times, by a run each; return the counter."""
    for _ in range(count):
        total = _state["session"].run(_state["update"])
    return int(total)


def by_loop(count):
    """Add 1 so many times, in a loop of the graph; return the sum."""
    feed = {_state["steps"]: count}
    return int(_state["session"].run(_state["total"], feed))


def runtime_calls(way, count):
    """Return how often Python calls the runtime for so many steps.

    way  name of a function of the number of steps
    """
    called = Counter()

    def note(frame, event, what):
        if event == "c_call":
            called[what.__name__] += 1

    globals()[way](2)  # what is made once
    sys.setprofile(note)
    try:
        total = globals()[way](count)
    finally:
        sys.setprofile(None)
    if total < count:
        raise ValueError(f"{way}: {total} after {count} steps")
    return sum(called[name] for name in RUN)


def handed_over():
    """Return how many nodes a session's first run gives to C++ as bytes.

    As it is read from the bytes of each GraphDef that TF_ExtendGraph, of
    the C API, gets; [] where there is none.
    """
    from tensorflow.python.client import session as client

    api, nodes = client.tf_session, []
    plain = api.TF_ExtendGraph

    def noted(session, data, *others):
        nodes.append(len(tf.GraphDef.FromString(data).node))
        return plain(session, data, *others)

    api.TF_ExtendGraph = noted
    try:
        open_session()
        first_run()
    finally:
        api.TF_ExtendGraph = plain
    return nodes


# What a table says that eager execution lacks.


def enable(devices=1):
    """Begin as an eager program; before anything else is asked.

    devices  into how many the processor is divided
    """
    from tensorflow.contrib import eager

    config = tf.ConfigProto(device_count={"CPU": devices})
    eager.enable_eager_execution(config=config)
    return eager.list_devices()


def at_once(number):
    """Return twice a number, as an eager line gives it."""
    return int((tf.constant(number) * 2).numpy())


def _refused(call):
    """Return the error of a call in a line, "" where it has none."""
    try:
        call()
    except (tf.errors.OpError, AttributeError, RuntimeError, ValueError) as e:
        return f"{type(e).__name__}: {str(e).splitlines()[0]}"
    return ""


def on_device(name):
    """Return why an eager product is refused on a device, "" if not."""

    def product():
        with tf.device(name):
            return tf.matmul([[2.0]], [[3.0]]).numpy()

    return _refused(product)


def monitored(target):
    """Return why a monitored session is refused on a server, "" if not."""

    def run():
        with tf.train.MonitoredTrainingSession(target) as session:
            return session.run(tf.constant(1))

    return _refused(run)


def replicated(devices):
    """Return why the version's towers, one a device, are refused.

    They are an Estimator's, in contrib.estimator; "" if they are made.
    """

    def estimator():
        model_fn = tf.contrib.estimator.replicate_model_fn(
            lambda features, labels, mode: None,
            lambda: tf.train.GradientDescentOptimizer(0.1),
            devices=devices,
        )
        return tf.estimator.Estimator(model_fn)

    return _refused(estimator)
