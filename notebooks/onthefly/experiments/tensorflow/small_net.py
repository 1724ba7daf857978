"""A small convolutional network, in TensorFlow alone, and its training."""

import time

import numpy as np

from onthefly.experiments.tensorflow.glyphs import CLASSES, SIDE
from onthefly.measure import clock
from onthefly.tools.quiet_tensorflow import tf

IMAGES = tf.TensorSpec([None, SIDE, SIDE, 1], tf.float32, "images")

# The weights: {name: shape}.  Two convolutions, each with a pool behind it,
# a layer whose 32 numbers are the features, and a layer for the classes.
SHAPES = {
    "conv1": (3, 3, 1, 16),
    "conv2": (3, 3, 16, 32),
    "hidden": (SIDE // 4 * SIDE // 4 * 32, 32),
    "classes": (32, CLASSES),
}


class Net(tf.Module):
    """Digits to scores.

    weights  {name: array}, as `start` makes them
    """

    def __init__(self, weights):
        super().__init__()
        self.parts = {k: tf.Variable(v, name=k) for k, v in weights.items()}

    def features(self, images):
        """Return the 32 features of each image."""
        x, w = images, self.parts
        for k in "conv1", "conv2":
            x = tf.nn.conv2d(x, w[k], strides=1, padding="SAME")
            x = tf.nn.relu(tf.nn.bias_add(x, w[f"{k}_bias"]))
            x = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
        x = tf.reshape(x, [-1, SHAPES["hidden"][0]])
        return tf.nn.relu(x @ w["hidden"] + w["hidden_bias"])

    def scores(self, images):
        """Return a score for each image and class."""
        x = self.features(images)
        return x @ self.parts["classes"] + self.parts["classes_bias"]

    @tf.function(input_signature=[IMAGES])
    def __call__(self, images):
        return self.scores(images)

    def numbers(self):
        """Return {name: array} of the weights."""
        return {k: v.numpy() for k, v in self.parts.items()}


def start(seed):
    """Return the weights before training: {name: float32 array}.

    Normal with the variance of He et al. 2015, as the layers have relu.
    """
    rng = np.random.default_rng(seed)
    weights = {}
    for name, shape in SHAPES.items():
        scale = np.sqrt(2 / np.prod(shape[:-1]))
        weights[name] = rng.normal(0, scale, shape).astype(np.float32)
        weights[f"{name}_bias"] = np.zeros(shape[-1], np.float32)
    return weights


def train(net, images, labels, *, epochs, seed, batch=64, rate=0.05):
    """Train a Net by gradient descent with momentum.

    images, labels  as of `glyphs.draw`
    epochs          how often each image is used
    seed            of the order of the images

    Returns (the last loss, processor seconds an image).  The first step,
    which makes the graph, is not in the seconds.
    """
    speeds = {k: tf.Variable(tf.zeros_like(v)) for k, v in net.parts.items()}

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(
                    y, net.scores(x)
                )
            )
        slopes = tape.gradient(loss, net.parts)
        for k, slope in slopes.items():
            speeds[k].assign(0.9 * speeds[k] - rate * slope)
            net.parts[k].assign_add(speeds[k])
        return loss

    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(images)) for _ in range(epochs)]
    starts = range(0, len(images) - batch + 1, batch)
    picks = [order[k : k + batch] for order in orders for k in starts]
    step(images[picks[0]], labels[picks[0]])

    def rest():
        for picked in picks[1:]:
            losses.append(step(images[picked], labels[picked]))

    losses = []
    spent = clock.seconds(rest, timer=time.process_time)
    return float(losses[-1]), spent / (batch * len(losses))
