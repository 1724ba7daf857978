"""What a graph of today's holds that is to train for eight bits.

Source of the question: Monga, TensorFlow Research at Scale: "train with
quantization in mind".
"""

from onthefly.experiments.tensorflow import fake_bits
from onthefly.tools.quiet_tensorflow import tf


def seen(seed):
    """Return {what: whether it is so} of the network of `fake_bits`.

    seed  of its data and of its first weights
    """
    x, classes = fake_bits.data(seed)
    model = fake_bits.trained(seed, bits=8)

    @tf.function(autograph=False)
    def slopes(model, x, classes):
        with tf.GradientTape() as tape:
            tape.watch(model)
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
                classes, fake_bits.logits(model, x, bits=8)
            )
        return tape.gradient(loss, model)

    given = tf.nest.map_structure(tf.constant, (model, x, classes))
    graph = slopes.get_concrete_function(*given).graph
    kinds = {node.type for node in graph.get_operations()}
    found = slopes(*given)
    return {
        "nodes that round": any(k.startswith("FakeQuant") for k in kinds),
        "a slope for each weight": all(
            one is not None and bool(tf.reduce_any(one != 0))
            for one in found.values()
        ),
        "ends that move": bool(model["high"] != fake_bits.START),
    }
