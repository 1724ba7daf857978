"""A network that TensorFlow of then rewrites: for `bits_then`, Python 3.6."""

import numpy as np
import tensorflow as tf


def _rounding(graph):
    """Return how many nodes of a graph round to a grid."""
    kinds = [node.type for node in graph.get_operations()]
    return sum(kind.startswith("FakeQuant") for kind in kinds)


def _network(features, labels, hidden, classes):
    layer = tf.contrib.layers.fully_connected
    inner = layer(features, hidden, activation_fn=tf.nn.relu6)
    logits = layer(inner, classes, activation_fn=None)
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits
        )
    )


def rewritten(x, classes, hidden, steps, rate):
    """Rewrite a network of two layers for eight bits, and train it.

    x, classes   lists: points, and the class of each
    hidden       values of the inner layer
    steps, rate  of Adam

    Returns {"rounding": nodes that round before and after the rewriting,
    "without a slope": names of weights, "loss": before the training and
    after it}.
    """
    x, classes = np.array(x, np.float32), np.array(classes, np.int32)
    plain = tf.Graph()
    with plain.as_default():
        given = [
            tf.placeholder(tf.float32, [None, x.shape[1]]),
            tf.placeholder(tf.int32, [None]),
        ]
        loss = _network(*given, hidden, int(classes.max()) + 1)
    graph, (*given, loss) = tf.contrib.quantize.create_training_graph(
        plain, [*given, loss]
    )
    with graph.as_default(), tf.Session() as session:
        descent = tf.train.AdamOptimizer(rate)
        slopes = descent.compute_gradients(loss, tf.trainable_variables())
        train = descent.apply_gradients(
            [(slope, weight) for slope, weight in slopes if slope is not None]
        )
        session.run(tf.global_variables_initializer())
        fed = dict(zip(given, (x, classes)))
        losses = [session.run(loss, fed)]
        for _ in range(steps):
            session.run(train, fed)
        losses.append(session.run(loss, fed))
    return {
        "rounding": [_rounding(plain), _rounding(graph)],
        "without a slope": [
            weight.op.name for slope, weight in slopes if slope is None
        ],
        "loss": [float(one) for one in losses],
    }
