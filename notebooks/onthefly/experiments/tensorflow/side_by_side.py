"""Two operations that do not wait for each other, and when they run."""

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
NAMES = "first", "second"  # of the operations


def pair(x):
    """Return the sums of two functions of x: neither needs the other."""
    first = tf.math.lgamma(x, name=NAMES[0])
    second = tf.math.lgamma(1 - x, name=NAMES[1])
    return tf.reduce_sum(first), tf.reduce_sum(second)


def numbers(size=5 * 10**6):
    """Return numbers between 0 and 1, the same ones each time."""
    rng = np.random.default_rng(0)
    return rng.uniform(0.1, 0.9, size).astype("f4")


def config():
    """Return a Session's options: the threads that this process was set."""
    threads = tf.config.threading
    return v1.ConfigProto(
        inter_op_parallelism_threads=threads.get_inter_op_parallelism_threads(),
        intra_op_parallelism_threads=threads.get_intra_op_parallelism_threads(),
    )


def timeline(calls=5):
    """Return [(operation, start, end)] of the two, in seconds.

    calls  of the graph, of which the shortest counts

    The graph is run by a Session, which keeps when each node ran.
    """
    array = numbers()
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, array.shape)
        fetches = pair(x)
    with v1.Session(graph=graph, config=config()) as session:
        session.run(fetches, {x: array})
        timelines = [
            _spans(session, fetches, {x: array}) for _ in range(calls)
        ]
    return min(timelines, key=lambda spans: max(end for *_, end in spans))


def _spans(session, fetches, feeds):
    """Return what `timeline` does, of one call."""
    full = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE)
    metadata = v1.RunMetadata()
    session.run(fetches, feeds, full, metadata)
    nodes = {
        node.node_name: node
        for device in metadata.step_stats.dev_stats
        for node in device.node_stats
    }
    origin = min(node.all_start_micros for node in nodes.values())
    spans = []
    for name in NAMES:
        start = nodes[name].all_start_micros - origin
        end = start + nodes[name].op_end_rel_micros
        spans.append((name, start / 1e6, end / 1e6))
    return spans


def overlap(spans):
    """Return for how many seconds both of two spans last at once."""
    starts, ends = ([span[k] for span in spans] for k in (1, 2))
    return max(0.0, min(ends) - max(starts))
