"""A graph in TensorBoard, and its page in a browser."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from onthefly.experiments.graphs import graph_page
from onthefly.kernels.count import counter_tensorflow as program
from onthefly.page import checkout


@pytest.fixture
def browser():
    if lack := graph_page.missing():
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say(f"needs a browser: {lack}")


def test_tensorboard_shows_every_node(tmp_path, browser):
    graph = program.counter().graph
    graph_page.write(graph, tmp_path)
    with graph_page.board() as board:
        url = board.ask("serve", str(tmp_path))
        server = psutil.Process(board.pid)
        listens = [
            c.laddr.ip
            for process in (server, *server.children(recursive=True))
            for c in process.net_connections()
            if c.status == psutil.CONN_LISTEN
        ]
        seen = graph_page.look(url, ["counter"], tmp_path / "page.png")
    assert listens and set(listens) == {"127.0.0.1"}
    assert not server.is_running()
    assert {n.name for n in graph.as_graph_def().node} <= {*seen["drawn"]}
    assert seen["away"] == []
    assert (tmp_path / "page.png").read_bytes()[:4] == b"\x89PNG"


def relatives(process):
    """Return a process's children and theirs."""
    return psutil.Process(process.pid).children(recursive=True)


def shows_a_page(processes):
    """Tell whether one of the processes draws a page of Chromium's."""
    for process in processes:
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            if "--type=renderer" in " ".join(process.cmdline()):
                return True
    return False


def test_nothing_is_left_of_a_killed_kernel(tmp_path, browser):
    code = (
        "import sys; "
        "from onthefly.experiments.graphs import graph_bytes, graph_page\n"
        "graph_page.write(graph_bytes.built(3), sys.argv[1])\n"
        "with graph_page.board() as board:\n"
        "    url = board.ask('serve', sys.argv[1])\n"
        "    graph_page.look(url, ['nowhere'], sys.argv[1] + '/page.png')\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(checkout.NOTEBOOKS)},
    )
    limit = time.monotonic() + 60
    while not shows_a_page(family := relatives(parent)):
        assert time.monotonic() < limit and parent.poll() is None
        time.sleep(0.05)
    assert len(family) > 3  # the server, the driver, the browser, its parts
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    _, alive = psutil.wait_procs(family, timeout=20)
    assert not alive


def test_without_a_browser_the_file_is_still_written(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    graph = program.counter().graph
    page = graph_page.shown(graph, ["counter"])
    assert page.names == [n.name for n in graph.as_graph_def().node]
    assert page.seen is None and "no Chromium" in page.lack
    assert page.drawn(page.names) == []
