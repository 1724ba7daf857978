"""An ONNX file in JavaScript: Node runs ONNX Runtime Web's WebAssembly.

Both are optional.  Node itself looks for the package `onnxruntime-web`: in a
folder `node_modules` above this file, as `npm install onnxruntime-web` in the
book's folder makes one, and where NODE_PATH points.
"""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

from onthefly.experiments.tensorflow import runtimes

SCRIPT = Path(__file__).with_name("onnx_in_node.cjs")
LIMIT = 60  # seconds that the scores may take


class NoScores(RuntimeError):
    """Why Node gives no scores, in one line."""


def answer(file, images):
    """Return what `onnx_in_node.cjs` finds: "node", "runtime", "scores".

    file    path of an ONNX model
    images  float32, of the shape that the model takes

    "scores" is an array (images, classes), the others are versions.  Raises
    NoScores without Node, without the package, or where Node fails.
    """
    node = shutil.which("node")
    if node is None:
        raise NoScores("there is no Node")
    shape = ",".join(map(str, images.shape))
    try:
        done = subprocess.run(
            [node, SCRIPT, file, shape],
            input=images.astype("<f4").tobytes(),
            capture_output=True,
            timeout=LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise NoScores(f"Node gave none in {LIMIT} s") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").splitlines() or ["?"]
        raise NoScores(f"Node says: {words[-1]}")
    printed = json.loads(done.stdout)
    scores = np.array(printed["scores"], np.float32)
    return printed | {"scores": scores.reshape(len(images), -1)}


def compare(file, images, eager):
    """Return (rows of a table, why it has none) of an ONNX file in Node.

    Arguments as of `answer`; `eager` are the network's own scores.
    """
    try:
        in_node = answer(file, images)
    except NoScores as error:
        return [], str(error)
    row = {
        "runtime": f"ONNX Runtime Web {in_node['runtime']}, WebAssembly",
        "in": f"Node {in_node['node']}",
        "largest difference": f"{runtimes.gap(in_node['scores'], eager):.2g}",
        "other classes": runtimes.others(in_node["scores"], eager),
    }
    return [row], ""
