"""Who turns a loop, Python or the graph: ways of adding, and a count.

Source of the ways: Okuda, TFUG Tokyo 2018, slides 13, 16 and 30.
"""

import tempfile
from pathlib import Path

import numpy as np

from onthefly.kernels.add import add_tensorflow as add
from onthefly.tools.quiet_tensorflow import tf

ADDITIONS = {
    "eager": add.add_eager,
    "unrolled graph": add.add_unrolled,
    "Session.run": add.add_session,
    "while_loop": add.add_while,
    "tf.function": add.add_function,
}


def additions(steps):
    """Return {way: function}, each adding one so many times to zeros.

    steps  additions in a call

    The functions take the number of zeros; these are made once.
    """
    zeros = {}

    def adding(add_ones):
        def call(size):
            if size not in zeros:
                zeros[size] = np.zeros(size, np.float32)
            return add_ones(zeros[size], steps)

        return call

    return {name: adding(way) for name, way in ADDITIONS.items()}


def entered(wrap, calls=1):
    """Return how often Python, and TensorFlow, ran a function's body.

    wrap   makes the function that is called from one that holds the body,
           a Python statement and a `tf.print`
    calls  of that function, with the numbers from 0 on
    """
    python = []

    def body(x):
        python.append(x)
        tf.print("TensorFlow", output_stream=f"file://{file}")
        return [x + 1]

    with tempfile.TemporaryDirectory() as folder:
        file, wrapped = Path(folder) / "lines", wrap(body)
        for k in range(calls):
            wrapped(tf.constant(k))
        return len(python), len(file.read_text().split())


def as_it_is(body):
    """Call the body eagerly."""
    return body


def fifty_turns(body):
    """Return a function that runs the body 50 times in a while_loop."""
    start = [tf.constant(0)]
    return lambda x: tf.while_loop(lambda i: i < 50, body, start)


def fifty_turns_traced(body):
    """Return the same function, traced."""
    return tf.function(fifty_turns(body))


def in_python(hits):
    """Call a function without arguments twice, by Python's ``for``."""
    return int(sum(hits() for _ in range(2)))


def in_while_loop(hits):
    """Call it twice, by an eager `tf.while_loop`."""
    start = 0, tf.constant(0, tf.int64)
    turns = tf.while_loop(
        lambda i, _: i < 2, lambda i, total: (i + 1, total + hits()), start
    )
    return int(turns[1])
