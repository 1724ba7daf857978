"""π by one program in six libraries, line by line the same.

Each ``port_<way>(<library>, shots)`` takes the library as an argument, so
that a port can be read, and its changes counted, where the library is not
installed.  Arrays are float32.  The first is the talk's program: nine calls
of the library.  Source: Okuda, TFUG Tokyo 2018, slides 7 and 10.
"""

import ast
import difflib
import inspect
import textwrap

import numpy as np


def port_numpy(np, shots):
    """Return π from `shots` points, as the talk computes it."""
    x = np.random.rand(shots).astype(np.float32)
    y = np.random.rand(shots).astype(np.float32)
    r = np.sqrt(np.add(np.multiply(x, x), np.multiply(y, y)))
    one = np.array([1.0] * shots, dtype=np.float32)
    inside = np.less_equal(r, one)
    hits = np.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def port_numpy_ones(np, shots):
    """Return π as ``port_numpy`` does, with ones that are made in C."""
    x = np.random.rand(shots).astype(np.float32)
    y = np.random.rand(shots).astype(np.float32)
    r = np.sqrt(np.add(np.multiply(x, x), np.multiply(y, y)))
    one = np.ones(shots, dtype=np.float32)
    inside = np.less_equal(r, one)
    hits = np.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def port_tensorflow(tf, shots):
    """Return π from `shots` points by TensorFlow, eager or traced."""
    x = tf.random.uniform([shots], dtype=tf.float32)
    y = tf.random.uniform([shots], dtype=tf.float32)
    r = tf.sqrt(tf.add(tf.multiply(x, x), tf.multiply(y, y)))
    one = tf.ones([shots], dtype=tf.float32)
    inside = tf.less_equal(r, one)
    hits = tf.math.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def port_tnp(tnp, shots):
    """Return π from `shots` points by ``tf.experimental.numpy``."""
    x = tnp.random.rand(shots).astype(tnp.float32)
    y = tnp.random.rand(shots).astype(tnp.float32)
    r = tnp.sqrt(tnp.add(tnp.multiply(x, x), tnp.multiply(y, y)))
    one = tnp.array([1.0] * shots, dtype=tnp.float32)
    inside = tnp.less_equal(r, one)
    hits = tnp.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def port_torch(torch, shots):
    """Return π from `shots` points by PyTorch."""
    x = torch.rand(shots, dtype=torch.float32)
    y = torch.rand(shots, dtype=torch.float32)
    r = torch.sqrt(torch.add(torch.multiply(x, x), torch.multiply(y, y)))
    one = torch.ones(shots, dtype=torch.float32)
    inside = torch.less_equal(r, one)
    hits = torch.count_nonzero(inside)
    return 4.0 * int(hits) / shots


def port_cupy(cp, shots):
    """Return π from `shots` points by CuPy."""
    x = cp.random.rand(shots).astype(cp.float32)
    y = cp.random.rand(shots).astype(cp.float32)
    r = cp.sqrt(cp.add(cp.multiply(x, x), cp.multiply(y, y)))
    one = cp.array([1.0] * shots, dtype=cp.float32)
    inside = cp.less_equal(r, one)
    hits = cp.count_nonzero(inside)
    return 4.0 * int(hits) / shots


PORTS = {
    "TensorFlow": port_tensorflow,
    "tf.experimental.numpy": port_tnp,
    "PyTorch": port_torch,
    "CuPy": port_cupy,
}


def count_numpy(x, y):
    """Return how many of the points (x, y) hit, with an array of ones.

    x, y  float arrays of one length and dtype, coordinates in [0, 1)
    """
    r = np.sqrt(np.add(np.multiply(x, x), np.multiply(y, y)))
    return np.count_nonzero(np.less_equal(r, np.ones(len(x), x.dtype)))


def pi_numpy_single(shots, rng):
    """Return π by NumPy, drawn in float32.

    rng  a NumPy Generator; the older generators draw no float32
    """
    x, y = rng.random(shots, np.float32), rng.random(shots, np.float32)
    return 4.0 * count_numpy(x, y) / shots


def pi_numpy_double(shots):
    """Return π in float64, with no root: PyCon JP 2018, slide 18."""
    x = np.random.rand(shots).astype(np.float64)
    y = np.random.rand(shots).astype(np.float64)
    r = np.add(np.multiply(x, x), np.multiply(y, y))
    inside = np.less_equal(r, np.ones(shots))
    return 4.0 * np.count_nonzero(inside) / shots


def pi_eager(shots):
    """Return π by TensorFlow, one operation at a time."""
    from onthefly.tools.quiet_tensorflow import tf

    return port_tensorflow(tf, shots)


def pi_tnp(shots):
    """Return π by ``tf.experimental.numpy``.

    The switch that gives tensors NumPy's methods holds for the whole
    process, so that a worker of its own had better run this.
    """
    import tensorflow.experimental.numpy as tnp

    tnp.experimental_enable_numpy_behavior()
    return port_tnp(tnp, shots)


def _body(port, name="np"):
    """Return a port's syntax tree, its library called `name`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(port))).body[0]
    library = tree.args.args[0].arg
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == library:
            node.id = name
    return tree.body[1:]  # without the docstring


def _calls(port):
    """Return the library's calls of a port, inner ones as ``…``."""
    called = []

    class Shorten(ast.NodeTransformer):
        def visit_Call(self, node):
            node.args = [self.visit(a) for a in node.args]
            node.func = self.visit(node.func)
            text = ast.unparse(node)
            if "np." in ast.unparse(node.func):
                called.append(text)
            return ast.Name("…")

    for line in _body(port):
        Shorten().visit(line)
    return called


def _changed(old, new):
    """Return how many entries of `old` or `new` differ, the larger count."""
    steps = difflib.SequenceMatcher(None, old, new, False).get_opcodes()
    return sum(
        max(b - a, d - c) for kind, a, b, c, d in steps if kind != "equal"
    )


def edits(port, original=port_numpy):
    """Return how a port differs from the original, counted by difflib.

    {"lines": changed lines, "beyond the prefix": those that differ once the
    libraries have one name, "calls": calls of the library that differ then}
    """

    def lines(f):
        return inspect.getsource(f).splitlines()[2:]

    def renamed(f):
        return [ast.unparse(line) for line in _body(f)]

    return {
        "lines": _changed(lines(original), lines(port)),
        "beyond the prefix": _changed(renamed(original), renamed(port)),
        "calls": _changed(_calls(original), _calls(port)),
    }
