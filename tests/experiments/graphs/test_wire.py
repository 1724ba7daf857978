"""The decoder by hand, against protobuf's own."""

import math
import time
import tracemalloc

import pytest
from google.protobuf import wrappers_pb2
from google.protobuf.message import DecodeError
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from onthefly.experiments.graphs import cluster, wire
from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.kernels.count import counter_split
from onthefly.kernels.count import counter_tensorflow as program
from onthefly.kernels.tank import tank_tensorflow

GraphDef = graphs.GraphDef
NodeDef = type(GraphDef().node.add())


def book_graphs():
    """Yield the book's graphs: of sessions, split, and with functions."""
    tf = graphs.tf
    tasks = counter_split.task(1), counter_split.task(0)
    yield program.counter().graph
    yield program.counter(resource=True).graph
    yield counter_split.counter(*tasks).graph
    yield counter_split.loop(*tasks).graph
    yield cluster.echo().graph
    water = tf.range(20, dtype=tf.int64), tf.constant(9, tf.int64)
    for tool in (tank_tensorflow.tank_array, tank_tensorflow.tank_autograph):
        yield tool.get_concrete_function(*water).graph


def agree(message):
    """Check that both decoders read a message alike."""
    data = message.SerializeToString()
    ours = wire.decode(data, message.DESCRIPTOR)
    assert exact(ours) == exact(wire.plain(message))
    parts = list(wire.annotate(data, message.DESCRIPTOR))
    assert b"".join(part["bytes"] for part in parts) == data


def test_both_decoders_agree_on_graphs_of_the_book():
    for graph in book_graphs():
        agree(graph.as_graph_def())


# Messages made at random

NUMBERS = {
    "i": st.integers(-(2**63), 2**63 - 1),
    "f": st.floats(width=32),
    "b": st.booleans(),
    "s": st.binary(max_size=200),
    "type": st.integers(0, 30),
}
LISTS = {
    "int_val": st.integers(-(2**31), 2**31 - 1),
    "int64_val": NUMBERS["i"],
    "uint32_val": st.integers(0, 2**32 - 1),
    "uint64_val": st.integers(0, 2**64 - 1),
    "float_val": NUMBERS["f"],
    "double_val": st.floats(),
    "bool_val": NUMBERS["b"],
    "string_val": NUMBERS["s"],
}
TENSORS = st.fixed_dictionaries(
    {}, optional={k: st.lists(v, max_size=3) for k, v in LISTS.items()}
)
ATTRIBUTES = st.one_of(
    st.builds(program.v1.AttrValue, tensor=TENSORS),
    *(st.builds(program.v1.AttrValue, **{k: v}) for k, v in NUMBERS.items()),
)
NODES = st.builds(
    NodeDef,
    name=st.text(max_size=9),
    input=st.lists(st.text(max_size=9), max_size=3),
    attr=st.dictionaries(st.text(max_size=9), ATTRIBUTES, max_size=3),
)
GRAPHS = st.builds(GraphDef, node=st.lists(NODES, max_size=3))
MESSAGES = st.one_of(NODES, GRAPHS)


def exact(value):
    """Return a decoded message so that not-a-number equals itself."""
    if isinstance(value, dict):
        return {key: exact(part) for key, part in value.items()}
    if isinstance(value, list):
        return [exact(part) for part in value]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value.hex()
    return type(value).__name__, value


@given(MESSAGES)
@settings(max_examples=150)
def test_both_decoders_agree_on_random_messages(message):
    agree(message)


# Damaged bytes

# What is refused here and not by upb; the module says why.
STRICTER = ("of more than 64 bits", "field of number 0", "is not UTF-8")


def compare(data, kind):
    """Check that both decoders refuse the bytes, or read them alike."""
    try:
        theirs = kind.FromString(data)
    except DecodeError:
        theirs = None
    try:
        ours = wire.decode(data, kind.DESCRIPTOR)
    except wire.WireError as error:
        assert 0 <= error.offset <= len(data)
        assert str(error).startswith(f"byte {error.offset}: ")
        if theirs is not None:
            assert any(text in str(error) for text in STRICTER)
            # A NodeDef is of proto3, through and through.
            assert kind is GraphDef or STRICTER[2] not in str(error)
        return "refused"
    assert theirs is not None, "protobuf refuses what is accepted here"
    assert exact(ours) == exact(wire.plain(theirs))
    return "accepted"


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["cut", "change", "insert", "delete"]),
        st.integers(0, 10**6),
        st.one_of(
            st.sampled_from([b"\x00", b"\x80", b"\xff", b"\x0b", b"\x0c"]),
            st.binary(min_size=1, max_size=4),
        ),
    ),
    min_size=1,
    max_size=3,
)


def edited(data, edits):
    """Return damaged bytes."""
    data = bytearray(data)
    for what, place, new in edits:
        at = place % (len(data) + 1)
        if what == "cut":
            del data[at:]
        elif what == "insert":
            data[at:at] = new
        elif what == "change":
            data[at : at + 1] = new[:1]
        else:
            del data[at : at + len(new)]
    return bytes(data)


@given(MESSAGES, EDITS)
@settings(max_examples=300)
def test_both_decoders_refuse_or_agree_on_damaged_bytes(message, edits):
    data = message.SerializeToString()
    damaged = edited(data, edits)
    assume(damaged != data)
    compare(damaged, type(message))


@given(st.binary(max_size=60))
@settings(max_examples=300)
def test_any_bytes_are_refused_or_read_alike(data):
    compare(data, NodeDef)


def test_a_graph_cut_anywhere_is_refused_or_read_alike():
    plan = program.counter().graph.as_graph_def()
    data = graphs.fixed(plan)
    verdicts = [compare(data[:n], GraphDef) for n in range(len(data) + 1)]
    whole = len(plan.node) + 2  # none, each node, the versions
    assert verdicts.count("accepted") == whole


def groups(depth):
    return b"\x7b" * depth + b"\x7c" * depth


def nested(depth):
    """Return a NodeDef with FullTypeDefs so deep within each other."""
    node = NodeDef()
    inner = node.experimental_type
    inner.SetInParent()
    for _ in range(depth - 1):
        inner = inner.args.add()
    return node.SerializeToString()


@pytest.mark.parametrize("make", [groups, nested])
def test_depth_ends_where_protobuf_ends_it(make):
    assert compare(make(wire.DEPTH), NodeDef) == "accepted"
    assert compare(make(wire.DEPTH + 1), NodeDef) == "refused"


def test_hostile_bytes_take_no_time_and_no_memory():
    hostile = [
        b"\x80" * 10**6,
        b"\x7b" * 10**6,
        b"\x0a\xff\xff\xff\xff\x07",
        b"\x3a\xff\xff\xff\xff\x07" * 10,
        groups(10**5),
    ]
    tracemalloc.start()
    start = time.monotonic()
    for data in hostile:
        with pytest.raises(wire.WireError):
            wire.decode(data, NodeDef.DESCRIPTOR)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.monotonic() - start < 5 and most < 10**6


def test_where_this_decoder_is_stricter_on_purpose():
    big = b"\x08" + b"\xff" * 9 + b"\x02"
    cut = wrappers_pb2.UInt64Value.FromString(big).value
    written = sum(127 << 7 * k for k in range(9)) + (2 << 63)
    assert cut != written and cut == written % 2**64
    latin = b"\x2a\x05\x0a\x03\xe9tt"  # GraphDef.debug_info, of proto2
    assert isinstance(GraphDef.FromString(latin).debug_info.files[0], bytes)
    group = b"\x7b\x00\x01\x7c"
    assert not GraphDef.FromString(group).ListFields()
    for data, kind in ((big, wrappers_pb2.UInt64Value), (latin, GraphDef),
                       (group, GraphDef)):  # fmt: skip
        with pytest.raises(wire.WireError) as caught:
            wire.decode(data, kind.DESCRIPTOR)
        assert any(text in str(caught.value) for text in STRICTER)


def test_a_map_entry_with_an_unknown_field_is_read_as_protobuf_does():
    node = NodeDef(name="n")
    node.attr["T"].type = 3
    data = node.SerializeToString()
    more = data.replace(b"\x2a\x07", b"\x2a\x0a") + b"\x7a\x01?"
    assert wire.decode(data, NodeDef.DESCRIPTOR)["attr"] == {"T": {"type": 3}}
    assert wire.decode(more, NodeDef.DESCRIPTOR) == {"name": "n"}
    assert compare(more, NodeDef) == "accepted"


def test_a_field_is_found_by_its_number():
    message = b"\x08\x07" + b"\x0a\x03abc" + b"\x12\x80\x01" + b"x" * 128
    assert wire.body(message, 1) == b"abc"
    assert wire.body(message, 2) == b"x" * 128
    for bad in (message, b"", b"\x0a", b"\x80"):
        with pytest.raises(wire.WireError):
            wire.body(bad, 3)
