"""The small network's code in another process: there it builds a graph."""

from onthefly.kernels.perceptron.perceptron_eager import predict
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def predictions(weights, batches):
    """Return what a session says of each batch, and the graph's kernels.

    weights  arrays, of perceptron.SHAPES
    batches  array, batches by rows by numbers
    """
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, batches.shape[1:])
        wanted = predict(weights, x)
    with v1.Session(graph=graph) as session:
        outputs = [session.run(wanted, {x: batch}) for batch in batches]
    return outputs, [node.type for node in graph.get_operations()]
