"""Readers of a graph's bytes: here, without TensorFlow, and in C++."""

import importlib.util
import json
import pickle
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from google.protobuf import descriptor_pb2, text_format

from onthefly.experiments.graphs import wire
from onthefly.experiments.graphs.graph_bytes import (
    GraphDef,
    chain,
    fixed,
    loaded,
)
from onthefly.measure import clock
from onthefly.tools.processes import Program


def read_message(graph):
    """Read the fields of each node of a GraphDef like `chain`'s."""
    return [
        (n.name, n.op, [*n.input], [(k, a.type) for k, a in n.attr.items()])
        for n in graph.node
    ]


def read_dicts(graph):
    """Read the same of the same data as dicts."""
    return [
        (
            n["name"],
            n["op"],
            [*n.get("input", ())],
            [(k, a.get("type", 0)) for k, a in n["attr"].items()],
        )
        for n in graph["node"]
    ]


def readings(nodes):
    """Return {way: function} that parse a chain, and parse and read it.

    The ways are protobuf, JSON and pickle; all hold the same data.
    """
    message = chain(nodes)
    dicts = wire.plain(message)
    parse = {
        "protobuf": partial(GraphDef.FromString, fixed(message)),
        "JSON": partial(json.loads, json.dumps(dicts)),
        "pickle": partial(pickle.loads, pickle.dumps(dicts)),
    }
    read = dict.fromkeys(parse, read_dicts) | {"protobuf": read_message}
    both = {k: partial(_parse_and_read, parse[k], read[k]) for k in parse}
    return parse | {f"{way}, read": call for way, call in both.items()}


def _parse_and_read(parse, read):
    return read(parse())


def descriptor_set(descriptor):
    """Return what a message's .proto file and all it imports say, as bytes.

    descriptor  Descriptor of the message

    The bytes are a FileDescriptorSet, each file after those that it needs.
    """
    files = {}

    def visit(file):
        for needed in file.dependencies:
            visit(needed)
        files.setdefault(file.name, file.serialized_pb)

    visit(descriptor.file)
    described = descriptor_pb2.FileDescriptorSet()
    for text in files.values():
        described.file.add().ParseFromString(text)
    return described.SerializeToString()


class Reader(Program):
    """A process with protobuf and without TensorFlow, for one graph.

    graph  GraphDef
    pure   whether protobuf's implementation in Python is taken, not upb
    """

    def __init__(self, graph, pure=False):
        way = "python" if pure else "upb"
        super().__init__(
            "onthefly.experiments.graphs.graphdef_child",
            environment={"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": way},
        )
        files = descriptor_set(graph.DESCRIPTOR)
        self._message = files, graph.SerializeToString()

    def facts(self):
        """Return what it finds in the graph, as a dict."""
        return self.ask("facts", *self._message)

    def seconds(self, calls):
        """Return the seconds of a round trip, message to bytes to message.

        calls  round trips that one sample takes
        """
        return self.ask("seconds", *self._message, calls)


def engines(nodes, budget):
    """Return the Samples of a chain's round trips by protobuf's two engines.

    nodes   the number of nodes
    budget  seconds, as in `clock.sample`

    The engines run in processes of their own.  JSON holds the same data, and
    runs in the first of the two, so that no other heap is cleared of garbage
    for it.
    """
    message = chain(nodes)
    dicts = wire.plain(message)
    with Reader(message) as upb, Reader(message, pure=True) as pure:
        ways = {
            "upb": partial(upb.seconds, 100),
            "Python": partial(pure.seconds, 1),
            "JSON": partial(upb.ask, "json_seconds", dicts, 10),
        }
        return clock.sample(
            ways, budget=budget, least=12, rounds=40, first="unknown"
        )


def compared(graph):
    """Return {reader: whether it finds in the bytes what is in the graph}.

    graph  GraphDef

    None stands for a reader that is not here: protoc, without its package.
    Raises AssertionError where a process without TensorFlow has loaded it.
    """
    text, data = text_format.MessageToString(graph), fixed(graph)
    same = {
        "TensorFlow, in C++": fixed(loaded(graph).as_graph_def()) == data,
        "by hand": wire.decode(data, graph.DESCRIPTOR) == wire.plain(graph),
    }
    for name, pure in {"upb, in C": False, "protobuf's Python": True}.items():
        with Reader(graph, pure) as reader:
            answer = reader.facts()
        assert not answer["tensorflow"]
        same[name] = answer["text"] == text and answer["bytes"] == data
    try:
        same["protoc, in C++"] = protoc(graph) == text
    except FileNotFoundError:
        same["protoc, in C++"] = None
    return same


def protoc(graph):
    """Return the text that protoc, in C++, makes of a GraphDef's bytes.

    Raises CalledProcessError where it refuses them, FileNotFoundError
    without the package grpcio-tools.
    """
    if not importlib.util.find_spec("grpc_tools"):
        raise FileNotFoundError("no protoc: the package grpcio-tools")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.desc")
        path.write_bytes(descriptor_set(graph.DESCRIPTOR))
        done = subprocess.run(
            [
                sys.executable, "-m", "grpc_tools.protoc",
                f"--descriptor_set_in={path}",
                f"--decode={graph.DESCRIPTOR.full_name}",
                graph.DESCRIPTOR.file.name,
            ],
            input=graph.SerializeToString(deterministic=True),
            capture_output=True,
            check=True,
            timeout=60,
        )  # fmt: skip
    return done.stdout.decode()
