"""Listings of three talks, under TensorFlow 1.4 to 1.9 and Python 3.6.

The program of `then.talks`.  A process runs in one mode, as a program did: it
builds graphs, or is eager from its first statement on.  Written from what
slides show: Monga, TensorFlow Research at Scale; Shin, The Flow of
TensorFlow, 22 to 37; Okuda, TFUG Tokyo 2018, 30.  Names are as printed there.
"""

import contextlib
import io
import re
import traceback

import numpy as np
import tensorflow as tf

PLACE = re.compile(r'File "(.+?)", line \d+, in .*\n +(.+)')
_mode = {}  # "eager": whether the process is
tfe = None  # the module that the talks call so, where the process is eager


def start(mode):
    """Say how the process runs, "graph" or "eager"; before all else.

    Raises AttributeError where the version has no eager execution.
    """
    global tfe
    _mode["eager"] = mode == "eager"
    if _mode["eager"]:
        from tensorflow.contrib import eager as tfe

        tfe.enable_eager_execution()


def ran(name):
    """Run a listing; return [lines that it prints, the error that ends it].

    name  of LISTINGS

    An error is [kind, message, lines of this file that it came through, lines
    of this file that its text names].
    """
    said, error = io.StringIO(), None
    with contextlib.ExitStack() as around:
        if not _mode["eager"]:  # names count from the program's start
            around.enter_context(tf.Graph().as_default())
        around.enter_context(contextlib.redirect_stdout(said))
        try:
            LISTINGS[name]()
        except tf.errors.OpError as e:
            frames = traceback.extract_tb(e.__traceback__)[1:]
            own = [f.line for f in frames if f.filename == __file__]
            named = [
                x for file, x in PLACE.findall(str(e)) if file == __file__
            ]
            error = [type(e).__name__, e.message, own, named]
    return [said.getvalue().splitlines(), error]


def all_ran(names):
    """Return {listing: what `ran` returns of it}."""
    return {name: ran(name) for name in names}


def product_in_session():
    """Print a product, and what a run makes of it."""
    x = tf.placeholder(tf.float32, shape=[1, 1])
    m = tf.matmul(x, x)
    print(m)
    with tf.Session() as sess:
        m_out = sess.run(m, feed_dict={x: [[2.0]]})
        print(m_out)


def product_by_old_numpy():
    """Print the same as NumPy 1.13 did, of the talks' own autumn."""
    np.set_printoptions(legacy="1.13")
    product_in_session()
    np.set_printoptions(legacy=False)


def product():
    """Print a product eagerly."""
    x = [[2.0]]
    m = tf.matmul(x, x)
    print(m)


def gather_in_session():
    """Gather what is not there, in a graph."""
    x = tf.gather([0, 1, 2], 7)
    print(x)
    with tf.Session() as sess:
        sess.run(x)


def gather():
    """Gather what is not there, eagerly."""
    x = tf.gather([0, 1, 2], 7)
    print(x)


def _collatz(halved):
    a = tf.constant(6)
    while not tf.equal(a, 1):
        if tf.equal(a % 2, 0):  # noqa: SIM108 as on the slide
            a = halved(a)
        else:
            a = 3 * a + 1
        print(a)


def collatz():
    """Print the numbers of Collatz from 6."""
    _collatz(lambda a: a / 2)


def collatz_python_2():
    """Print the same by the method that a / calls in Python 2."""
    _collatz(lambda a: a.__div__(2))


def square(x):
    """Return the square."""
    return tf.multiply(x, x)  # Or x * x


def gradients():
    """Print a square and its two gradients."""
    grad = tfe.gradients_function(square)
    gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
    print(square(3.0))
    print(grad(3.0))
    print(gradgrad(3.0))


def slopes():
    """Print the slopes of log(1 + e^x) at 0 and 100."""

    def log1pexp(x):
        return tf.log(1 + tf.exp(x))

    grad_log1pexp = tfe.gradients_function(log1pexp)
    print(grad_log1pexp(0.0))
    print(grad_log1pexp(100.0))


def custom_slopes():
    """Print them by the talk's own gradient."""

    @tfe.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    grad_log1pexp = tfe.gradients_function(log1pexp)
    print(grad_log1pexp(0.0))
    print(grad_log1pexp(100.0))


def add_in_eager():
    """Add one three times, eagerly."""

    def gen(a, loop):
        for _ in range(loop):
            a = tf.add(a, 1)
        return a

    a = tf.zeros([10])
    a = gen(a, 3)
    print(a)


def add_in_graph():
    """Add one three times, by three nodes."""
    N = 3

    def gen(a):
        for _ in range(N):
            a = tf.add(a, 1)
        return a

    ap = tf.placeholder(tf.int32, None, name="a")
    ag = gen(ap)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    a = np.zeros([10])
    a = sess.run(ag, feed_dict={ap: a})
    print(a)


def add_by_runs():
    """Add one three times, by three runs."""
    ap = tf.placeholder(tf.int32, None, name="ap")
    aa = tf.add(ap, 1)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    a = np.zeros([10])
    for _ in range(3):
        a = sess.run(aa, feed_dict={ap: a})
    print(a)


def add_in_while_loop():
    """Add one three times, in a loop of the graph."""
    ap = tf.placeholder(tf.int32, None, name="a")
    _, a = tf.while_loop(
        lambda i, a: tf.less(i, 3),
        lambda i, a: (tf.add(i, 1), tf.add(a, 1)),
        [0, ap],
    )
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    a = sess.run(a, feed_dict={ap: np.zeros([10])})
    print(a)


def additions(counts):
    """Return nodes Add of loops of Python that add one so many times.

    A list; the last number is of a loop of the graph.
    """
    found = []
    for count in (*counts, None):
        with tf.Graph().as_default() as graph:
            a = tf.placeholder(tf.int32, None)
            if count is None:
                tf.while_loop(
                    lambda i, a: tf.less(i, 1000),
                    lambda i, a: (i + 1, tf.add(a, 1, name="one_more")),
                    [0, a],
                )
            for _ in range(count or 0):
                a = tf.add(a, 1, name="one_more")
        names = [x.name for x in graph.get_operations() if x.type == "Add"]
        found.append(sum("one_more" in name for name in names))
    return found


def entered(calls):
    """Return [how often Python enters a function's body, TensorFlow].

    Of so many calls, or runs of the graph that the function has built.
    """
    python = []

    def body(count):
        python.append("entered")
        return count.assign_add(1)

    if _mode["eager"]:
        count = tfe.Variable(0)
        for _ in range(calls):
            body(count)
        return [len(python), int(count.numpy())]
    count = tf.get_variable("count", initializer=0, use_resource=True)
    step = body(count)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(calls):
            sess.run(step)
        return [len(python), int(sess.run(count))]


def _of_matrices(x, fetched):
    """Return of how many matrices the elements of x are, as a loop has them.

    fetched  function of a list of tensors that returns their numbers
    """
    found = set()
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            element, matrix = fetched([x[i, j], x])
            assert element == matrix[i, j]
            found.add(matrix.tobytes())
    return len(found)


def matrices(tries):
    """Return what `_of_matrices` does of random ones, for each try."""
    if _mode["eager"]:
        return [
            _of_matrices(
                tf.random_uniform([2, 2]), lambda x: [t.numpy() for t in x]
            )
            for _ in range(tries)
        ]
    x = tf.random_uniform([2, 2])
    with tf.Session() as sess:
        return [_of_matrices(x, sess.run) for _ in range(tries)]


LISTINGS = {
    listing.__name__: listing
    for listing in (
        product_in_session,
        product_by_old_numpy,
        product,
        gather_in_session,
        gather,
        collatz,
        collatz_python_2,
        gradients,
        slopes,
        custom_slopes,
        add_in_eager,
        add_in_graph,
        add_by_runs,
        add_in_while_loop,
    )
}
