"""A graph in TensorBoard, and TensorBoard's page in a browser."""

import importlib.util
import shutil
import tempfile
from pathlib import Path

from onthefly.tools.processes import Program, answer
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
HERE = "onthefly.experiments.graphs"
SOCKET = 70  # characters of a folder in which the browser's socket fits


def chromium():
    """Return the path of a Chromium, or None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def missing():
    """Return what the picture of the page lacks here, or ""."""
    lacks = {
        "no Chromium": not chromium(),
        "no package playwright": not importlib.util.find_spec("playwright"),
    }
    return ", ".join(lack for lack, true in lacks.items() if true)


def write(graph, folder):
    """Write a tf.Graph into an event file in a folder."""
    with graph.as_default():
        v1.summary.FileWriter(str(folder), graph).close()


def written(folder):
    """Return the GraphDef in a folder's one event file."""
    (path,) = map(str, Path(folder).glob("events.out.tfevents.*"))
    events = map(
        v1.Event.FromString, tf.data.TFRecordDataset(path).as_numpy_iterator()
    )
    (found,) = [e.graph_def for e in events if e.HasField("graph_def")]
    return v1.GraphDef.FromString(found)


def board():
    """Return a TensorBoard: ``ask("serve", folder)`` gives its URL."""
    return Program(f"{HERE}.tensorboard_child")


def look(url, scopes, picture):
    """Open a TensorBoard's graph page in Chromium.

    url      of the TensorBoard
    scopes   names of the boxes to open
    picture  the PNG file to write

    Returns a dict: the names drawn, the addresses of other hosts that the
    page asked for (they are blocked), the browser's version.  Raises
    processes.Failed where the page shows no graph in half a minute.
    """
    page = f"{HERE}.graph_page_child"
    deep = len(tempfile.gettempdir()) > SOCKET
    found = answer(
        page, "look", chromium(), url, scopes, str(picture),
        environment={"TMPDIR": "/tmp"} if deep else None,
    )  # fmt: skip
    # An open box shows the node of its own name within: counter/(counter).
    drawn = {name.split("/(")[0] for name in found["drawn"]}
    return {**found, "drawn": sorted(drawn)}
