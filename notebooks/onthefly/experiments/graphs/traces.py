"""What a run of a graph started, kernel by kernel, and what a graph holds."""

import re

from onthefly.kernels.pi.pi_tensorflow_session import Sessions, build_once
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def trace(session, feeds):
    """Run a graph once; return [(node, kernel)] of what it ran.

    session  of a graph whose fetch is called "out"
    feeds    {tensor's name: array}
    """
    options = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE)
    metadata = v1.RunMetadata()
    session.run("out:0", feeds, options=options, run_metadata=metadata)
    return [
        (n.node_name, re.search(r"= (\w+)", n.timeline_label)[1])
        for device in metadata.step_stats.dev_stats
        for n in device.node_stats
    ]


def names(graph):
    """Return the names of a graph's nodes, those of its functions too.

    A loop's body is such a function.
    """
    proto = graph.as_graph_def()
    inner = [node for f in proto.library.function for node in f.node_def]
    return [node.name for node in [*proto.node, *inner]]


def additions(names):
    """Return how many of these names are additions of `add_tensorflow`."""
    return sum(bool(re.search(r"plus_one(_\d+)?$", name)) for name in names)


def passed(session, feeds, runs=1):
    """Return what a graph of `add_tensorflow` holds, and what runs of it do.

    session, feeds  as of `trace`

    Counts: of additions built and run, of arrays that come in and go out.
    """
    ran = [node for _ in range(runs) for node, _ in trace(session, feeds)]
    return {
        "additions built": additions(names(session.graph)),
        "additions run": additions(ran),
        "arrays in": sum(name.startswith("_arg_a_") for name in ran),
        "arrays out": sum(name.startswith("_retval_out_") for name in ran),
    }


def square_kernels(size=256):
    """Return the kernels of a run that squares a matrix of this side."""
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [size, size], "x")
        tf.reduce_sum(tf.sqrt(tf.matmul(x, x)), name="out")
    with v1.Session(graph=graph) as session:
        ran = trace(session, {"x:0": [[1.0] * size] * size})
    return [kernel for _, kernel in ran]


def pi_kernels(shots):
    """Return the kernels of a run that estimates π once."""
    with Sessions().open(build_once) as session:
        ran = trace(session, {"shots:0": shots})
    return [kernel for _, kernel in ran]
