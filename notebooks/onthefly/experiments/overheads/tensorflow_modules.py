"""The modules of TensorFlow that the talk names, and what became of them.
Source: Okuda, PyCon JP 2018, slide 32.
"""

from onthefly.tools.quiet_tensorflow import tf

# Those in TensorFlow itself, and those in its tf.contrib.
MODULES = ("linalg", "math", "image", "distributions", "sets", "strings")
CONTRIB = ("linalg", "integrate", "image", "ffmpeg", "signal", "timeseries")


def modules():
    """Return which of slide 32's modules there are, as three lists of names.

    They are TensorFlow's, tf.contrib's, and those of tf.contrib that
    TensorFlow itself has now.
    """
    contrib = getattr(tf, "contrib", None)
    kept = [name for name in CONTRIB if hasattr(contrib, name)]
    return (
        [name for name in MODULES if hasattr(tf, name)],
        kept,
        [name for name in CONTRIB if hasattr(tf, name) and name not in kept],
    )
