"""Pieces of Keras code under Keras 2.0.9 and under TensorFlow 1.4's tf.keras.

The program of `then.keras_pieces`, for Python 3.6: two libraries, side by
side in one process.
"""

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.ops import init_ops

SEED = 1  # of initial weights: each library draws by one of its own
DRAWING = "VarianceScaling", "RandomUniform"


def _seeded(initializer):
    """Let an initializer draw by SEED where nobody has given it one."""
    plain = initializer.__call__

    def call(self, *arguments, **options):
        self.seed = SEED if self.seed is None else self.seed
        return plain(self, *arguments, **options)

    initializer.__call__ = call


for _home in (keras.initializers, init_ops):
    for _name in DRAWING:
        _seeded(getattr(_home, _name))


def versions():
    """Return {library: its version}."""
    return {
        "Keras": keras.__version__,
        "tf.keras": tf.keras.__version__,
        "TensorFlow": tf.__version__,
    }


def outcome(source, library):
    """Run a piece; return what it finds as lists, or the error in a line.

    library  "keras" or "tf.keras": whose session runs what it finds
    """
    of = {"keras": keras, "tf.keras": tf.keras}[library]
    for each in (keras, tf.keras):
        each.backend.clear_session()
    np.random.seed(SEED)
    x = np.random.standard_normal((16, 4)).astype("float32")
    names = {"np": np, "keras": keras, "tf": tf, "x": x, "y": x[:, :1]}
    try:
        exec(source, names)
        session = of.backend.get_session()
        return [
            np.asarray(
                session.run(v) if isinstance(v, tf.Tensor) else v
            ).tolist()
            for v in names["found"]
        ]
    except Exception as error:  # whatever a library answers to the other's
        return f"{type(error).__name__}: {str(error)[:200]}"


def outcomes(pairs):
    """Return [what both libraries find] of pairs of sources."""
    return [
        [outcome(own, "keras"), outcome(other, "tf.keras")]
        for own, other in pairs
    ]


def same_objects(names):
    """Return which dotted names lead to one object under both prefixes."""
    found = []
    for name in names:
        one, other = keras, tf.keras
        for part in name.split("."):
            one = getattr(one, part, None)
            other = getattr(other, part, other)
        if one is other:
            found.append(name)
    return found
