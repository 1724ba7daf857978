"""π by graphs that are built first and run by a session: TensorFlow 1's way.

Three graphs: one estimate, a ``while_loop`` of estimates, and independent
branches side by side.  Each keeps one session, as the talks do.  Sources:
Okuda, TFUG Tokyo 2018, slides 13, 16 and 30; PyCon JP 2018, slides 53, 54.
"""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
BRANCHES = 10


def count_hits(shots):
    """Return the hits among `shots` points: eager, traced, or as nodes.

    shots  number or int32 tensor without axes; the hits are an int64 tensor
    """
    x = tf.random.uniform([shots], dtype=tf.float32)
    y = tf.random.uniform([shots], dtype=tf.float32)
    return count_inside(x, y)


def count_inside(x, y):
    """Return how many of the points (x, y) hit, as an int64 tensor.

    x, y  float tensors of one length and dtype, coordinates in [0, 1)
    """
    r = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    one = tf.ones(tf.shape(x), dtype=x.dtype)
    inside = tf.less_equal(r, one)
    return tf.math.count_nonzero(inside)


def build_once():
    """Add the nodes of one count of hits."""
    shots = v1.placeholder(tf.int32, [], "shots")
    tf.identity(count_hits(shots), "out")


def build_while(parallel_iterations=1):
    """Add a loop that counts the hits of so many estimates.

    With more iterations at once, which of them draws first is left open, so
    that a seed no longer repeats the result.
    """
    shots = v1.placeholder(tf.int32, [], "shots")
    loop = v1.placeholder(tf.int32, [], "loop")
    _, hits = v1.while_loop(
        lambda i, hits: tf.less(i, loop),
        lambda i, hits: (tf.add(i, 1), hits + count_hits(shots)),
        [0, tf.constant(0, tf.int64)],
        parallel_iterations=parallel_iterations,
    )
    tf.identity(hits, "out")


def build_parallel():
    """Add branches that share the shots and know nothing of each other."""
    shots = v1.placeholder(tf.int32, [], "shots")
    parts = [(shots + k) // BRANCHES for k in range(BRANCHES)]
    tf.add_n([count_hits(part) for part in parts], "out")


class Sessions:
    """Graphs of one seed, each built and opened at its first use.

    seed  of the graphs' random operations; None: another at each start
    """

    def __init__(self, seed=None):
        self._seed = seed
        self._opened = {}

    def open(self, build):
        """Return the session of the graph that `build` makes."""
        if build not in self._opened:
            with tf.Graph().as_default() as graph:
                v1.set_random_seed(self._seed)
                build()
            self._opened[build] = v1.Session(graph=graph)
        return self._opened[build]

    def hits(self, build, **feeds):
        """Run a graph once and return its hits."""
        named = {f"{name}:0": value for name, value in feeds.items()}
        return int(self.open(build).run("out:0", named))


stream = Sessions
_shared = Sessions()


def pi_tensorflow_session(shots, rng=None):
    """Return π estimated from `shots` points by one ``Session.run``."""
    shots = check_shots(shots)
    return 4.0 * (rng or _shared).hits(build_once, shots=shots) / shots


def turns(shots):
    """Return how many estimates a run of the while_loop is given to make.

    Many where one is short, so that the run's own start hardly counts.
    """
    return max(2, min(1000, 10**5 // shots))


def pi_tensorflow_while(shots, rng=None, loop=10):
    """Return the mean of `loop` estimates from `shots` points each.

    All of them are made inside one run.
    """
    shots, loop = check_shots(shots), check_shots(loop)
    hits = (rng or _shared).hits(build_while, shots=shots, loop=loop)
    return 4.0 * hits / (shots * loop)


def pi_tensorflow_parallel(shots, rng=None):
    """Return π estimated from `shots` points by ten branches in one run."""
    shots = check_shots(shots)
    return 4.0 * (rng or _shared).hits(build_parallel, shots=shots) / shots
