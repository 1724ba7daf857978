"""Pieces of a graph: cut out, run alone, or compiled as one.

Source of the cutting: tf.compat.v1.graph_util.extract_sub_graph, which takes
what some outputs hang on; inputs that are cut become placeholders before.
"""

import math
import random
import re

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def piece(graph, inputs, outputs):
    """Return the part of a graph between some of its nodes, a GraphDef.

    graph    GraphDef
    inputs   names of nodes whose first result is to be handed in
    outputs  names of nodes whose results are wanted
    """
    with tf.Graph().as_default() as whole:
        tf.import_graph_def(graph, name="")
    cut = v1.GraphDef(versions=graph.versions)
    for node in graph.node:
        if node.name in inputs:
            tensor = whole.get_tensor_by_name(f"{node.name}:0")
            node = _placeholder(tensor, node.name)
        cut.node.append(node)
    from tensorflow.python.util import deprecation

    with deprecation.silence():  # it has no successor
        return v1.graph_util.extract_sub_graph(cut, outputs)


def _placeholder(tensor, name):
    with tf.Graph().as_default() as graph:
        v1.placeholder(tensor.dtype, tensor.shape, name)
    return graph.as_graph_def().node[0]


def inputs(graph):
    """Return the names of a GraphDef's placeholders."""
    return [n.name for n in graph.node if n.op == "Placeholder"]


def alone(graph, *outputs, **options):
    """Return a GraphDef as a function of its placeholders, in their order.

    outputs  names of the nodes whose results it returns
    options  of tf.function, as jit_compile
    """

    def build():
        tf.import_graph_def(graph, name="")

    made = v1.wrap_function(build, [])
    pruned = made.prune(
        [
            made.graph.get_tensor_by_name(f"{name}:0")
            for name in inputs(graph)
        ],
        [made.graph.get_tensor_by_name(f"{name}:0") for name in outputs],
    )
    if options:
        return tf.function(lambda *given: pruned(*given), **options)
    return pruned


def entry(function, *arguments):
    """Return (kind, numbers written) of each step of XLA's program.

    function  tf.function with jit_compile

    The steps are those of the compiled program's entry, in their order; what
    hands values in and out is left out.
    """
    text = function.experimental_get_compiler_ir(*arguments)("optimized_hlo")
    body = text[text.index("ENTRY") :]
    steps = re.findall(r"= \w+\[([\d,]*)\]\S* ([a-z-]+)\(", body)
    left_out = {"parameter", "constant", "tuple", "get-tuple-element"}
    return [
        (kind, math.prod(int(n) for n in shape.split(",") if n))
        for shape, kind in steps
        if kind not in left_out
    ]


_CHANGES = tf.sin, tf.tanh, tf.square, tf.abs
_JOINS = tf.add, tf.multiply, tf.maximum, tf.subtract


def drawn(chance, size=20):
    """Return a GraphDef drawn by chance: one placeholder, `size` nodes.

    Returns (GraphDef, names of its nodes, the placeholder's first).
    """
    with tf.Graph().as_default() as graph:
        made = [v1.placeholder(tf.float32, [8], "x")]
        for _ in range(size):
            if chance.random() < 0.5:
                made.append(chance.choice(_CHANGES)(chance.choice(made)))
            else:
                pair = chance.choices(made, k=2)
                made.append(chance.choice(_JOINS)(*pair))
    return graph.as_graph_def(), [tensor.op.name for tensor in made]


def same_alone(seed):
    """Tell whether a piece cut by chance gives alone what it gave within.

    seed  of the graph and of the cut: up to three of its nodes are inputs,
          a later one is the output

    The whole gives the values of the inputs and of the output; the output
    of the piece must be the same, bit for bit.
    """
    chance = random.Random(seed)
    graph, names = drawn(chance)
    last = chance.randrange(10, len(names))
    cut = chance.sample(names[1:last], chance.randint(1, 3))
    part = piece(graph, cut, [names[last]])
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    within = alone(graph, *inputs(part), names[last])(tf.constant(x))
    *given, expected = within
    (result,) = alone(part, names[last])(*given)
    return result.numpy().tobytes() == expected.numpy().tobytes()
