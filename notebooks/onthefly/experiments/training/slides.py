"""The training of the slides of 2017, as it is written today.

There it is ``tfe.implicit_gradients`` over a dense layer of one unit, and
``optimizer.minimize``; neither the batches nor the loss are defined.
"""

import functools

import numpy as np

from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
RATE, ADAGRAD = 0.1, 0.01  # printed there
STEPS, ROWS, NOISE = 30, 32, 0.1


def get_next_batch(weight, bias, seed, steps=STEPS):
    """Yield batches (x, y) of a line and some noise: float32, ROWS by 1."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        x = rng.standard_normal((ROWS, 1))
        y = weight * x + bias + NOISE * rng.standard_normal((ROWS, 1))
        yield x.astype("float32"), y.astype("float32")


def line_learned(weight, bias, seed):
    """Return the weight and the bias that a dense layer learns, eagerly."""
    model = tf.keras.layers.Dense(units=1, use_bias=True)
    model.build((None, 1))
    learned = [v.value for v in model.trainable_variables]
    optimizer = v1.train.GradientDescentOptimizer(learning_rate=RATE)
    for x, y in get_next_batch(weight, bias, seed):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(x)))
        gradients = tape.gradient(loss, learned)
        optimizer.apply_gradients(zip(gradients, learned, strict=True))
    return [v.numpy().item() for v in learned]


def errors(seeds):
    """Return how far the learned lines are from the true ones.

    seeds  one for each line: its weight, bias and batches

    The larger error of weight and bias, of each.
    """
    errors_seen = []
    for seed in seeds:
        true = np.random.default_rng(seed).uniform(-2, 2, 2)
        learned = line_learned(*true, seed)
        errors_seen.append(float(np.abs(true - learned).max()))
    return errors_seen


def adagrad_then(variables, loss, batches):
    """Train by the optimiser of then, eagerly; return the losses.

    variables  tf.Variables, changed in place
    loss       function (variables, x, y) -> tensor
    batches    of (x, y)
    """
    optimizer = v1.train.AdagradOptimizer(ADAGRAD)
    losses = []
    for x, y in batches:
        error = functools.partial(loss, variables, x, y)
        losses.append(float(error()))
        optimizer.minimize(error, var_list=variables)
    return losses


def adagrad_now(variables, loss, batches):
    """Train by Keras' optimiser; arguments and losses as `adagrad_then`."""
    optimizer = tf.keras.optimizers.Adagrad(ADAGRAD)
    losses = []
    for x, y in batches:
        with tf.GradientTape() as tape:
            error = loss(variables, x, y)
        gradients = tape.gradient(error, variables)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        losses.append(float(error))
    return losses
