"""Data, a model and its training, under TensorFlow 1.4 to 1.9, Python 3.6.

The program of `then.trained`.  A process builds graphs, or is eager from its
first statement on.  Written from what slides show: Shin, The Flow of
TensorFlow, 20 to 22 and 34 to 37; Monga, TensorFlow Research at Scale.  Names
are as printed there.
"""

import pathlib
import tempfile

import numpy as np
import tensorflow as tf

MOMENTUM = 0.9
_state = {}  # "eager": whether the process is; the training that it keeps
tfe = None  # the module that the talks call so, where the process is eager


def start(mode):
    """Say how the process runs, "graph" or "eager"; before all else."""
    global tfe
    _state["eager"] = mode == "eager"
    if _state["eager"]:
        from tensorflow.contrib import eager as tfe

        tfe.enable_eager_execution()


def _array(value):
    return np.array(value, np.float32)


def _value(tensor):
    """Return a tensor's numbers as lists; in a graph by a first run."""
    if _state["eager"]:
        return tensor.numpy().tolist()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensor).tolist()


def refusal(call):
    """Return the error that a call ends with, in a line, or ""."""
    try:
        call()
    except (tf.errors.OpError, RuntimeError, TypeError, ValueError) as error:
        lines = [line.strip() for line in str(error).splitlines()]
        return f"{type(error).__name__}: {lines[0]}"
    return ""


# Slides 21 and 22: files, an iterator, images.


def _text(path, numbers):
    path.write_text("".join(f"{n!r}\n" for n in numbers.tolist()))
    return tf.data.TextLineDataset(str(path)).map(tf.string_to_number)


def _records(path, numbers):
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for number in numbers.tolist():
            value = tf.train.Feature(
                float_list=tf.train.FloatList(value=[number])
            )
            features = tf.train.Features(feature={"number": value})
            example = tf.train.Example(features=features)
            writer.write(example.SerializeToString())
    form = {"number": tf.FixedLenFeature([], tf.float32)}
    return tf.data.TFRecordDataset(str(path)).map(
        lambda message: tf.parse_single_example(message, form)["number"]
    )


def _fixed(path, numbers):
    numbers.tofile(str(path))
    records = tf.data.FixedLengthRecordDataset(str(path), record_bytes=4)
    return records.map(lambda r: tf.decode_raw(r, tf.float32)[0])


KINDS = {
    "TextLineDataset": _text,
    "TFRecordDataset": _records,
    "FixedLengthRecordDataset": _fixed,
}


def _taken(dataset):
    """Return all that an iterator gives, run by run, until it ends."""
    following = dataset.make_one_shot_iterator().get_next()
    rows = []
    with tf.Session() as session:
        while True:
            try:
                rows.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return np.array(rows)


def files(numbers):
    """Return {kind of file: whether an iterator gives its numbers}."""
    numbers = _array(numbers)
    with tempfile.TemporaryDirectory() as folder:
        return {
            kind: np.array_equal(
                _taken(made(pathlib.Path(folder, kind), numbers)), numbers
            )
            for kind, made in KINDS.items()
        }


def images(decode):
    """Run the example of slide 22; return [its error or "", a shape].

    decode  tf.image.decode_image, as printed, or another one
    """

    def _parse_function(filename, label):
        image_string = tf.read_file(filename)
        image_decoded = decode(image_string)
        image_resized = tf.image.resize_images(image_decoded, [28, 28])
        return image_resized, label

    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        paths = [str(pathlib.Path(folder, name)) for name in ("1", "2")]
        grey = tf.cast(tf.fill([240, 320, 3], 128), tf.uint8)
        jpeg = session.run(tf.image.encode_jpeg(grey))
        for path in paths:
            pathlib.Path(path).write_bytes(jpeg)
        dataset = tf.data.Dataset.from_tensor_slices(
            (tf.constant(paths), tf.constant([0, 37]))
        )
        error = refusal(lambda: dataset.map(_parse_function))
        if error:
            return [error, None]
        dataset = dataset.map(_parse_function)
        image, _ = session.run(dataset.make_one_shot_iterator().get_next())
        return [error, list(image.shape)]


def pipelines(numbers):
    """Return what `files` and `images` do, together."""
    return {
        "kinds": files(numbers),
        "decode_image": images(tf.image.decode_image),
        "decode_jpeg": images(tf.image.decode_jpeg),
    }


# Slides 34 to 37: the same interfaces, and a line that is learned.


def _descent():
    return tf.train.GradientDescentOptimizer(learning_rate=0.1)


def layers(x):
    """Return what a dense layer of one unit makes of some rows."""
    layer = tf.layers.Dense(1, kernel_initializer=tf.ones_initializer())
    return _value(layer(tf.constant(_array(x))))


def optimizer(x):
    """Return where three steps of descent come to, towards x[0]."""
    target = _array(x[0])

    def loss(w):
        return tf.reduce_sum(tf.square(w - target))

    if _state["eager"]:
        w, descent = tfe.Variable([0.0, 0.0]), _descent()
        grad_fn = tfe.implicit_gradients(lambda: loss(w))
        for _ in range(3):
            descent.apply_gradients(grad_fn())
        return w.numpy().tolist()
    w = tf.get_variable("w", initializer=[0.0, 0.0])
    step = _descent().minimize(loss(w))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        return session.run(w).tolist()


def data(x):
    """Return batches of two of some rows."""
    batches = tf.data.Dataset.from_tensor_slices(_array(x)).batch(2)
    if _state["eager"]:
        return [batch.numpy().tolist() for batch in tfe.Iterator(batches)]
    following = batches.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        return [session.run(following).tolist() for _ in range(len(x), 0, -2)]


def _line_learned(batches):
    """Return the weight and the bias that a dense layer learns, eagerly.

    batches  of (x, y), as get_next_batch gives them
    """
    model = tf.layers.Dense(units=1, use_bias=True)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)

    # Define a loss function
    def loss(x, y):
        return tf.reduce_mean(tf.square(y - model(x)))

    grad_fn = tfe.implicit_gradients(loss)
    for x, y in batches:
        x, y = tf.constant(_array(x)), tf.constant(_array(y))
        optimizer.apply_gradients(grad_fn(x, y))
    return [v.numpy().item() for v in model.variables]


def lines_learned(batches_of_lines):
    """Return what is learned of each line, in their order."""
    return [_line_learned(batches) for batches in batches_of_lines]


# The talks' model is not shown: the book's small network stands for it.


def predict(weights, x):
    """Return what the small network says, as kernels.perceptron_eager."""
    w1, b1, w2, b2 = weights
    hidden = tf.tanh(tf.matmul(x, w1) + b1)
    return tf.matmul(hidden, w2) + b2


def loss(weights, x, y):
    """Return the mean squared error of a batch."""
    return tf.reduce_mean(tf.square(predict(weights, x) - y))


def predictions(weights, batches):
    """Return what the model says of batches, in this process's mode."""
    weights = [tf.constant(_array(w)) for w in weights]
    if _state["eager"]:
        return [_value(predict(weights, _array(x))) for x in batches]
    x = tf.placeholder(tf.float32, _array(batches[0]).shape)
    said = predict(weights, x)
    with tf.Session() as session:
        return [session.run(said, {x: each}).tolist() for each in batches]


def used(x, weights, batches):
    """Return {interface: what it gives in this process's mode}."""
    return {
        "tf.layers": layers(x),
        "tf.train.Optimizer": optimizer(x),
        "tf.data": data(x),
        "predict": predictions(weights, batches),
    }


def adagrad(weights, batches):
    """Train eagerly as the talk begins to; return losses and weights."""
    variables = [
        tfe.Variable(_array(w), name=f"weight{k}")
        for k, w in enumerate(weights)
    ]
    optimizer = tf.train.AdagradOptimizer(0.01)
    losses = []
    for images, labels in batches:
        images, labels = _array(images), _array(labels)

        def model_loss(images=images, labels=labels):
            return loss(variables, images, labels)

        losses.append(float(model_loss().numpy()))
        optimizer.minimize(model_loss)
    return losses, [v.numpy().tolist() for v in variables]


def monitored(weights, batches, last_step, master):
    """Train the same in a monitored session; return the step, the weights.

    batches    more than are needed
    last_step  at which the hook stops
    master     "grpc://host:port" of a server; "" for this process
    """
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, len(weights[0])])
        y = tf.placeholder(tf.float32, [None, 1])
        variables = [
            tf.get_variable(f"w{k}", initializer=_array(w))
            for k, w in enumerate(weights)
        ]
        optimizer = tf.train.AdagradOptimizer(0.01)
        step = tf.train.get_or_create_global_step()
        train_op = optimizer.minimize(loss(variables, x, y), global_step=step)
        with tf.control_dependencies([train_op]):  # what the step has made
            fetches = [tf.identity(v) + 0 for v in (step, *variables)]

        hooks = [tf.train.StopAtStepHook(last_step=last_step)]
        with tf.train.MonitoredTrainingSession(
            master=master, hooks=hooks
        ) as mon_sess:
            more = iter(batches)
            while not mon_sess.should_stop():
                xs, ys = next(more)
                feed = {x: _array(xs), y: _array(ys)}
                stopped, *learned = mon_sess.run(fetches, feed)
    return int(stopped), [w.tolist() for w in learned]


# A training in two halves, each in a mode of its own, by a checkpoint.


def begin(weights, rate):
    """Make the training that the process keeps, with momentum."""
    kept = _state["training"] = {"optimizer": None}
    named = [(f"w{k}", _array(w)) for k, w in enumerate(weights)]
    if _state["eager"]:
        variables = [tfe.Variable(w, name=name) for name, w in named]
    else:
        variables = [
            tf.get_variable(name, initializer=w, use_resource=True)
            for name, w in named
        ]
    kept["variables"] = variables
    kept["optimizer"] = tf.train.MomentumOptimizer(rate, MOMENTUM)
    if _state["eager"]:
        # So that they are there before the first step, as in a graph.
        kept["optimizer"]._create_slots(variables)
    else:
        kept["x"] = tf.placeholder(tf.float32, [None, len(weights[0])])
        kept["y"] = tf.placeholder(tf.float32, [None, 1])
        error = loss(variables, kept["x"], kept["y"])
        kept["step"] = kept["optimizer"].minimize(error)
        kept["session"] = tf.Session()
        kept["session"].run(tf.global_variables_initializer())
    kept["all"] = variables + [
        kept["optimizer"].get_slot(w, "momentum") for w in variables
    ]


def train(batches):
    """Take a step for each batch of (x, y)."""
    kept = _state["training"]
    for x, y in batches:
        x, y = _array(x), _array(y)
        if _state["eager"]:
            kept["optimizer"].minimize(
                lambda x=x, y=y: loss(kept["variables"], x, y)
            )
        else:
            kept["session"].run(kept["step"], {kept["x"]: x, kept["y"]: y})


def save(prefix):
    """Write a checkpoint by the mode's own Saver; return its path."""
    kept = _state["training"]
    if _state["eager"]:
        return tfe.Saver(kept["all"]).save(prefix)
    return tf.train.Saver(kept["all"]).save(kept["session"], prefix)


def restore(path):
    """Take all values from a checkpoint, by the mode's own Saver."""
    kept = _state["training"]
    if _state["eager"]:
        tfe.Saver(kept["all"]).restore(path)
    else:
        tf.train.Saver(kept["all"]).restore(kept["session"], path)


def state():
    """Return {name of a variable: its numbers as lists}."""
    kept = _state["training"]
    if _state["eager"]:
        values = [v.numpy() for v in kept["all"]]
    else:
        values = kept["session"].run(kept["all"])
    return {v.name: value.tolist() for v, value in zip(kept["all"], values)}
