"""Train the small network, and save it for its homes.

The only program that knows how the network is made: the homes get files.
"""

import json
import time
from pathlib import Path

import numpy as np

from onthefly.experiments.tensorflow import glyphs, small_net
from onthefly.experiments.tensorflow.resident import peak_memory
from onthefly.experiments.tensorflow.small_net import tf

_NET = []  # the network of this process, once it is trained


def train(seed, count, epochs):
    """Train a network; return what that cost.

    seed    of images, weights and order
    count   how many images
    epochs  how often each is used

    Returns {"seconds", "processor" (seconds), "memory" (peak bytes),
    "before" (peak bytes before), "loss"}.
    """
    before = peak_memory()
    images, labels = glyphs.draw(count, seed)
    start, spent = time.perf_counter(), time.process_time()
    net = small_net.Net(small_net.start(seed))
    loss = small_net.train(net, images, labels, epochs=epochs, seed=seed)
    _NET[:] = [net]
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - spent,
        "memory": peak_memory(),
        "before": before,
        "loss": loss,
    }


def scores(images):
    """Return the network's scores, computed eagerly."""
    return _NET[0].scores(images).numpy()


def exact_scores(images):
    """Return the scores, computed with 64 bits."""
    wide = {k: np.asarray(v, np.float64) for k, v in numbers().items()}
    return small_net.Net(wide).scores(images.astype(np.float64)).numpy()


def features(images):
    """Return the network's features, computed eagerly."""
    return _NET[0].features(images).numpy()


def numbers():
    """Return {name: array} of the weights."""
    return _NET[0].numbers()


def _concrete():
    return _NET[0].__call__.get_concrete_function()


def save_saved_model(folder):
    """Save as a SavedModel; its operations' names go into io.json."""
    tf.saved_model.save(_NET[0], str(folder), signatures=_concrete())
    loaded = tf.compat.v1.saved_model.load
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        meta = loaded(session, ["serve"], str(folder))
    signature = meta.signature_def["serving_default"]
    names = [
        next(iter(side.values())).name.removesuffix(":0")
        for side in (signature.inputs, signature.outputs)
    ]
    (Path(folder) / "io.json").write_text(json.dumps(names))


def save_frozen(file):
    """Save the graph, its variables made constants; a GraphDef."""
    from tensorflow.python.framework import convert_to_constants

    frozen = convert_to_constants.convert_variables_to_constants_v2(
        _concrete()
    )
    Path(file).write_bytes(frozen.graph.as_graph_def().SerializeToString())


def save_lite(file, kind="float32", examples=None):
    """Convert for LiteRT.

    kind      "float32"; "float16", of the weights; "weights", these as 8-bit
              integers; "int8", the calculations, too; "int16x8", with
              activations of 16 bits
    examples  images that stand for those to come: "int8" and "int16x8" take
              the ranges of their activations from these
    """
    lite = tf.lite
    converter = lite.TFLiteConverter.from_concrete_functions(
        [_concrete()], _NET[0]
    )
    if kind != "float32":
        converter.optimizations = [lite.Optimize.DEFAULT]
    if kind == "float16":
        converter.target_spec.supported_types = [tf.float16]
    if kind in ("int8", "int16x8"):
        converter.representative_dataset = lambda: (
            [image[None]] for image in examples
        )
        wide = "EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8"
        ops = wide if kind == "int16x8" else "TFLITE_BUILTINS_INT8"
        converter.target_spec.supported_ops = [getattr(lite.OpsSet, ops)]
    Path(file).write_bytes(converter.convert())


def save_onnx(file):
    """Convert for ONNX, with tf2onnx."""
    import tf2onnx

    tf2onnx.convert.from_function(
        _NET[0].__call__,
        input_signature=[small_net.IMAGES],
        opset=17,
        output_path=str(file),
    )


def save_weights(file):
    """Save the numbers alone, for those who know the network."""
    np.savez(file, **numbers())
