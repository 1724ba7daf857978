"""Train the small network, and save it for its homes.

The only program that knows how the network is made: the homes get files.
"""

import json
from pathlib import Path

import numpy as np

from onthefly.experiments.tensorflow import glyphs, lite_files, small_net
from onthefly.experiments.tensorflow.resident import peak_memory
from onthefly.experiments.tensorflow.small_net import tf
from onthefly.measure import clock

_NET = []  # the network of this process, once it is trained


def train(seed, count, epochs):
    """Train a new network; return what that cost.

    seed    of images, weights and order
    count   how many images
    epochs  how often each is used

    Returns {"seconds", "image" (processor seconds of one), "memory" (peak
    bytes), "before" (peak bytes before), "loss"}.
    """
    _NET[:] = [small_net.Net(small_net.start(seed))]
    return train_on(seed, count, epochs)


def train_on(seed, count, epochs):
    """Train the network further; arguments and result as of `train`."""
    before = peak_memory()
    images, labels = glyphs.draw(count, seed)
    trained = []

    def learn():
        trained[:] = small_net.train(
            _NET[0], images, labels, epochs=epochs, seed=seed
        )

    seconds = clock.seconds(learn)
    loss, image = trained
    return {
        "seconds": seconds,
        "image": image,
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
    """Save as a SavedModel; its operations' names go into a file beside."""
    from tensorflow.core.protobuf import saved_model_pb2

    tf.saved_model.save(_NET[0], str(folder), signatures=_concrete())
    meta = saved_model_pb2.SavedModel.FromString(
        Path(folder, "saved_model.pb").read_bytes()
    ).meta_graphs[0]
    signature = meta.signature_def["serving_default"]
    _save_names(folder, signature.inputs, signature.outputs)


def _save_names(file, inputs, outputs):
    """Write which operations take the images and give the scores."""
    names = [
        next(iter(side.values())).name.removesuffix(":0")
        for side in (inputs, outputs)
    ]
    Path(f"{file}.json").write_text(json.dumps(names))


def save_frozen(file):
    """Save the graph, its variables made constants; a GraphDef."""
    from tensorflow.python.framework import convert_to_constants

    frozen = convert_to_constants.convert_variables_to_constants_v2(
        _concrete()
    )
    Path(file).write_bytes(frozen.graph.as_graph_def().SerializeToString())
    _save_names(file, *({0: x[0]} for x in (frozen.inputs, frozen.outputs)))


def save_lite(file, kind="float32", examples=None):
    """Convert for LiteRT; kind and examples as of `lite_files.converter`."""
    made = lite_files.converter(_concrete(), kind, examples)
    Path(file).write_bytes(made.convert())


def save_onnx(file):
    """Convert for ONNX, with tf2onnx."""
    import tf2onnx

    tf2onnx.convert.from_function(
        _NET[0].__call__,
        input_signature=[small_net.IMAGES],
        opset=17,
        output_path=str(file),
    )
