"""A graph in TensorBoard, and TensorBoard's page in a browser."""

import base64
import html
import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

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
    (graph,) = [e.graph_def for e in events if e.HasField("graph_def")]
    return v1.GraphDef.FromString(graph)


def board():
    """Return a TensorBoard: ``ask("serve", folder)`` gives its URL."""
    return Program(f"{HERE}.tensorboard_child")


class Shown(NamedTuple):
    """A graph in TensorBoard.

    names  of the nodes in the file of events
    lack   what the picture of the page lacks here, or ""
    seen   what `look` returns, or None
    image  the page as PNG, in base64, or ""
    """

    names: list
    lack: str
    seen: dict
    image: str

    def drawn(self, names):
        """Return which of these nodes the page shows."""
        return [n for n in names if self.seen and n in self.seen["drawn"]]

    def figure(self, names):
        """Return the page's picture as HTML; its caption counts `names`.

        Raises AssertionError where the page asked other hosts.
        """
        drawn = self.drawn(names)
        assert not self.seen["away"]
        alt = f"TensorBoard's graph page with the nodes {', '.join(drawn)}"
        version = self.seen["browser"].split(".")[0]
        return (
            '<figure class="otf-figure"><img style="max-width: 100%" '
            f'alt="{html.escape(alt)}" src="data:image/png;base64,'
            f'{self.image}">'
            f"<figcaption>TensorBoard draws {len(drawn)} of {len(names)} "
            f"nodes.  Taken in Chromium {version}.</figcaption></figure>"
        )


def shown(graph, scopes):
    """Write a tf.Graph to a file, and open it in TensorBoard: a Shown.

    scopes  names of the boxes to open
    """
    lack, seen, image = missing(), None, ""
    with tempfile.TemporaryDirectory() as folder:
        write(graph, folder)
        names = [n.name for n in written(folder).node]
        if not lack:
            picture = Path(folder, "page.png")
            with board() as server:
                url = server.ask("serve", folder)
                seen = look(url, scopes, picture)
            image = base64.b64encode(picture.read_bytes()).decode()
    return Shown(names, lack, seen, image)


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
    answered = answer(
        page, "look", chromium(), url, scopes, str(picture),
        environment={"TMPDIR": "/tmp"} if deep else None,
    )  # fmt: skip
    # An open box shows the node of its own name within: counter/(counter).
    drawn = {name.split("/(")[0] for name in answered["drawn"]}
    return {**answered, "drawn": sorted(drawn)}
