"""A wire that counts: a proxy on loopback, and what gRPC said through it.

A :class:`Wire` stands between a client and a server and counts every byte.
Its ``take`` reads them: the frames of HTTP/2 (RFC 9113), their header fields
(HPACK, RFC 7541) and, in the DATA frames, the messages of gRPC, each with the
name of its method.  Standard library only.
"""

import collections
import contextlib
import dataclasses
import socket
import threading
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"  # what an HTTP/2 client says
DATA, HEADERS, CONTINUATION = 0, 1, 9  # types of frames
PADDED, PRIORITY, END_HEADERS = 8, 32, 4  # their flags
UNKNOWN = "/?/?"  # the path of a stream whose headers were not seen
LIMIT = 10  # seconds to connect to a server on this machine

# Names of the static table, RFC 7541, appendix A: entries 1 to 61.
_names = """:authority :method :method :path :path :scheme :scheme :status
:status :status :status :status :status :status accept-charset accept-encoding
accept-language accept-ranges accept access-control-allow-origin age allow
authorization cache-control content-disposition content-encoding
content-language content-length content-location content-range content-type
cookie date etag expect expires from host if-match if-modified-since
if-none-match if-range if-unmodified-since last-modified link location
max-forwards proxy-authenticate proxy-authorization range referer refresh
retry-after server set-cookie strict-transport-security transfer-encoding
user-agent vary via www-authenticate"""
STATIC = _names.split()


class WireError(ValueError):
    """Bytes that are not HTTP/2 as this module reads it: what, and where."""


@dataclasses.dataclass(frozen=True)
class Message:
    """A message of gRPC: its method, whether it asks or answers, its bytes.

    `name` is the method without its service, as ``RunStep``.
    """

    method: str
    asks: bool
    data: bytes = dataclasses.field(repr=False)

    @property
    def name(self):
        return self.method.rsplit("/", 1)[-1]


@dataclasses.dataclass(frozen=True)
class Crossing:
    """What crossed a wire: bytes to the server, bytes back, and messages."""

    sent: int
    received: int
    messages: list

    @property
    def both(self):
        """The bytes of both ways."""
        return self.sent + self.received

    @property
    def asks(self):
        """How many of the messages ask."""
        return sum(m.asks for m in self.messages)

    def calls(self):
        """Return {name: number of messages that ask}."""
        asks = (m.name for m in self.messages if m.asks)
        return dict(collections.Counter(asks))

    def pick(self, name, asks=True):
        """Return the bytes of the messages of a name, one way."""
        named = (m for m in self.messages if m.name == name)
        return [m.data for m in named if m.asks is asks]


class _Fields:
    """Header fields of one connection and way: HPACK, without Huffman.

    gRPC writes plain text; of the values only ``:path`` is of interest, so
    a static entry's value is not known here.
    """

    def __init__(self):
        self._table, self._limit = [], 4096

    def read(self, block):
        """Return the fields of a block as [(name, value)]."""
        at, headers = 0, []
        while at < len(block):
            first = block[at]
            if first & 0x80:  # both from the table
                index, at = self._integer(block, at, 7)
                headers.append(self._entry(index))
            elif first & 0xE0 == 0x20:  # a new size of the table
                self._limit, at = self._integer(block, at, 5)
                self._evict()
            else:  # a literal, which 0x40 adds to the table
                index, at = self._integer(block, at, 6 if first & 64 else 4)
                if index:
                    name = self._entry(index)[0]
                else:
                    name, at = self._text(block, at)
                value, at = self._text(block, at)
                headers.append((name, value))
                if first & 0x40:
                    self._table.insert(0, (name, value))
                    self._evict()
        return headers

    def _evict(self):
        while sum(len(n) + len(v) + 32 for n, v in self._table) > self._limit:
            self._table.pop()

    def _entry(self, index):
        if 1 <= index <= len(STATIC):
            return STATIC[index - 1], ""
        try:
            return self._table[index - len(STATIC) - 1]
        except IndexError:
            raise WireError(f"header field {index} of no table") from None

    @staticmethod
    def _integer(block, at, bits):
        full = (1 << bits) - 1
        value, at, shift = block[at] & full, at + 1, 0
        more = value == full
        while more:
            byte, at = block[at], at + 1
            value += (byte & 127) << shift
            shift, more = shift + 7, byte & 128
        return value, at

    def _text(self, block, at):
        coded = block[at] & 0x80
        size, at = self._integer(block, at, 7)
        if coded:
            raise WireError("a header field in Huffman's code")
        return block[at : at + size].decode("latin-1"), at + size


class _Way:
    """One way of a connection: bytes in, (type, flags, stream, payload) out.

    A frame is 9 bytes, length (3), type, flags, stream (4), and the payload.
    """

    def __init__(self, asks):
        self.asks, self.fields = asks, _Fields()
        self.block, self.parts = b"", collections.defaultdict(bytearray)
        self._rest, self._preface = bytearray(), asks

    def frames(self, data):
        self._rest += data
        if self._preface and len(self._rest) >= len(PREFACE):
            if not self._rest.startswith(PREFACE):
                raise WireError("no preface of HTTP/2 at byte 0")
            del self._rest[: len(PREFACE)]
            self._preface = False
        at, rest = 0, bytes(self._rest)
        while not self._preface and len(rest) - at >= 9:
            end = at + 9 + int.from_bytes(rest[at : at + 3])
            if end > len(rest):
                break
            stream = int.from_bytes(rest[at + 5 : at + 9]) & 0x7FFFFFFF
            flags, payload = rest[at + 4], rest[at + 9 : end]
            if flags & PADDED and rest[at + 3] in (DATA, HEADERS):
                payload = payload[1 : len(payload) - payload[0]]
            yield rest[at + 3], flags, stream, payload
            at = end
        del self._rest[:at]


class Connection:
    """The messages of one HTTP/2 connection, from its bytes each way."""

    def __init__(self):
        self._ways = {asks: _Way(asks) for asks in (True, False)}
        self._paths = {}
        self.service = ""  # of the first call, as ``MasterService``

    def read(self, asks, data):
        """Return the messages that end in the next bytes of one way.

        asks  True for the client's bytes, False for the server's

        Raises WireError for bytes that are not HTTP/2.
        """
        way, messages = self._ways[asks], []
        for kind, flags, stream, payload in way.frames(data):
            if kind == DATA:
                messages += self._messages(way, stream, payload)
            elif asks and kind in (HEADERS, CONTINUATION):
                skip = 5 if kind == HEADERS and flags & PRIORITY else 0
                way.block += payload[skip:]
                if flags & END_HEADERS:
                    self._open(stream, way)
        return messages

    def _open(self, stream, way):
        """Note the path of a stream, from its first block of headers."""
        try:
            fields = dict(way.fields.read(way.block))
        except IndexError:
            raise WireError("a block of header fields is cut off") from None
        way.block = b""
        path = self._paths.setdefault(stream, fields.get(":path", UNKNOWN))
        service = path.strip("/").split("/")[0].rsplit(".", 1)[-1]
        self.service = self.service or service

    def _messages(self, way, stream, payload):
        """Join DATA: a message is a flag, its length (4 bytes), its bytes."""
        rest = way.parts[stream]
        rest += payload
        while len(rest) >= 5:
            end = 5 + int.from_bytes(rest[1:5])
            if len(rest) < end:
                break
            path = self._paths.get(stream, UNKNOWN)
            yield Message(path, way.asks, bytes(rest[5:end]))
            del rest[:end]


class Wire:
    """A proxy from a port of 127.0.0.1, which the system gives, to a server.

    port  the server's, on 127.0.0.1

    Clients connect to `address`.  Bytes are counted before they are passed
    on, so what an end has received was counted.  A context manager; its end
    closes all connections.
    """

    def __init__(self, port):
        self._port = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._door.getsockname()[1]}"
        self.sent = self.received = 0
        self._lock = threading.Lock()
        self._kept = []  # (connection, asks, bytes), in order
        self._sockets, self._threads = [self._door], []
        self._start(self._accept)

    def _start(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:  # closed: the end
                return
            try:
                server = socket.create_connection(
                    ("127.0.0.1", self._port), LIMIT
                )
            except OSError:  # no server: the client is told at once
                client.close()
                continue
            server.settimeout(None)
            self._sockets += [client, server]
            connection = Connection()
            for asks, ends in ((True, (client, server)),
                               (False, (server, client))):  # fmt: skip
                ends[0].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._start(self._pump, connection, asks, *ends)

    def _pump(self, connection, asks, source, sink):
        with contextlib.suppress(OSError):  # an end has gone
            while data := source.recv(2**18):
                with self._lock:
                    self._kept.append((connection, asks, data))
                    self.sent += asks * len(data)
                    self.received += (not asks) * len(data)
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def take(self):
        """Return what passed since the last ``take``: {service: Crossing}.

        A connection belongs to the service that it called first.
        """
        with self._lock:
            kept, self._kept = self._kept, []
        read = collections.defaultdict(lambda: [0, 0, []])
        for connection, asks, data in kept:
            counts = read[connection]
            counts[not asks] += len(data)
            counts[2] += connection.read(asks, data)
        joined = collections.defaultdict(lambda: [0, 0, []])
        for connection, counts in read.items():
            total = joined[connection.service]
            total[:] = (a + b for a, b in zip(total, counts, strict=True))
        return {name: Crossing(*counts) for name, counts in joined.items()}

    def close(self):
        """Close the door and all connections."""
        for end in self._sockets:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        for thread in self._threads:
            thread.join(LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def settle(wires, quiet=0.02, limit=3.0):
    """Wait until nothing has passed for `quiet` seconds; `limit` at most."""
    end, before = time.monotonic() + limit, None
    while (now := [(w.sent, w.received) for w in wires]) != before:
        if time.monotonic() > end:
            return
        before = now
        time.sleep(quiet)


def crossing(wires, action, *arguments):
    """Return what a call sends: {(name, service): Crossing}.

    wires      {name: Wire}
    action     the function
    arguments  its arguments
    """
    settle(wires.values())
    for wire in wires.values():
        wire.take()
    action(*arguments)
    settle(wires.values())
    return {
        (name, service): traffic
        for name, wire in wires.items()
        for service, traffic in wire.take().items()
    }
