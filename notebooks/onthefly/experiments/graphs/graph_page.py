"""A graph in TensorBoard, and TensorBoard's page in a browser."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from onthefly.experiments.graphs import tensorboard_child
from onthefly.tools.processes import Child
from onthefly.tools.quiet_tensorflow import tf

v1 = tf.compat.v1
PAGE = Path(__file__).with_name("graph_page_child.py")


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
    """Return a TensorBoard as a Child: `ask(folder)` gives its URL."""
    return Child([sys.executable, tensorboard_child.__file__], {**os.environ})


def look(url, scopes, picture):
    """Open a TensorBoard's graph page in Chromium.

    url      of the TensorBoard
    scopes   names of the boxes to open
    picture  the PNG file to write

    Returns a dict: the names drawn, the addresses of other hosts that the
    page asked for (they are blocked), the browser's version.  Raises
    RuntimeError where the page shows no graph in half a minute.
    """
    with Child([sys.executable, str(PAGE)], {**os.environ}) as page:
        found = page.ask(chromium(), url, scopes, str(picture))
    # An open box shows the node of its own name within: counter/(counter).
    drawn = {name.split("/(")[0] for name in found["drawn"]}
    return {**found, "drawn": sorted(drawn)}
