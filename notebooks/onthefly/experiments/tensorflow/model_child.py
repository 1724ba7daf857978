"""The model's code in another process: there it builds a graph."""

from onthefly.experiments.tensorflow import model
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def predictions(weights, batches):
    """Return what a session says of each batch, and the graph's kernels.

    weights  arrays, as of `model.weights`
    batches  array of batches × rows × features
    """
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, batches.shape[1:])
        wanted = model.predict(x, *weights)
    with v1.Session(graph=graph) as session:
        found = [session.run(wanted, {x: batch}) for batch in batches]
    return found, [node.type for node in graph.get_operations()]
