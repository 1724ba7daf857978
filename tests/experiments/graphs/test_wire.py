"""The decoder by hand, against protobuf's own."""

import functools
import importlib.util
import inspect
import math
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format, wrappers_pb2
from google.protobuf.message import DecodeError
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from onthefly import kernels
from onthefly.experiments.graphs import cluster, forms, wire, wire_damage
from onthefly.experiments.graphs import graph_bytes as graphs
from onthefly.kernels import counter_tensorflow as program

KERNELS = Path(kernels.__file__).parent
GraphDef = graphs.GraphDef
NodeDef = type(GraphDef().node.add())


# On every graph of the book

# What a kernel is given, by the names of the arguments that it needs.
GIVEN = {
    ("shots",): (1000,),
    ("array", "steps"): (np.zeros(4, np.float32), 3),
}


def anew(name, folder=KERNELS):
    """Return a copy of a module, which traces all its functions."""
    path = folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location("traced_anew", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ways():
    """Yield (name, call) of each of the book's kernels in TensorFlow."""
    for path in sorted(KERNELS.glob("*_tensorflow*.py")):
        problem = path.stem.split("_")[0] + "_"
        if problem not in ("pi_", "add_"):
            continue
        module = anew(path.stem)
        for name, kernel in inspect.getmembers(module, inspect.isfunction):
            needs = tuple(
                p.name
                for p in inspect.signature(kernel).parameters.values()
                if p.default is p.empty
            )
            own = kernel.__module__ == "traced_anew"
            if own and name.startswith(problem) and needs in GIVEN:
                yield name, functools.partial(kernel, *GIVEN[needs])


def chapters():
    """Yield (name, call) of what other chapters make graphs by."""
    tank = anew("tank_tensorflow")
    water = (
        tank.tf.range(20, dtype=tank.tf.int64),
        tank.tf.constant(9, "int64"),
    )
    for name in ("array", "scatter", "variable", "autograph"):
        yield name, functools.partial(getattr(tank, f"tank_{name}"), *water)
    yield "forms", anew("forms", Path(forms.__file__).parent).found
    trips, array = anew("trips_tensorflow"), np.zeros(4, np.float32)
    yield "loop", lambda: trips.while_session(trips.add_one, array)
    yield "round trip", trips.round_trip
    yield "feeds", lambda: trips.pi_feeds(array, array)
    split = anew("counter_split")
    apart = split.task(1), split.task(0)
    yield "counter, split", lambda: split.counter(*apart)
    yield "loop, split", lambda: split.loop(*apart)
    yield "echo", cluster.echo


def made_by(run):
    """Return the GraphDefs of the graphs with nodes that `run` makes.

    run  function without arguments

    What TensorFlow traced before, it does not make again.
    """
    made, first = [], graphs.tf.Graph.__init__

    def noted(self, *args, **options):
        first(self, *args, **options)
        made.append(self)

    graphs.tf.Graph.__init__ = noted
    try:
        run()
    finally:
        graphs.tf.Graph.__init__ = first
    return [found for g in made if (found := g.as_graph_def()).node]


@functools.cache
def book_messages():
    """Return {name: message} of the graphs that this book makes."""
    found = {
        "reference": program.counter().graph.as_graph_def(),
        "resource": program.counter(True).graph.as_graph_def(),
        "chain": graphs.chain(50),
        "caller": graphs.caller(),
        "SavedModel": graphs.saved_model(),
    }
    for name, call in (*ways(), *chapters()):
        made = made_by(call)
        found |= {f"{name}, graph {k}": graph for k, graph in enumerate(made)}
    return found


def agree(message):
    """Check that both decoders read a message alike."""
    data = message.SerializeToString()
    ours = wire.decode(data, message.DESCRIPTOR)
    assert ours == wire.plain(message)
    parts = list(wire.annotate(data, message.DESCRIPTOR))
    assert b"".join(part["bytes"] for part in parts) == data


def test_both_decoders_agree_on_every_node_of_the_book():
    messages = book_messages()
    assert any(name.startswith("pi_tensorflow_graph") for name in messages)
    assert any(name.startswith("pi_tensorflow_xla") for name in messages)
    for name, _ in chapters():
        assert f"{name}, graph 0" in messages
    for message in messages.values():
        own, library = graphs.nodes(message)
        assert own
        for part in (message, *own, *library):
            agree(part)


def test_every_graph_comes_back_from_text_and_bytes():
    for message in book_messages().values():
        data = graphs.fixed(message)
        assert graphs.fixed(type(message).FromString(data)) == data
        text = text_format.MessageToString(message)
        back = text_format.Parse(text, type(message)())
        assert graphs.fixed(back) == data


# ... on messages made at random

WHOLE = {3: 64, 5: 32, 14: 32, 15: 32, 16: 64, 17: 32, 18: 64}
NATURAL = {4: 64, 6: 64, 7: 32, 13: 32}


def values(field):
    """Return the strategy for one value of a field that is no message."""
    kind = field.type
    if kind in WHOLE:
        half = 2 ** (WHOLE[kind] - 1)
        return st.integers(-half, half - 1)
    if kind in NATURAL:
        return st.integers(0, 2 ** NATURAL[kind] - 1)
    if kind in (1, 2):
        return st.floats(width=64 if kind == 1 else 32)
    return {8: st.booleans(), 9: st.text(max_size=9)}.get(
        kind, st.binary(max_size=200)
    )


def put(draw, message, field, depth):
    """Set one field of a message to what is drawn."""
    held = getattr(message, field.name)
    if field.message_type and field.message_type.GetOptions().map_entry:
        key, value = field.message_type.fields
        for name in draw(st.lists(values(key), max_size=3)):
            if value.message_type:
                fill(draw, held[name], depth - 1)
            else:
                held[name] = draw(values(value))
    elif field.message_type and field.is_repeated:
        for _ in range(draw(st.integers(0, 2))):
            fill(draw, held.add(), depth - 1)
    elif field.message_type:
        held.SetInParent()
        fill(draw, held, depth - 1)
    elif field.is_repeated:
        held.extend(draw(st.lists(values(field), max_size=3)))
    else:
        setattr(message, field.name, draw(values(field)))


def fill(draw, message, depth):
    """Set some fields of a message."""
    known = [
        f for f in message.DESCRIPTOR.fields if depth or not f.message_type
    ]
    if known:
        chosen = st.lists(st.sampled_from(known), max_size=4, unique=True)
        for field in draw(chosen):
            put(draw, message, field, depth)


@st.composite
def messages(draw):
    """Make a NodeDef or a GraphDef with random fields."""
    message = draw(st.sampled_from([NodeDef, GraphDef]))()
    fill(draw, message, 4)
    return message


def exact(value):
    """Return a decoded message so that not-a-number equals itself."""
    if isinstance(value, dict):
        return {key: exact(part) for key, part in value.items()}
    if isinstance(value, list):
        return [exact(part) for part in value]
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value.hex()
    return type(value).__name__, value


@given(messages())
@settings(max_examples=150)
def test_both_decoders_agree_on_random_messages(message):
    data = message.SerializeToString()
    ours = wire.decode(data, message.DESCRIPTOR)
    assert exact(ours) == exact(wire.plain(message))
    parts = list(wire.annotate(data, message.DESCRIPTOR))
    assert b"".join(part["bytes"] for part in parts) == data


# ... and on damaged bytes

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


@given(messages(), EDITS)
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
    ours, theirs = wire_damage.pieces(graphs.fixed(plan), GraphDef)
    assert ours == theirs
    assert len(ours) == len(plan.node) + 2  # none, each node, the versions


def groups(depth):
    return b"\x7b" * depth + b"\x7c" * depth


def nested(depth):
    """Return a NodeDef with FullTypeDefs so deep within each other."""
    data = b""
    for _ in range(depth - 1):
        size, length = len(data), []
        while size > 127:
            length.append(size & 127 | 128)
            size >>= 7
        data = b"\x12" + bytes([*length, size]) + data
    size, length = len(data), []
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return b"\x3a" + bytes([*length, size]) + data


@pytest.mark.parametrize("make", [groups, nested])
def test_depth_ends_where_protobuf_ends_it(make):
    assert compare(make(wire.DEPTH), NodeDef) == "accepted"
    assert compare(make(wire.DEPTH + 1), NodeDef) == "refused"


OFFSETS = {
    "cut within a name": (-1, "a length of 12 goes beyond"),
    "a length too large": (-1, "a length of 127 goes beyond"),
    "wire type 7": (0, "wire type 7"),
    "field number 0": (0, "field of number 0"),
    "a varint of 11 bytes": (1, "more than 10 bytes"),
    "a varint of 65 bits": (1, "more than 64 bits"),
    "a length of 2 GiB": (1, "more than 31 bits"),
    "not UTF-8": (0, "not UTF-8"),
    "a group that never ends": (0, "has no end"),
    "101 groups in each other": (100, "levels deep"),
}


def test_damage_is_named_at_its_byte():
    node = next(n for n in program.counter().graph.as_graph_def().node
                if n.name == "Add")  # fmt: skip
    data = graphs.fixed(node)
    at = data.index(b"counter/read")
    found = wire_damage.damaged(data, at)
    assert found.keys() == OFFSETS.keys()
    for name, damaged in found.items():
        offset, problem = OFFSETS[name]
        if damaged[:3] == data[:3]:
            offset += at
        with pytest.raises(wire.WireError, match=problem) as caught:
            wire.decode(damaged, NodeDef.DESCRIPTOR)
        assert caught.value.offset == offset, name


@pytest.mark.parametrize(
    ("data", "offset", "problem"),
    [
        (b"\x0c", 0, "the end of group 1, not begun"),
        (b"\x0b\x14", 1, "group 1 ended by the tag of 2"),
        (b"\x80", 0, "cut off at byte 1"),
        (b"\x0a", 1, "cut off at byte 1"),
        (b"\x7d\x00\x00", 1, "4 bytes go beyond byte 3"),
        (b"\x79" + b"\x00" * 7, 1, "8 bytes go beyond byte 8"),
        (b"\x80\x80\x80\x80\x80\x01", 0, "more than 5 bytes"),
        (b"\xff\xff\xff\xff\x1f\x00", 0, "more than 32 bits"),
    ],
)
def test_what_is_no_field_is_named(data, offset, problem):
    with pytest.raises(wire.WireError, match=problem) as caught:
        list(wire.fields(data))
    assert caught.value.offset == offset
    assert compare(data, NodeDef) == "refused"


def test_packed_numbers_may_be_cut_off():
    tensor = b"\x42\x05\x3a\x03\x01\x02\x80"  # AttrValue.tensor.int_val
    kind = program.v1.AttrValue
    assert compare(tensor, kind) == "refused"
    assert compare(tensor[:-1] + b"\x03", kind) == "accepted"
    floats = b"\x42\x05\x2a\x03\x00\x00\x80"  # float_val
    assert compare(floats, kind) == "refused"


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
    taken, (_, most) = (
        time.monotonic() - start,
        tracemalloc.get_traced_memory(),
    )
    tracemalloc.stop()
    assert taken < 5 and most < 10**6


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
