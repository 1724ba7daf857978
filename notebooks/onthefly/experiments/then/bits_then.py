"""A graph that TensorFlow of then rewrites, to train for eight bits.

Source of the question: Monga, TensorFlow Research at Scale: "train with
quantization in mind".
"""

from onthefly.experiments.tensorflow import fake_bits
from onthefly.experiments.then import programs


def seen(version, seed):
    """Return {what: whether it is so} of a network of two layers.

    version  of TensorFlow, as `programs.pythons` has it
    seed     of its data, which are those of `fake_bits`
    """
    x, classes = fake_bits.data(seed)
    with programs.program(
        f"{__package__}.bits_then_child", version
    ) as program:
        found = program.ask(
            "rewritten",
            x.tolist(),
            classes.tolist(),
            fake_bits.HIDDEN,
            fake_bits.STEPS,
            fake_bits.RATE,
        )
    return {
        "nodes that round": found["rounding"][1] > found["rounding"][0] == 0,
        "a slope for each weight": not found["without a slope"],
        "a loss that halves": found["loss"][1] < found["loss"][0] / 2,
    }
