"""A home of a trained model: one runtime, one file, no training code.

Each runtime may use one thread, so that what is compared is the runtimes.
"""

import importlib
import json
import sys
import time
from pathlib import Path

import numpy as np

from onthefly.experiments.tensorflow.resident import mapped, peak_memory
from onthefly.measure import clock

_CALL, _FED = [], {}  # the model of this process, and what it is timed with


# Each function below returns the model: float32 images (count, 16, 16, 1) to
# float32 scores (count, classes).


def open_saved_model(folder):
    """Return a SavedModel as a function, by TensorFlow's Python."""
    from onthefly.tools.quiet_tensorflow import tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    loaded = tf.saved_model.load(str(folder))
    function = loaded.signatures["serving_default"]
    (name,) = function.structured_input_signature[1]
    (result,) = function.structured_outputs

    def call(images):
        return function(**{name: tf.constant(images)})[result].numpy()

    call.keep = loaded  # its variables live as long as it does
    return call


def open_in_c(file):
    """Return a SavedModel or a frozen graph as a function, by C alone."""
    from onthefly.experiments.tensorflow import c_api

    names = json.loads(Path(f"{file}.json").read_text())
    return c_api.Session(file, *names)


def open_lite(file):
    """Return a FlatBuffer as a function, by LiteRT."""
    from ai_edge_litert.interpreter import Interpreter

    lite = Interpreter(model_path=str(file), num_threads=1)
    (source,), (target,) = lite.get_input_details(), lite.get_output_details()
    source, target = source["index"], target["index"]
    made_for = []  # the shape that memory was last allocated for

    def call(images):
        if made_for != [images.shape]:
            lite.resize_tensor_input(source, images.shape)
            lite.allocate_tensors()
            made_for[:] = [images.shape]
        lite.set_tensor(source, images)
        lite.invoke()
        return lite.get_tensor(target)

    return call


def open_onnx(file):
    """Return an ONNX file as a function, by ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(file), options, providers=["CPUExecutionProvider"]
    )
    (source,) = session.get_inputs()

    def call(images):
        return session.run(None, {source.name: images})[0]

    return call


def open_torch(file):
    """Return an exported program as a function, by PyTorch."""
    from onthefly.tools.quiet_torch import torch

    torch.set_num_threads(1)
    module = torch.export.load(str(file)).module()

    def call(images):
        with torch.no_grad():
            return module(torch.from_numpy(images)).numpy()

    return call


def open_rpc(address):
    """Return the model of a server, "host:port", as a function."""
    from onthefly.experiments.tensorflow.predictor import Client

    return Client(address)


# {home: (what it imports, how it opens a file)}
HOMES = {
    "SavedModel": ("onthefly.tools.quiet_tensorflow", open_saved_model),
    "frozen graph in C": ("ctypes", open_in_c),
    "SavedModel in C": ("ctypes", open_in_c),
    "LiteRT": ("ai_edge_litert.interpreter", open_lite),
    "LiteRT int8": ("ai_edge_litert.interpreter", open_lite),
    "ONNX": ("onnxruntime", open_onnx),
    "torch.export": ("onthefly.tools.quiet_torch", open_torch),
    "RPC": ("grpc", open_rpc),
}


def prepare(home):
    """Import a runtime; return the processor seconds that this takes.

    home  key of HOMES

    Processor seconds, for other homes are made ready at the same time.
    """
    module, _ = HOMES[home]
    return clock.seconds(
        importlib.import_module, module, timer=time.process_time
    )


def move_in(home, file):
    """Let a runtime open the model.

    home  key of HOMES
    file  path of the model; of "RPC" the address of its server

    Returns {"load" (processor seconds), "mapped"}.
    """
    _, opened = HOMES[home]

    def load():
        _CALL[:] = [opened(file)]

    spent = clock.seconds(load, timer=time.process_time)
    return {"load": spent, "mapped": mapped(file)}


def scores(images):
    """Return the model's scores, a float32 array (images, classes)."""
    return np.asarray(_CALL[0](images))


def feed(images):
    """Keep images to be timed with; return how many."""
    _FED[len(images)] = images
    return len(images)


def seconds(count, calls):
    """Return the seconds of a call with so many images, over some calls."""
    call, images = _CALL[0], _FED[count]
    call(images)
    return clock.seconds(call, images, calls=calls)


def processor(count, calls):
    """Return the processor seconds of a call with so many images."""
    timer = time.process_time
    return clock.seconds(_CALL[0], _FED[count], calls=calls, timer=timer)


def known():
    """Return what the process has loaded, and the most memory it held."""
    return {
        "training code": any("small_net" in name for name in sys.modules),
        "TensorFlow": "tensorflow" in sys.modules,
        "memory": peak_memory(),
    }
