"""The wire that counts: its bytes, and what it reads of gRPC."""

import random
import socket
import socketserver
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from onthefly.experiments.graphs.counting_wire import (
    PREFACE,
    Connection,
    Wire,
    WireError,
)


class Twice(socketserver.BaseRequestHandler):
    """Send each byte back twice."""

    def handle(self):
        while data := self.request.recv(4096):
            self.request.sendall(data + data)


@pytest.fixture
def echo():
    """The port of a server that sends each byte back twice."""
    address = "127.0.0.1", 0
    with socketserver.ThreadingTCPServer(address, Twice) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_address[1]
        server.shutdown()


def through(address):
    host, port = address.split(":")
    return socket.create_connection((host, int(port)), 10)


def test_a_wire_counts_every_byte(echo):
    rng = random.Random(1)
    with Wire(echo) as wire:
        assert wire.address.startswith("127.0.0.1:")
        total = 0
        for size in (1, 17, 70_000, 1_000_003):
            sent, received = rng.randbytes(size), b""
            with through(wire.address) as client:
                writer = threading.Thread(target=client.sendall, args=(sent,))
                writer.start()
                while len(received) < 2 * size:
                    received += client.recv(2**16)
                writer.join()
            assert sorted(received) == sorted(sent + sent)
            total += size
            assert (wire.sent, wire.received) == (total, 2 * total)
        with pytest.raises(WireError, match="no preface"):
            wire.take()  # counted, but not HTTP/2


def test_the_end_of_a_wire_closes_its_connections(echo):
    with Wire(echo) as wire:
        client = through(wire.address)
        client.sendall(b"x")
        assert client.recv(2) in (b"x", b"xx")
    assert client.recv(2) in (b"", b"x")
    with pytest.raises(ConnectionRefusedError):
        through(wire.address)
    client.close()


# --- what it reads, against gRPC's own Python ------------------------------


@pytest.fixture(scope="module")
def exchange():
    """[(method, asked, answered)] by grpcio, and the bytes of each way."""
    grpc = pytest.importorskip("grpc")

    class Double(grpc.GenericRpcHandler):
        def service(self, call):
            return grpc.unary_unary_rpc_method_handler(
                lambda data, _: data + data
            )

    calls, rng = [], random.Random(2)
    server = grpc.server(ThreadPoolExecutor(2), handlers=[Double()])
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


def test_every_message_is_read(exchange):
    calls, connections, _ = exchange
    assert list(connections) == ["Shelf0"]  # named by its first call
    messages = connections["Shelf0"].messages
    asks = [(m.method, m.data) for m in messages if m.asks]
    answers = [(m.method, m.data) for m in messages if not m.asks]
    assert asks == [(method, data) for method, data, _ in calls]
    assert answers == [(method, data) for method, _, data in calls]
    assert connections["Shelf0"].calls()["Take0"] == 4


@pytest.mark.parametrize("step", [1, 9, 1000])
def test_pieces_of_any_size_make_the_same_messages(exchange, step):
    calls, _, kept = exchange
    connection, messages = Connection(), []
    for asks in (True, False):
        data = b"".join(d for _, way, d in kept if way is asks)
        data = data[:150_000]
        for at in range(0, len(data), step):
            messages += connection.read(asks, data[at : at + step])
    asked = [m.data for m in messages if m.asks]
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
