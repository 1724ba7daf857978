"""Gradients of a small network that keep their values, or compute them anew.

A layer is a product of matrices and the function x·sigmoid(x), which is
cheap and needs its argument and the sigmoid for its gradient.
"""

import numpy as np

from onthefly.experiments.tensorflow import side_by_side
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
LAYERS, GROUP = 12, 3
ROWS, WIDTH = 4096, 64  # of the values of a layer: 1 MiB
VALUES = 4 * ROWS * WIDTH  # bytes


def inputs(seed=0):
    """Return a batch of rows and the layers' weights, from a seed."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(LAYERS, WIDTH, WIDTH)) / np.sqrt(WIDTH / 2)
    batch = rng.normal(size=(ROWS, WIDTH))
    return batch.astype("f4"), weights.astype("f4")


def layer(x, weights):
    """Return the values of the next layer."""
    y = tf.matmul(x, weights)
    return y * tf.sigmoid(y)


def group(x, *weights):
    """Return the values behind several layers."""
    for some in weights:
        x = layer(x, some)
    return x


def gradient(x, weights, group=group):
    """Return the sum of the gradients by all weights.

    group  function of several layers: as it is, or one that recomputes
    """
    weights = tf.unstack(weights)
    with tf.GradientTape() as tape:
        tape.watch(weights)
        for k in range(0, LAYERS, GROUP):
            x = group(x, *weights[k : k + GROUP])
        loss = tf.reduce_sum(x)
    return tf.add_n(tape.gradient(loss, weights))


recomputing = tf.recompute_grad(group)


def gradient_recomputed(x, weights):
    """As `gradient`, with each group computed anew when it is needed."""
    return gradient(x, weights, recomputing)


def optimised(mode, seed=0):
    """Return a call of the gradient under a memory pass of Grappler.

    mode  as RewriterConfig names it: "NO_MEM_OPT", or
          "RECOMPUTATION_HEURISTICS", which computes anew what is cheap

    The pass is an option of a Session; it looks for nodes whose names begin
    as those of tf.gradients do.
    """
    batch, weights = inputs(seed)
    with tf.Graph().as_default() as graph:
        x = fed = v1.placeholder(tf.float32, batch.shape)
        constants = [tf.constant(some) for some in weights]
        total = tf.reduce_sum(group(x, *constants))
        gradient = tf.add_n(v1.gradients(total, constants))
    # All Sessions of a process share the threads of its first one.
    config = side_by_side.config()
    rewrite = config.graph_options.rewrite_options
    rewrite.memory_optimization = rewrite.MemOptType.Value(mode)
    call = v1.Session(graph=graph, config=config).make_callable(
        gradient, [fed]
    )
    return lambda: call(batch)


def total(mode):
    """Return the gradient that `optimised` computes, as an array."""
    return optimised(mode)()
