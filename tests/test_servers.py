"""Servers of TensorFlow on loopback, and the wire that counts their bytes."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import nbformat
import papermill
import psutil
import pytest

from cases import bad_shots
from conftest import gone
from onthefly import figures
from onthefly.experiments.graphs import servers as tensorflow_servers
from onthefly.experiments.graphs.counting_wire import (
    PREFACE,
    Connection,
    Wire,
    WireError,
    crossing,
    settle,
)
from onthefly.kernels import counter_split as parts
from onthefly.kernels import sigmas
from onthefly.tools import processes as children

LACK = tensorflow_servers.missing()
task, tf, v1 = parts.task, parts.tf, parts.v1


@pytest.fixture(scope="module")
def servers():
    if LACK:
        pytest.skip(LACK)
    with tensorflow_servers.Servers(2) as servers:
        assert servers.listen() == ""
        yield servers


# --- the wire --------------------------------------------------------------


@pytest.fixture
def echo():
    """The port of a server that sends each byte back twice."""

    def answer(connection):
        with connection:
            while data := connection.recv(4096):
                connection.sendall(data + data)

    def serve():
        with ThreadPoolExecutor() as pool:
            while True:
                try:
                    pool.submit(answer, door.accept()[0])
                except OSError:
                    return

    door = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=serve)
    thread.start()
    yield door.getsockname()[1]
    door.shutdown(socket.SHUT_RDWR)
    door.close()
    thread.join(10)
    assert not thread.is_alive()


def through(address):
    host, port = address.split(":")
    return socket.create_connection((host, int(port)), 10)


def test_a_wire_counts_every_byte(echo):
    rng = random.Random(1)
    with Wire(echo) as wire:
        assert wire.address.startswith("127.0.0.1:")
        total = 0
        for size in (1, 17, 70_000, 1_000_003):
            sent, found = rng.randbytes(size), b""
            with through(wire.address) as client:
                writer = threading.Thread(target=client.sendall, args=(sent,))
                writer.start()
                while len(found) < 2 * size:
                    found += client.recv(2**16)
                writer.join()
            assert sorted(found) == sorted(sent + sent)
            total += size
            assert (wire.sent, wire.received) == (total, 2 * total)
        with pytest.raises(WireError, match="no preface"):
            wire.take()  # counted, but not HTTP/2


def test_a_wire_without_a_server_hangs_up():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Wire(port) as wire, through(wire.address) as client:
        assert client.recv(1) == b""


def test_the_end_of_a_wire_closes_its_connections(echo):
    with Wire(echo) as wire:
        client = through(wire.address)
        client.sendall(b"x")
        assert client.recv(2) in (b"x", b"xx")
    assert client.recv(2) in (b"", b"x")
    with pytest.raises(ConnectionRefusedError):
        through(wire.address)
    client.close()


def test_settle_has_a_limit():
    class Busy:
        sent = received = property(lambda self: time.monotonic())

    start = time.monotonic()
    settle([Busy()], quiet=0.01, limit=0.1)
    assert 0.1 <= time.monotonic() - start < 5


# --- what it reads, against gRPC's own Python ------------------------------


@pytest.fixture(scope="module")
def said():
    """[(method, asked, answered)] by grpcio, and the bytes of each way."""
    grpc = pytest.importorskip("grpc")

    class Twice(grpc.GenericRpcHandler):
        def service(self, call):
            return grpc.unary_unary_rpc_method_handler(
                lambda data, _: data + data
            )

    calls, rng = [], random.Random(2)
    server = grpc.server(ThreadPoolExecutor(2), handlers=[Twice()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sizes = [0, 1, 5, 127, 128, 16_384, 16_385, 100_000]
    with Wire(port) as wire, grpc.insecure_channel(wire.address) as channel:
        for k in range(240):
            method = f"/books.Shelf{k % 3}/Take{k % 70}"
            data = rng.randbytes(sizes[k % len(sizes)])
            # Header fields that differ push old ones out of HPACK's table.
            more = [(f"x-{k}", "y" * (k % 50)), ("x-same", str(k % 7))]
            answer = channel.unary_unary(method)(
                data, timeout=20, metadata=more
            )
            calls.append((method, data, answer))
        kept = list(wire._kept)
        yield calls, wire.take(), kept
    server.stop(None).wait(10)


def test_every_message_is_read(said):
    calls, found, _ = said
    assert list(found) == ["Shelf0"]  # one connection, by its first call
    messages = found["Shelf0"].messages
    asks = [(m.method, m.data) for m in messages if m.asks]
    answers = [(m.method, m.data) for m in messages if not m.asks]
    assert asks == [(method, data) for method, data, _ in calls]
    assert answers == [(method, data) for method, _, data in calls]
    assert found["Shelf0"].asks == len(calls)
    assert found["Shelf0"].calls()["Take0"] == 4
    assert found["Shelf0"].pick("Take1") == [
        data for method, data, _ in calls if method.endswith("/Take1")
    ]


@pytest.mark.parametrize("step", [1, 9, 1000])
def test_pieces_of_any_size_make_the_same_messages(said, step):
    calls, _, kept = said
    connection, found = Connection(), []
    for asks in (True, False):
        data = b"".join(d for _, way, d in kept if way is asks)
        data = data[:150_000]
        for at in range(0, len(data), step):
            found += connection.read(asks, data[at : at + step])
    asked = [m.data for m in found if m.asks]
    assert len(asked) >= 5
    assert asked == [data for _, data, _ in calls[: len(asked)]]


def frame(kind, payload, flags=4):
    head = len(payload).to_bytes(3, "big") + bytes([kind, flags])
    return head + (1).to_bytes(4, "big") + payload


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", "no preface"),
        (PREFACE + frame(1, b"\x44\x81\xff"), "Huffman"),
        (PREFACE + frame(1, b"\xff\x30"), "of no table"),
        (PREFACE + frame(1, b"\x44"), "cut off"),
        (PREFACE + frame(1, b"\xff\xff"), "cut off"),
    ],
)
def test_what_is_not_http2_is_refused(data, match):
    with pytest.raises(WireError, match=match):
        Connection().read(True, data)


# --- the figure ------------------------------------------------------------


def test_each_kind_has_its_column():
    nodes = {k: k for k in "abcde"}
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c"), ("c", "e")]
    kinds = dict.fromkeys("abc", "left") | dict.fromkeys("de", "right")
    chart = figures.graph(nodes, edges, kinds, columns=True)
    text = {t.get_text(): t for t in chart.figure.axes[0].texts}
    place = {k: text[k].get_position()[0] for k in nodes}
    assert max(place[k] for k in "abc") < 0.5 < min(place[k] for k in "de")
    assert len({text[k].get_position() for k in nodes}) == len(nodes)


# --- children --------------------------------------------------------------


def test_a_child_that_does_not_answer_is_left(monkeypatch):
    monkeypatch.setattr(children, "END", 0.2)
    code = "import time; time.sleep(600)"
    with children.Child([sys.executable, "-c", code], {}) as child:
        with pytest.raises(RuntimeError, match="gave no answer"):
            child.ask("anything", limit=0.1)
        process = psutil.Process(child._process.pid)
    assert not process.is_running()


def test_a_child_that_has_ended_is_told():
    with children.Child([sys.executable, "-c", ""], {}) as child:
        child._process.wait()
        with pytest.raises(RuntimeError, match="Child ended: 0"):
            child.ask("anything")


def test_a_module_answers_once_or_says_in_one_line_why_not():
    module = "onthefly.experiments.memory.host_copies"
    sizes = {"sizes": [4096, 8192]}
    found = children.answer(module, "neighbours", sizes)
    assert set(found) == {"4096", "8192"}
    with pytest.raises(children.Ended, match="ended: 1; KeyError: 'no job'"):
        children.answer(module, "no job", {})
    with pytest.raises(RuntimeError, match=r"gave no answer in 0\.01 s"):
        children.answer(module, "neighbours", sizes, limit=0.01)


# --- servers ---------------------------------------------------------------


def test_without_a_compiler_there_are_none(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert tensorflow_servers.missing() == "no C compiler"


def test_with_a_broken_compiler_there_are_none(monkeypatch, tmp_path):
    (tmp_path / "cc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "cannot build" in tensorflow_servers.missing()


def test_every_listening_socket_is_on_loopback(servers):
    found = servers.sockets()
    assert found.pop("client") == []
    assert set(found) == {"task 0", "task 1"}
    for name, addresses in found.items():
        assert addresses, name
        assert set(addresses) <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}
    # What TensorFlow asked for was another address: the guard is needed.
    assert all(p.ask("guarded") > 1 for p in servers.tasks)
    assert len(set(servers.ports)) == 2


def test_a_server_without_the_guard_does_not_start():
    with tensorflow_servers.Process("") as process:
        with pytest.raises(tensorflow_servers.ServerError, match="no effect"):
            process.ask("listen")
        open_ones = psutil.Process(process.pid).net_connections("inet")
        assert open_ones == []


def test_a_proxy_of_the_environment_is_avoided(servers, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        url = "http://{}:{}".format(*proxy.getsockname())
        for name in ("http_proxy", "https_proxy", "grpc_proxy"):
            monkeypatch.setenv(name, url)
        made = parts.counter(task(1), task(0))
        with parts.Session(servers, made.graph) as session:
            session.run(made.init)
            assert int(session.run(made.state)) == 0
        proxy.settimeout(0)
        with pytest.raises(BlockingIOError):  # nobody has come
            proxy.accept()


@pytest.mark.parametrize(("home", "adder"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_counter_counts_wherever_it_lives(servers, home, adder):
    made = parts.counter(task(home), task(adder))
    states = []
    with parts.Session(servers, made.graph) as session:
        session.run(made.init)
        for _ in range(4):
            states.append(int(session.run(made.state)))
            session.run(made.update)
    assert states == [0, 1, 2, 3]


def test_pi_is_that_of_one_process(servers):
    shots = 200_001
    two, one = parts.halves(), parts.halves(at=lambda k: None)
    with parts.Session(servers, two.graph) as session:
        found = [
            parts.pi_tensorflow_split(shots, key, session, two)
            for key in (7, 7, 8)
        ]
    with v1.Session(graph=one.graph) as session:
        alone = parts.pi_tensorflow_split(shots, 7, session, one)
    assert found[0] == found[1] == alone != found[2]
    assert all(sigmas(pi, shots) < 5 for pi in found)


@bad_shots
def test_pi_refuses_bad_shots(shots, error):
    with pytest.raises(error, match="shots"):
        parts.pi_tensorflow_split(shots, 7, None, parts.halves())


def test_the_graph_crosses_once_and_is_ours(servers):
    made = parts.counter(task(1), task(0))
    ours = list(made.graph.as_graph_def().node)
    with parts.Session(servers, made.graph) as session:
        runs = [
            crossing(servers.wires, lambda f=fetch: session.run(f))
            for fetch in (made.init, made.update, made.update)
        ]
        with made.graph.as_default():
            more = made.state + 5
        grown = crossing(servers.wires, lambda: session.run(more))
    assert parts.sent_nodes(runs[0]) == [ours]
    assert parts.sent_nodes(runs[1]) == parts.sent_nodes(runs[2]) == []
    (added,) = parts.sent_nodes(grown)
    assert ours + added == list(made.graph.as_graph_def().node)
    for found in runs:
        assert found["task 0", "MasterService"].calls()["RunStep"] == 1


@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_an_array_crosses_as_its_bytes(servers, size):
    import numpy as np

    made, array = parts.echo(), np.random.default_rng(1).random(size)
    feed = {made.x: array}
    with parts.Session(servers, made.graph) as session:
        session.run(made.ways["fed"], feed)
        found = crossing(
            servers.wires, lambda: session.run(made.ways["fed"], feed)
        )
        assert np.array_equal(
            session.run(made.ways["by the other task"], feed), array
        )
    (ask,) = found["task 0", "MasterService"].pick("RunStep")
    assert array.tobytes() in ask
    assert len(ask) - array.nbytes < 100


def test_a_send_leads_to_each_receive(servers):
    made = parts.counter(task(1), task(0))
    with parts.Session(servers, made.graph) as session:
        session.run(made.init)
        found = parts.partitions(session, made.update.op)
    nodes, edges, kinds = parts.nodes_edges(found)
    assert set(kinds.values()) == {"task 0", "task 1"}
    across = [(a, b) for a, b in edges if kinds[a] != kinds[b]]
    assert [(nodes[a], nodes[b]) for a, b in across] == [
        ("_Send", "_Recv")
    ] * 2
    assert {n for edge in edges for n in edge} == set(nodes)


@pytest.mark.parametrize("adder", [0, 1])
def test_a_loop_takes_one_message(servers, adder):
    made = parts.loop(task(0), task(adder))
    with parts.Session(servers, made.graph) as session:
        for steps in (0, 1, 20):
            found, run = [], {made.steps: steps}
            seen = crossing(
                servers.wires,
                lambda r=run, f=found: f.append(session.run(made.total, r)),
            )
            assert found == [steps]
            assert seen["task 0", "MasterService"].calls()["RunStep"] == 1


def test_the_counters_of_bytes_count(servers):
    found = servers.client.ask("stages", servers.addresses())
    asked = found["the graph is asked for"]
    assert (asked["GraphDef"], asked["NodeDef"]) == (1, 8)
    assert found["servers, first run"]["GraphDef"] == 1
    assert found["servers, later run"]["GraphDef"] == 0
    assert found["Session, first run"]["AttrValue"] > 0
    assert found["the same, no optimisers"]["AttrValue"] == 0


@pytest.mark.parametrize("way", parts.STEPS)
def test_eager_steps_on_a_server(servers, way):
    devices = servers.client.ask("connect", servers.addresses())
    assert [d.split("/task:")[1][0] for d in devices] == ["0", "1"]
    for count in (1, 10):
        assert servers.client.ask("steps", way, count) == count
        assert int(parts.STEPS[way](count)) == count


def test_a_question_that_fails_is_one_line(servers):
    with pytest.raises(tensorflow_servers.ServerError) as caught:
        servers.client.ask("steps", "no such way", 1)
    assert str(caught.value) == "KeyError: 'no such way'"


# --- the end ---------------------------------------------------------------

PARENT = """
import os, sys, time
from onthefly.experiments.graphs import servers as tensorflow_servers

servers = tensorflow_servers.Servers(1)
assert servers.listen() == ""
processes = [*servers.tasks, servers.client]
print(*[p.pid for p in processes], servers.ports[0],
      servers.wires["task 0"].address.split(":")[1], flush=True)
"""


def left(pids, ports):
    """Return the processes and ports that are left after 15 seconds."""
    found = [pid for pid in pids if not gone(pid)]
    for port in ports:
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 5).close()
            found.append(port)
    return found


@pytest.mark.skipif(bool(LACK), reason=LACK)
def test_a_killed_parent_takes_its_servers_along():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT + "time.sleep(600)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        *pids, port, wire = map(int, parent.stdout.readline().split())
        assert all(map(psutil.pid_exists, pids))
        parent.send_signal(signal.SIGKILL)
    assert left([parent.pid, *pids], [port, wire]) == []


@pytest.mark.skipif(bool(LACK), reason=LACK)
def test_a_failing_cell_takes_its_servers_along(tmp_path):
    """The kernel is ended by papermill, as by the book's runner."""
    path = [f"import sys; sys.path[:0] = {sys.path!r}\n" + PARENT, "1 / 0"]
    cells = [nbformat.v4.new_code_cell(text) for text in path]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "P"}
    nbformat.write(book, tmp_path / "fails.ipynb")
    out = tmp_path / "out.ipynb"
    with pytest.raises(papermill.PapermillExecutionError, match="division"):
        papermill.execute_notebook(
            tmp_path / "fails.ipynb", out, progress_bar=False
        )
    cells = nbformat.read(out, 4).cells
    (text,) = [
        o.text
        for cell in cells
        if cell.source.endswith(PARENT)
        for o in cell.outputs
    ]
    *pids, port, wire = map(int, text.split())
    assert left(pids, [port, wire]) == []


@pytest.mark.skipif(bool(LACK), reason=LACK)
def test_a_dead_server_is_one_line():
    made = parts.counter(task(1), task(0))
    with tensorflow_servers.Servers(2) as servers:
        servers.listen()
        session = parts.Session(servers, made.graph)
        session.run(made.init)
        os.kill(servers.tasks[1].pid, signal.SIGKILL)
        servers.tasks[1]._process.wait(10)
        start = time.monotonic()
        with pytest.raises(tensorflow_servers.ServerError) as caught:
            session.run(made.update)
        session.close()
        assert str(caught.value) == "task 1 has ended: status -9"
        assert time.monotonic() - start < 5
    pids = [p.pid for p in (*servers.tasks, servers.client)]
    assert left(pids, servers.ports) == []
