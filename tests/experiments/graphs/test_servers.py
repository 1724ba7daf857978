"""Servers of TensorFlow on loopback, and what their wires carry."""

import os
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest

from cases import skip_if
from conftest import gone
from onthefly.experiments.graphs import cluster
from onthefly.experiments.graphs.counting_wire import crossing
from onthefly.experiments.graphs.servers import Process, Servers, missing
from onthefly.kernels.count import counter_split as parts
from onthefly.measure.libraries import Missing
from onthefly.tools.processes import Ended, Failed

LACK = missing()
task, tf, v1 = parts.task, parts.tf, parts.v1


@pytest.fixture(scope="module")
def servers():
    if LACK:
        pytest.skip(LACK)
    with Servers(2, client=True) as servers:
        assert set(servers.listen()) == {"task 0", "task 1", "client"}
        yield servers


def test_with_a_broken_compiler_there_are_none(monkeypatch, tmp_path):
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "cannot build" in missing()


def test_every_listening_socket_is_on_loopback(servers):
    sockets = servers.sockets()
    assert sockets.pop("client") == []
    assert set(sockets) == {"task 0", "task 1"}
    for name, addresses in sockets.items():
        assert addresses, name
        assert set(addresses) <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}
    # What TensorFlow asked for was another address: the guard is needed.
    assert all(p.ask("guarded") > 1 for p in servers.tasks)
    assert servers.led() >= sum(p.ask("guarded") for p in servers.tasks)
    assert len(set(servers.ports)) == 2


def test_servers_that_do_not_start_are_missing(monkeypatch):
    if LACK:
        pytest.skip(LACK)
    monkeypatch.setattr(Process, "ask", refuse)
    servers = Servers(1)
    with pytest.raises(Missing, match="no effect"):
        servers.listen()
    assert all(gone(task.pid) for task in servers.tasks)


def refuse(process, *_, **__):
    """Answer as a process in which the guard does not work."""
    raise Failed(process.name, "LD_PRELOAD has no effect")


def test_a_server_without_the_guard_does_not_start():
    with Process("unguarded", "") as process:
        with pytest.raises(Failed, match="no effect"):
            process.ask("listen")
        open_ones = psutil.Process(process.pid).net_connections("inet")
        assert open_ones == []


def test_a_proxy_of_the_environment_is_avoided(servers, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        url = "http://{}:{}".format(*proxy.getsockname())
        for name in ("http_proxy", "https_proxy", "grpc_proxy"):
            monkeypatch.setenv(name, url)
        made = parts.counter(task(1), task(0))
        with cluster.Session(servers, made.graph) as session:
            session.run(made.init)
            assert int(session.run(made.state)) == 0
        proxy.settimeout(0)
        with pytest.raises(BlockingIOError):  # nobody has come
            proxy.accept()


@pytest.mark.parametrize(("home", "adder"), [(0, 0), (0, 1), (1, 0)])
def test_the_counter_counts_wherever_it_lives(servers, home, adder):
    made = parts.counter(task(home), task(adder))
    states = []
    with cluster.Session(servers, made.graph) as session:
        session.run(made.init)
        for _ in range(4):
            states.append(int(session.run(made.state)))
            session.run(made.update)
    assert states == [0, 1, 2, 3]


def test_the_graph_crosses_once_and_is_ours(servers):
    made = parts.counter(task(1), task(0))
    ours = list(made.graph.as_graph_def().node)
    with cluster.Session(servers, made.graph) as session:
        runs = [
            crossing(servers.wires, session.run, fetch)
            for fetch in (made.init, made.update, made.update)
        ]
        with made.graph.as_default():
            more = made.state + 5
        grown = crossing(servers.wires, session.run, more)
    assert cluster.sent_nodes(runs[0]) == [ours]
    assert cluster.sent_nodes(runs[1]) == cluster.sent_nodes(runs[2]) == []
    (added,) = cluster.sent_nodes(grown)
    assert ours + added == list(made.graph.as_graph_def().node)


@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_an_array_crosses_as_its_bytes(servers, size):
    import numpy as np

    made, array = cluster.echo(), np.random.default_rng(1).random(size)
    feed = {made.x: array}
    with cluster.Session(servers, made.graph) as session:
        session.run(made.ways["fed"], feed)
        wires = crossing(servers.wires, session.run, made.ways["fed"], feed)
        assert np.array_equal(
            session.run(made.ways["by the other task"], feed), array
        )
    (ask,) = wires["task 0", "MasterService"].pick("RunStep")
    assert array.tobytes() in ask
    assert len(ask) - array.nbytes < 100


def test_a_send_leads_to_each_receive(servers):
    made = parts.counter(task(1), task(0))
    with cluster.Session(servers, made.graph) as session:
        session.run(made.init)
        partitions = cluster.partitions(session, made.update.op)
    nodes, edges, kinds = cluster.nodes_edges(partitions)
    assert set(kinds.values()) == {"task 0", "task 1"}
    across = [(a, b) for a, b in edges if kinds[a] != kinds[b]]
    assert [(nodes[a], nodes[b]) for a, b in across] == [
        ("_Send", "_Recv")
    ] * 2


PARENT = """
import time
from onthefly.experiments.graphs.servers import Servers

servers = Servers(1, client=True)
servers.listen()
processes = [*servers.tasks, servers.client, servers.fork()]
print(*[p.pid for p in processes], flush=True)
time.sleep(600)
"""


@skip_if(LACK)
def test_a_killed_parent_takes_its_servers_along():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        pids = [*map(int, parent.stdout.readline().split())]
        assert len(pids) == 3 and all(map(psutil.pid_exists, pids))
        parent.send_signal(signal.SIGKILL)
    assert all(map(gone, pids))


@skip_if(LACK)
def test_a_dead_server_is_one_line():
    made = parts.counter(task(1), task(0))
    with Servers(2, client=True) as servers:
        servers.listen()
        fork = servers.fork()
        session = cluster.Session(servers, made.graph)
        session.run(made.init)
        os.kill(servers.tasks[1].pid, signal.SIGKILL)
        assert gone(servers.tasks[1].pid)
        start = time.monotonic()
        with pytest.raises(Ended, match="task 1 ended") as caught:
            session.run(made.update)
        session.close()
        assert caught.value.status == -signal.SIGKILL
        assert time.monotonic() - start < 5
    processes = (*servers.tasks, servers.client, fork)
    assert all(gone(process.pid) for process in processes)
