"""Keras code of 2017 under both prefixes, which then were two libraries.

Keras 2.0.9 and the tf.keras of TensorFlow 1.4.  A piece is text: it uses
`keras.`, numbers `x` and `y`, `np` and, where it is mixed with TensorFlow,
`tf`; what it finds it calls `found`.  Source of the question: Shin, The Flow
of TensorFlow, slide 20.
"""

import numpy as np

from onthefly.experiments.then import environments
from onthefly.experiments.training.keras_code import prefixed
from onthefly.tools.processes import Program

CHILD = "onthefly.experiments.then.keras_child"
NAME = "keras-2017"
# Not among environments.NAMES, on whose file all measurements of then hang.
ENVIRONMENT = {NAME: "Keras 2.0.9 and TensorFlow 1.4, of November 2017"}
# A step of training differs by 2e-5 from run to run, in either library: it
# reads a variable by reference while another node may write it.
TOLERANCE = 1e-3

PURE = {
    "Sequential and fit": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(4, activation='relu', input_shape=(4,)))
model.add(keras.layers.Dense(1))
model.compile(loss='mse', optimizer='sgd')
model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
found = model.get_weights()""",
    "functional model, predict": """
inputs = keras.layers.Input(shape=(4,))
hidden = keras.layers.Dense(3, activation='tanh')(inputs)
outputs = keras.layers.Dense(1)(hidden)
model = keras.models.Model(inputs=inputs, outputs=outputs)
found = [model.predict(x)]""",
    "evaluate, metrics": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(1, input_shape=(4,)))
model.compile(loss='mse', optimizer='adam', metrics=['mae'])
found = model.evaluate(x, y, verbose=0)""",
    "convolution and pooling": """
model = keras.models.Sequential()
model.add(keras.layers.Conv2D(2, (3, 3), input_shape=(8, 8, 1)))
model.add(keras.layers.MaxPooling2D((2, 2)))
model.add(keras.layers.Flatten())
found = [model.predict(np.ones((2, 8, 8, 1)))]""",
    "embedding and LSTM": """
model = keras.models.Sequential()
model.add(keras.layers.Embedding(5, 3, input_length=3))
model.add(keras.layers.LSTM(2, recurrent_initializer='glorot_uniform'))
found = [model.predict(np.array([[1, 2, 3]]))]""",
    "batch normalisation": """
model = keras.models.Sequential()
model.add(keras.layers.BatchNormalization(input_shape=(4,)))
model.compile(loss='mse', optimizer='sgd')
model.fit(x, x, shuffle=False, verbose=0)
found = model.get_weights()""",
    "callbacks": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(1, input_shape=(4,)))
model.compile(loss='mse', optimizer='sgd')
stop = keras.callbacks.EarlyStopping(monitor='loss', patience=0)
found = [model.fit(x, y, epochs=3, shuffle=False, verbose=0,
                   callbacks=[stop]).history['loss']]""",
    "a layer of one's own": """
class Scale(keras.layers.Layer):
    def build(self, input_shape):
        self.kernel = self.add_weight(
            shape=(int(input_shape[-1]),), initializer='ones', name='kernel')
        super(Scale, self).build(input_shape)
    def call(self, inputs):
        return inputs * self.kernel
model = keras.models.Sequential()
model.add(Scale(input_shape=(4,)))
found = [model.predict(x)]""",
    "regularizer": """
found = [keras.regularizers.l2(0.01)(x)]""",
    "initializer": """
found = [keras.initializers.glorot_uniform(seed=1)((3, 2))]""",
    "a loss as a function": """
found = [keras.losses.mean_squared_error(y, 2 * y)]""",
    "to_categorical": """
found = [keras.utils.to_categorical([0, 2, 1])]""",
    "a model as JSON": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(2, input_shape=(4,)))
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
model = keras.models.Sequential()
model.add(keras.layers.Lambda(lambda v: tf.nn.relu(v), input_shape=(4,)))
found = [model.predict(x)]""",
    "a loss of tf functions": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(1, input_shape=(4,)))
model.compile(loss=lambda a, b: tf.reduce_mean(tf.square(a - b)),
              optimizer='sgd')
found = [model.fit(x, y, shuffle=False, verbose=0).history['loss']]""",
    "tf.gradients of a layer": """
layer = keras.layers.Dense(1)
error = tf.reduce_sum(layer(tf.constant(x)))
found = tf.gradients(error, layer.trainable_weights)""",
    "a model in a tf.Session": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(1, input_shape=(4,)))
fed = tf.placeholder(tf.float32, (None, 4))
said = model(fed) + 1
session = keras.backend.get_session()
found = [session.run(said, {fed: x})]""",
    "trained by a tf optimizer": """
model = keras.models.Sequential()
model.add(keras.layers.Dense(1, input_shape=(4,)))
error = tf.reduce_mean(tf.square(model(tf.constant(x)) - y))
step = tf.train.GradientDescentOptimizer(0.1).minimize(error)
keras.backend.get_session().run(step)
found = model.get_weights()""",
    "tf on a layer's result": """
inputs = keras.layers.Input(shape=(4,))
outputs = tf.nn.relu(keras.layers.Dense(2)(inputs))
found = [keras.models.Model(inputs, outputs).predict(x)]""",
}

PIECES = PURE | MIXED


def here():
    """Tell whether scripts/old_stack.py has made the two libraries."""
    return environments.python(NAME).exists()


def tried():
    """Return what both libraries make of all pieces.

    {"versions": {library: version}, "pieces": {piece: [what Keras says, what
    tf.keras says, whether both find the same within rounding]}, "shared":
    names of both that lead to one object}.  What a library says is "runs" or
    its error.
    """
    names = ["layers.Dense", "models.Sequential", "optimizers.SGD"]
    with Program(
        CHILD,
        python=environments.python(NAME),
        environment={"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""},
    ) as program:
        pairs = [(source, prefixed(source)) for source in PIECES.values()]
        found = program.ask("outcomes", pairs)
        return {
            "versions": program.ask("versions"),
            "pieces": {
                name: [*map(_told, pair), _same(*pair)]
                for name, pair in zip(PIECES, found, strict=True)
            },
            "shared": program.ask("same_objects", names),
        }


def _told(outcome):
    return outcome if isinstance(outcome, str) else "runs"


def _same(one, other):
    """Tell whether both have found the same, within rounding."""
    if isinstance(one, str) or isinstance(other, str):
        return False
    return len(one) == len(other) and all(
        np.shape(a) == np.shape(b)
        and np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE)
        for a, b in zip(one, other, strict=True)
    )
