"""Forms of control that a graph can hold, and the nodes that each becomes.

Source of the list: Okuda, PyCon JP 2018, slide 31.
"""

import importlib.metadata

from onthefly.kernels.pi.pi_tensorflow_session import count_hits
from onthefly.tools.quiet_tensorflow import tf


def loop_function(n):
    """Count up to n by TensorFlow's function."""
    return tf.while_loop(lambda i: i < n, lambda i: [i + 1], [tf.constant(0)])


def loop_statement(n):
    """Count up to n by Python's statement."""
    i = tf.constant(0)
    while i < n:
        i += 1
    return i


def branch_function(n):
    """Turn a positive number's sign by TensorFlow's function."""
    return tf.cond(n > 0, lambda: -n, lambda: n)


def branch_statement(n):
    """Turn a positive number's sign by Python's statement."""
    if n > 0:
        n = -n
    return n


def sections(n):
    """Do two things that do not wait for each other."""
    return count_hits(n), count_hits(n)


def reduction(n):
    """Add up a range."""
    return tf.reduce_sum(tf.range(n))


def scatter(n):
    """Replace one element of an array."""
    return tf.tensor_scatter_nd_update(tf.zeros([n]), [[1]], [2.0])


# What each form is told by: the end of its operation's name.
FORMS = {
    loop_function: "While",
    loop_statement: "While",
    branch_function: "If",
    branch_statement: "If",
    sections: "RandomUniform",
    reduction: "Sum",
    scatter: "TensorScatterUpdate",
}


def found():
    """Return {form: its operations in the graph that tf.function makes}."""
    forms = {}
    for form, part in FORMS.items():
        traced = tf.function(form).get_concrete_function(tf.constant(5))
        nodes = traced.graph.as_graph_def().node
        forms[form.__name__.replace("_", ", ")] = [
            node.op for node in nodes if node.op.endswith(part)
        ]
    return forms


def package():
    """Return what is installed, whether it has CUDA, and where tensors lie.

    The distributions' names, True or False, and "CPU" or "GPU".
    """
    names = {
        d.metadata["Name"].replace("_", "-")
        for d in importlib.metadata.distributions()
    }
    known = {"tensorflow", "tensorflow-cpu", "tensorflow-gpu"}
    cuda = tf.sysconfig.get_build_info()["is_cuda_build"]
    kind = tf.zeros(1).device.split(":")[-2]
    return sorted(names & known), cuda, kind
