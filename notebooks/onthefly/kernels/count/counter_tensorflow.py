"""A counter as a graph of TensorFlow, built first and run afterwards.

Source: TensorFlow and protocol buffers, an article: its program.
"""

from typing import NamedTuple

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


class Counter(NamedTuple):
    """A graph, and what is run of it: three of its nodes."""

    graph: object
    state: object
    update: object
    init: object


def counter(resource=False):
    """Return a Counter from 0 that each run of `update` moves by 1.

    resource  False for a reference variable, as in 2016; True for a resource
              variable, today's kind
    """
    graph = tf.Graph()
    with graph.as_default():
        state = v1.Variable(0, name="counter", use_resource=resource)
        one = tf.constant(1)
        new_value = tf.add(state, one)
        update = v1.assign(state, new_value)
        init = v1.global_variables_initializer()
    return Counter(graph, state, update, init)


def count(made, times=3):
    """Run a Counter; return the states seen, the first before any update."""
    with v1.Session(graph=made.graph) as session:
        session.run(made.init)
        states = [session.run(made.state)]
        for _ in range(times):
            session.run(made.update)
            states.append(session.run(made.state))
    return [int(state) for state in states]
