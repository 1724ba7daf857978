"""Which kernels an operation starts: called from Python, and in a session."""

import numpy as np

from onthefly.experiments.overheads import profiles
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
EAGER = "EagerLocalExecute: "  # what the profiler writes before the name

# A few operations of a matrix, of several kinds.
OPERATIONS = {
    "product": lambda x: tf.matmul(x, x),
    "sum": lambda x: x + x,
    "exp": tf.exp,
    "total": lambda x: tf.reduce_sum(x, axis=[0, 1]),
    "gather": lambda x: tf.gather(x, [1]),
    "transpose": tf.transpose,
    "sorted": lambda x: tf.math.top_k(x).values,
    "softmax": tf.nn.softmax,
}
_PLUMBING = {"Const", "_EagerConst", "_Arg", "_Retval", "NoOp"}


def eager(operation, x):
    """Return the value of an operation, and the kernels that it started.

    operation  function of a tensor
    x          array

    As TensorFlow's profiler names them, a sorted list; constants are left
    out.
    """
    tensor = tf.constant(x)
    counts = profiles.tensorflow(lambda: operation(tensor), calls=3).counts
    kernels = {k.removeprefix(EAGER) for k in counts if k.startswith(EAGER)}
    return operation(tensor).numpy(), sorted(kernels - _PLUMBING)


def session(operation, x):
    """Return the same of a session that runs a graph of the operation."""
    with tf.Graph().as_default() as graph:
        fed = v1.placeholder(x.dtype, x.shape)
        wanted = operation(fed)
        known = {node.type for node in graph.get_operations()}
    with v1.Session(graph=graph) as running:
        value = running.run(wanted, {fed: x})
        stamps = profiles.tensorflow(
            lambda: running.run(wanted, {fed: x}), calls=3
        ).counts
    pairs = (stamp.rpartition(":") for stamp in stamps)
    kernels = {
        kernel for _, mark, kernel in pairs if mark and kernel in known
    }
    return value, sorted(kernels - _PLUMBING)


def rows(x, operations=OPERATIONS):
    """Return a row a table for each operation: kernels, and equal bits."""
    table = []
    for name, operation in operations.items():
        (here, called), (there, run) = (
            way(operation, x) for way in (eager, session)
        )
        table.append(
            {
                "operation": name,
                "called from Python": ", ".join(called),
                "run by a session": ", ".join(run),
                "the same bits": bool(np.array_equal(here, there)),
            }
        )
    return table


def same(row):
    """Tell whether a row of `rows` has one kernel, and one result."""
    return row["the same bits"] and (
        row["called from Python"] == row["run by a session"] != ""
    )
