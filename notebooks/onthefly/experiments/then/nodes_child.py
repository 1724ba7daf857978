"""The article's counter under a TensorFlow of then: its nodes, as messages.

The program of `then.nodes`, for Python 3.6.  Source: TensorFlow and protocol
buffers, an article: its program.
"""

import tensorflow as tf


def counted():
    """Return what is known of the graph and of three runs, as plain data.

    message      the GraphDef's bytes, as hexadecimal digits
    definitions  {name of a node: its OpDef likewise, or None}
    outputs      {name of a node: type of its first output}
    states       of the counter: before, and after each run
    """
    with tf.Graph().as_default() as graph:
        state = tf.Variable(0, name="counter")
        one = tf.constant(1)
        new_value = tf.add(state, one)
        update = tf.assign(state, new_value)
        init = tf.initialize_all_variables()
    nodes = graph.get_operations()
    with tf.Session(graph=graph) as session:
        session.run(init)
        states = [int(session.run(state))]
        for _ in range(3):
            session.run(update)
            states.append(int(session.run(state)))
    return {
        "message": graph.as_graph_def().SerializeToString().hex(),
        "definitions": {n.name: _hex(n.op_def) for n in nodes},
        "outputs": {
            n.name: n.outputs[0].dtype.name for n in nodes if n.outputs
        },
        "states": states,
    }


def _hex(message):
    return message.SerializeToString().hex() if message is not None else None
