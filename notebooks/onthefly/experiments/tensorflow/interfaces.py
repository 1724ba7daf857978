"""The interfaces that eager execution and graphs were to share, tried today.

Each trial is a function that uses one of them eagerly and in a session, and
returns both results.  Source: Shin, The Flow of TensorFlow, slide 34.
"""

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
X = np.arange(6, dtype=np.float32).reshape(3, 2)


def where(name):
    """Return the name under which TensorFlow has an interface, or ""."""
    for prefix in ("tf", "tf.compat.v1"):
        home = tf if prefix == "tf" else v1
        try:
            for part in name.split("."):
                home = getattr(home, part)
        except AttributeError:
            continue
        return f"{prefix}.{name}"
    return ""


def layers():
    """A dense layer of one unit, on three rows."""
    layer = v1.layers.Dense(units=1, kernel_initializer="ones")
    eager = layer(tf.constant(X)).numpy()
    with tf.Graph().as_default(), v1.Session() as session:
        wanted = v1.layers.Dense(units=1, kernel_initializer="ones")(X)
        session.run(v1.global_variables_initializer())
        return eager, session.run(wanted)


def optimizer():
    """Three steps of gradient descent towards the least square."""

    def loss(w):
        return tf.reduce_sum(tf.square(w - [1.0, 2.0]))

    w, descent = tf.Variable([0.0, 0.0]), _descent()
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = loss(w)
        descent.apply_gradients([(tape.gradient(y, w), w)])
    eager = w.numpy()
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=[0.0, 0.0])
        step = _descent().minimize(loss(w))
        session.run(v1.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return eager, session.run(w)


def _descent():
    return v1.train.GradientDescentOptimizer(learning_rate=0.1)


def data():
    """Batches of two of three rows."""
    eager = [batch.numpy() for batch in _batches()]
    with tf.Graph().as_default(), v1.Session() as session:
        batch = v1.data.make_one_shot_iterator(_batches()).get_next()
        return eager, [session.run(batch) for _ in eager]


def _batches():
    return tf.data.Dataset.from_tensor_slices(X).batch(2)


def keras():
    """The layer's successor: eagerly, and in a tf.function."""
    layer = tf.keras.layers.Dense(units=1, kernel_initializer="ones")
    eager = layer(tf.constant(X)).numpy()
    return eager, tf.function(layer)(tf.constant(X)).numpy()


# The names as published, each with what is asked for of it.
TRIALS = {
    "layers": ("layers.Dense", layers),
    "train.Optimizer": ("train.Optimizer", optimizer),
    "data": ("data.Dataset", data),
}


def tried(trial):
    """Return whether both results of a trial are the same, and why not."""
    try:
        eager, graph = trial()
    except AttributeError as error:
        return False, str(error)
    pairs = zip(eager, graph, strict=True)
    same = all(np.allclose(a, b, rtol=1e-6) for a, b in pairs)
    return same, "" if same else "the results differ"


def rows():
    """Return a row a table for each interface, and one for a successor."""
    table = []
    for published, (name, trial) in TRIALS.items():
        same, why = tried(trial)
        table.append(
            {
                "published": f"tf.{published}",
                "today": where(name) or "raises an error",
                "the same in both": same,
                "why not": why,
            }
        )
    same, why = tried(keras)
    return [
        *table,
        {
            "published": "(successor of tf.layers)",
            "today": "tf.keras.layers.Dense",
            "the same in both": same,
            "why not": why,
        },
    ]
