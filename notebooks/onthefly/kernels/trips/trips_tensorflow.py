"""The loop a + 1 by TensorFlow: step by step, and in one run of a graph.
Source: Okuda, TFUG 2018, slides 13, 16, 20 and 21.

A step is a function of tensors that returns its first argument's successor;
`add_one` is the talk's, `pi_step` its estimate of π (slide 10).
"""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1


def add_one(a):
    """Return a + 1, element by element."""
    return tf.add(a, 1.0)


def pi_step(hits, shape):
    """Return hits, and those of new points: the talk's nine calls.

    hits   float32 tensor, no shape
    shape  int32 tensor of one element: the number of points
    """
    x = tf.random.uniform(shape, dtype=tf.float32)
    y = tf.random.uniform(shape, dtype=tf.float32)
    r = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    inside = tf.less_equal(r, tf.ones(shape))
    return hits + tf.math.count_nonzero(inside, dtype=tf.float32)


def eager(step, steps, state, *fixed):
    """Return the state after so many steps, each run when it is reached.

    step    step(state, *fixed) -> state
    steps   how many, at least 1
    state   array or tensor; fixed ones likewise
    """
    state, *fixed = map(tf.convert_to_tensor, (state, *fixed))
    for _ in range(check_shots(steps)):
        state = step(state, *fixed)
    return state.numpy()


def while_session(step, *examples):
    """Return run(steps, state, *fixed): a while loop in one Session.run.

    step      step(state, *fixed) -> state
    examples  arrays of the dtype and the number of axes of state and fixed;
              their sizes may change from run to run

    The run takes and returns arrays; 0 steps are allowed.
    """
    with tf.Graph().as_default() as graph:
        feeds = [v1.placeholder(e.dtype, [None] * e.ndim) for e in examples]
        steps = v1.placeholder(tf.int32, [])
        state, *fixed = feeds
        _, end = tf.while_loop(
            lambda i, _: i < steps,
            lambda i, a: (i + 1, step(a, *fixed)),
            [tf.constant(0), state],
            shape_invariants=[tf.TensorShape([]), state.shape],
        )
    session = v1.Session(graph=graph)

    def run(count, *arrays):
        values = dict(zip(feeds, arrays, strict=True))
        return session.run(end, {steps: count, **values})

    return run


def in_caller(function):
    """Return a tf.function that runs its graph in the thread that calls it.

    The default executor hands a graph's operations to other threads.
    """

    def call(*tensors):
        executor = tf.experimental.function_executor_type
        with executor("SINGLE_THREADED_EXECUTOR"):
            return function(*tensors)

    return call


def inside(x, y):
    """Return how many of the points (x, y) lie inside the circle.

    x, y  float32 arrays or tensors of one length, coordinates in [0, 1)
    """
    r = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    return tf.math.count_nonzero(tf.less_equal(r, 1.0))


def pi_feeds(x, y):
    """Return {name: call} that take a fed estimate of π apart (slide 24).

    x, y  float32 arrays of random numbers

    ``fed(x, y)`` counts the hits of arrays, ``feeding(x, y)`` only takes
    them; ``computing()`` counts those of the given x and y, which stay in
    the graph; ``drawn()`` draws as many there; ``nothing()`` is a bare run.
    """
    with tf.Graph().as_default() as graph:
        feeds = [v1.placeholder(tf.float32, [None]) for _ in "xy"]
        kept = [
            v1.get_variable(name, initializer=values)
            for name, values in (("x", x), ("y", y))
        ]
        fed, computed, nothing = inside(*feeds), inside(*kept), tf.no_op()
        drawn = inside(*(tf.random.uniform(x.shape) for _ in "xy"))
        session = v1.Session(graph=graph)
        session.run(v1.global_variables_initializer())
    run = session.run
    return {
        "fed": lambda *xy: run(fed, dict(zip(feeds, xy, strict=True))),
        "feeding": lambda *xy: run(
            nothing, dict(zip(feeds, xy, strict=True))
        ),
        "computing": lambda: run(computed),
        "drawn": lambda: run(drawn),
        "nothing": lambda: run(nothing),
    }


def round_trip(config=None):
    """Return {name: call(array)} that take a round trip of a graph apart.

    config  of the Session, a ConfigProto

    Each is one Session.run: ``run`` of nothing, ``feed`` of an array,
    ``identity`` that gives it back, ``add`` of one, as on slide 21.
    """
    with tf.Graph().as_default() as graph:
        array = v1.placeholder(tf.float32, [None])
        nothing, same = tf.no_op(), tf.identity(array)
        more = tf.add(array, 1.0)
    run = v1.Session(graph=graph, config=config).run
    return {
        "run": lambda _: run(nothing),
        "feed": lambda a: run(nothing, {array: a}),
        "identity": lambda a: run(same, {array: a}),
        "add": lambda a: run(more, {array: a}),
    }
