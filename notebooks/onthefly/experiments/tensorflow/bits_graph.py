"""What a graph of today's holds that is to train for eight bits.

Source of the question: Monga, TensorFlow Research at Scale: "train with
quantization in mind".
"""

from onthefly.experiments.tensorflow import fake_bits
from onthefly.tools.quiet_tensorflow import tf


@tf.function(autograph=False)
def _loss_and_slopes(model, x, classes):
    with tf.GradientTape() as tape:
        tape.watch(model)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            classes, fake_bits.logits(model, x, bits=8)
        )
        loss = tf.reduce_mean(losses)
    return loss, tape.gradient(loss, model)


def seen(seed):
    """Return {what: whether it is so} of the network of `fake_bits`.

    seed  of its data and of its first weights
    """
    constants = tf.nest.map_structure(
        tf.constant, (fake_bits.untrained(seed), *fake_bits.data(seed))
    )
    graph = _loss_and_slopes.get_concrete_function(*constants).graph
    before, slopes = _loss_and_slopes(*constants)
    trained = tf.nest.map_structure(
        tf.constant, fake_bits.trained(seed, bits=8)
    )
    after, _ = _loss_and_slopes(trained, *constants[1:])
    return {
        "nodes that round": any(
            node.type.startswith("FakeQuant")
            for node in graph.get_operations()
        ),
        "a slope for each weight": all(
            slope is not None for slope in slopes.values()
        ),
        "a loss that halves": bool(after < before / 2),
    }
