"""Pieces of Keras code, to be run under one prefix and under another.

Each piece is text.  It uses `keras.`, some numbers `x` and `y`, `np` and, if
it is mixed with TensorFlow, `tf`; what it finds it calls `found`.
"""

import re

import numpy as np

PURE = {
    "Sequential and fit": """
model = keras.models.Sequential([keras.layers.Dense(4, activation='relu'),
                                 keras.layers.Dense(1)])
model.compile(loss='mse', optimizer='sgd')
model.fit(x, y, batch_size=8, verbose=0)
found = model.get_weights()""",
    "functional model, predict": """
inputs = keras.layers.Input(shape=(4,))
hidden = keras.layers.Dense(3, activation='tanh')(inputs)
model = keras.models.Model(inputs, keras.layers.Dense(1)(hidden))
found = [model.predict(x, verbose=0)]""",
    "evaluate, metrics": """
model = keras.models.Sequential([keras.layers.Dense(1)])
model.compile(loss='mse', optimizer='adam', metrics=['mae'])
found = model.evaluate(x, y, verbose=0)""",
    "convolution and pooling": """
model = keras.models.Sequential([
    keras.layers.Conv2D(2, (3, 3)), keras.layers.MaxPooling2D((2, 2)),
    keras.layers.Flatten()])
found = [model.predict(np.ones((2, 8, 8, 1)), verbose=0)]""",
    "embedding and LSTM": """
vectors = keras.layers.Embedding(5, 3)(np.array([[1, 2, 3]]))
found = [keras.layers.LSTM(2)(vectors)]""",
    "batch normalisation": """
layer = keras.layers.BatchNormalization()
found = [layer(x)]""",
    "callbacks": """
model = keras.models.Sequential([keras.layers.Dense(1)])
model.compile(loss='mse', optimizer='sgd')
stop = keras.callbacks.EarlyStopping(monitor='loss', patience=0)
found = model.fit(x, y, epochs=3, verbose=0, callbacks=[stop]
                  ).history['loss']""",
    "a layer of one's own": """
class Scale(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1],),
                                      initializer='ones', name='kernel')
    def call(self, inputs):
        return inputs * self.kernel
found = [Scale()(x)]""",
    "regularizer": """
found = [keras.regularizers.l2(0.01)(x)]""",
    "initializer": """
found = [keras.initializers.glorot_uniform(seed=1)((3, 2))]""",
    "a loss as a function": """
found = [keras.losses.mean_squared_error(y, 2 * y)]""",
    "to_categorical": """
found = [keras.utils.to_categorical([0, 2, 1])]""",
    "a model as JSON": """
model = keras.models.Sequential([keras.layers.Input((4,)),
                                 keras.layers.Dense(2)])
again = keras.models.model_from_json(model.to_json())
found = [layer.count_params() for layer in again.layers]""",
    "optimizer with decay": """
found = [keras.optimizers.SGD(lr=0.1, decay=1e-6).get_config()['lr']]""",
    "backend functions": """
found = [keras.backend.sum(keras.backend.square(x))]""",
    "padded sequences": """
found = [keras.preprocessing.sequence.pad_sequences([[1], [2, 3]])]""",
    "words to numbers": """
words = keras.preprocessing.text.Tokenizer()
words.fit_on_texts(['one two', 'two'])
found = [words.word_index['two']]""",
}

MIXED = {
    "tf in a Lambda layer": """
layer = keras.layers.Lambda(lambda v: tf.nn.relu(v))
found = [layer(x)]""",
    "a loss of tf functions": """
model = keras.models.Sequential([keras.layers.Dense(1)])
model.compile(loss=lambda a, b: tf.reduce_mean(tf.square(a - b)),
              optimizer='sgd')
found = [model.fit(x, y, verbose=0).history['loss']]""",
    "gradients on a tape": """
layer = keras.layers.Dense(1)
with tf.GradientTape() as tape:
    error = tf.reduce_sum(layer(tf.constant(x)))
found = tape.gradient(error, layer.trainable_weights)""",
    "a model in a tf.function": """
model = keras.models.Sequential([keras.layers.Dense(1)])
found = [tf.function(lambda v: model(v) + 1)(tf.constant(x))]""",
    "tf.data into fit": """
model = keras.models.Sequential([keras.layers.Dense(1)])
model.compile(loss='mse', optimizer='sgd')
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
found = [model.fit(data, verbose=0).history['loss']]""",
    "tf on a layer's result": """
inputs = keras.layers.Input(shape=(4,))
outputs = tf.nn.relu(keras.layers.Dense(2)(inputs))
found = [keras.models.Model(inputs, outputs).predict(x, verbose=0)]""",
}

PIECES = PURE | MIXED


def prefixed(source):
    """Return a piece with the other prefix, as the slide says it."""
    return re.sub(r"\bkeras\.", "tf.keras.", source)


def outcome(source, seed=0, **modules):
    """Run a piece; return what it finds as arrays, or the error.

    source   text
    seed     of its numbers and of Keras' own
    modules  the names it uses: keras, tf
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((16, 4)).astype("float32")
    names = {"np": np, "x": x, "y": x[:, :1], **modules}
    keras = modules["keras"]
    keras.utils.set_random_seed(seed)
    try:
        exec(source, names)
        return [keras.ops.convert_to_numpy(v) for v in names["found"]]
    except Exception as error:  # whatever Keras answers to old code
        return error


def runs(outcome):
    """Return whether an outcome is one of a piece that ran."""
    return not isinstance(outcome, Exception)


def words(error):
    """Return the first sentence of what an error says."""
    said = str(error).strip().partition("\n")[0].partition(". ")[0]
    return f"{type(error).__name__}: {said}"


def same(one, other):
    """Return whether two outcomes are the same, to the last bit."""
    if not (runs(one) and runs(other)) or len(one) != len(other):
        return False
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def compare(keras, tf, seed=0):
    """Return {piece: what `keras.` makes of it, and `tf.keras.`, and whether
    both make the same, to the last bit}.
    """
    outcomes = {}
    for name, source in PIECES.items():
        # What is run once would be traced for nothing; `tf` may be meant.
        tf.config.run_functions_eagerly(name in PURE)
        pair = [
            outcome(text, seed, keras=keras, tf=tf)
            for text in (source, prefixed(source))
        ]
        outcomes[name] = [*map(told, pair), same(*pair)]
    tf.config.run_functions_eagerly(False)
    return outcomes


def told(outcome):
    """Return an outcome as a table has it: that it runs, or the error."""
    return "runs" if runs(outcome) else words(outcome)


def public(module, name="", depth=2):
    """Return {dotted name: object} of a module's public names.

    Modules below it are gone into, so many levels deep.
    """
    names = {}
    for part in dir(module):
        if part.startswith("_") or part == "src":
            continue
        value, full = getattr(module, part), f"{name}.{part}".lstrip(".")
        if type(value).__name__ == "module":
            if depth and "keras" in value.__name__:
                names |= public(value, full, depth - 1)
        else:
            names[full] = value
    return names
