"""Protobuf's wire format, decoded by hand from the bytes.

A message is a row of fields.  Each begins with a tag, a number that holds
the field's number and its wire type; the wire type says where it ends.
Names and types are not in the bytes: they come from a descriptor.

`fields` knows the bytes alone, `decode` a descriptor too.  They accept what
protobuf's own parser (upb) accepts, but for three things, refused here as
damage: a varint with bits beyond 64, which upb cuts; text that is not UTF-8
in a message of proto2, which upb hands out as bytes; and a field of number 0
in an unknown group, over which upb passes.
"""

import dataclasses
import functools
import struct

VARINT, I64, LEN, SGROUP, EGROUP, I32 = range(6)
WIRES = ("varint", "i64", "len", "sgroup", "egroup", "i32")
FIXED = {I64: 8, I32: 4}  # bytes of the value
DEPTH = 100  # messages and groups within each other, as protobuf has it


class WireError(ValueError):
    """Bytes that are no message.

    offset  the byte, counted from 0, at which what is wrong begins
    """

    def __init__(self, offset, problem):
        super().__init__(f"byte {offset}: {problem}")
        self.offset = offset


@dataclasses.dataclass(frozen=True)
class Field:
    """One field as it lies in the bytes.

    number, wire  from the tag
    start         offset of the tag
    body, stop    where the value begins and ends (of `len` without the
                  length, of a group without its tags)
    end           offset of the next field
    value         the number as it stands there; None for `len` and groups
    """

    number: int
    wire: int
    start: int
    body: int
    stop: int
    end: int
    value: int | None = None


def varint(data, at, end, limit=2**64 - 1):
    """Return the varint at an offset, and the offset after it.

    Seven bits a byte, lowest first; the eighth says that more follow.

    limit  the largest number allowed, which bounds the number of bytes too

    Raises WireError where it is cut off, too long or above the limit.
    """
    value, most = 0, -(-limit.bit_length() // 7)
    for k in range(most):
        if at + k >= end:
            raise WireError(at, f"a varint is cut off at byte {end}")
        byte = data[at + k]
        value |= (byte & 0x7F) << 7 * k
        if byte < 0x80:
            if value > limit:
                bits = limit.bit_length()
                raise WireError(at, f"a varint of more than {bits} bits")
            return value, at + k + 1
    raise WireError(at, f"a varint of more than {most} bytes")


def _field(data, at, end, depth):
    """Return the Field at an offset; the end of a group is one, too."""
    tag, body = varint(data, at, end, 2**32 - 1)
    number, wire = tag >> 3, tag & 7
    if not number:
        raise WireError(at, "a field of number 0")
    if wire >= len(WIRES):
        raise WireError(at, f"wire type {wire}, which does not exist")
    value = None
    stop = last = body
    if wire == VARINT:
        value, stop = varint(data, body, end)
    elif wire in FIXED:
        stop = body + FIXED[wire]
        if stop > end:
            raise WireError(body, f"{FIXED[wire]} bytes go beyond byte {end}")
        value = int.from_bytes(data[body:stop], "little")
    elif wire == LEN:
        length, first = varint(data, body, end, 2**31 - 1)
        stop = first + length
        if stop > end:
            raise WireError(body, f"a length of {length} goes beyond {end}")
        body = first
    elif wire == SGROUP:
        stop, last = _group(data, at, body, end, number, depth)
    return Field(number, wire, at, body, stop, max(stop, last), value)


def _group(data, start, at, end, number, depth):
    """Return where a group's content ends, and where its last tag does."""
    check_depth(start, depth)
    while at < end:
        field = _field(data, at, end, depth - 1)
        if field.wire == EGROUP:
            if field.number != number:
                problem = f"group {number} ended by the tag of {field.number}"
                raise WireError(at, problem)
            return field.start, field.end
        at = field.end
    raise WireError(start, f"group {number} has no end")


def check_depth(offset, depth):
    """Raise WireError where no level is left."""
    if not depth:
        raise WireError(offset, f"more than {DEPTH} levels deep")


def fields(data, start=0, end=None, depth=DEPTH):
    """Yield the Fields of a message, in the order of its bytes.

    data        bytes, or a memoryview of bytes
    start, end  where the message begins and ends in them
    depth       how many levels may lie within it

    Raises WireError at the first field that is none.
    """
    at, end = start, len(data) if end is None else end
    while at < end:
        field = _field(data, at, end, depth)
        if field.wire == EGROUP:
            raise WireError(at, f"the end of group {field.number}, not begun")
        yield field
        at = field.end


def body(data, number):
    """Return the bytes of the first field of a number, of wire type `len`.

    data    bytes of a message
    number  the field's, as in the .proto file

    Raises WireError where the bytes are no message, or hold no such field.
    """
    for field in fields(data):
        if (field.number, field.wire) == (number, LEN):
            return data[field.body : field.stop]
    raise WireError(len(data), f"no field {number} of wire type len")


def part(number, value):
    """Return a field of wire type `len` as bytes: its tag, length, value.

    number  the field's, at most 15
    value   bytes, at most 127
    """
    return bytes([number << 3 | LEN, len(value)]) + value


# What a value means: by the type in the descriptor


def _signed(bits):
    half = 1 << bits - 1
    return lambda raw: (raw + half) % (2 * half) - half


def _unsigned(bits):
    return lambda raw: raw % (1 << bits)


def _zigzag(bits):
    def read(raw):
        raw %= 1 << bits
        return raw >> 1 ^ -(raw & 1)

    return read


def _real(code):
    size = struct.calcsize(code)
    return lambda raw: struct.unpack(code, raw.to_bytes(size, "little"))[0]


# The numbers are those of google.protobuf.FieldDescriptorProto.Type.
TYPES = {
    1: ("double", I64, _real("<d")),
    2: ("float", I32, _real("<f")),
    3: ("int64", VARINT, _signed(64)),
    4: ("uint64", VARINT, _unsigned(64)),
    5: ("int32", VARINT, _signed(32)),
    6: ("fixed64", I64, _unsigned(64)),
    7: ("fixed32", I32, _unsigned(32)),
    8: ("bool", VARINT, bool),
    9: ("string", LEN, None),
    11: ("message", LEN, None),
    12: ("bytes", LEN, None),
    13: ("uint32", VARINT, _unsigned(32)),
    14: ("enum", VARINT, _signed(32)),
    15: ("sfixed32", I32, _signed(32)),
    16: ("sfixed64", I64, _signed(64)),
    17: ("sint32", VARINT, _zigzag(32)),
    18: ("sint64", VARINT, _zigzag(64)),
}


@dataclasses.dataclass(frozen=True)
class Entry:
    """What a descriptor says of one field of a message.

    name, kind  as in the .proto file
    wire        the wire type of one value
    read        function of the number on the wire; None for `len`
    repeated    whether there may be many
    present     whether a zero counts as set
    rivals      names of the other fields of its oneof
    message     Descriptor of a message field, or None
    mapped      whether it is a map, kept as entries of key and value
    """

    name: str
    kind: str
    wire: int
    read: object
    repeated: bool
    present: bool
    rivals: tuple
    message: object
    mapped: bool

    def takes(self, wire):
        """Say whether a value of this field may have the wire type."""
        packed = self.repeated and self.read and wire == LEN
        return wire == self.wire or packed

    def is_zero(self, value):
        """Say whether a value is what an absent field means; -0.0 is not."""
        return not value and not str(value).startswith("-")

    def default(self):
        """Return what an absent value of a map means."""
        return {"string": "", "bytes": b"", "message": {}}.get(
            self.kind, self.read(0) if self.read else None
        )


@functools.cache
def table(descriptor):
    """Return {field number: Entry} of a message's Descriptor.

    Raises TypeError for what proto3 does not have: groups, closed enums.
    """
    entries = {}
    for field in descriptor.fields:
        closed = field.enum_type and field.enum_type.is_closed
        if field.type not in TYPES or closed:
            raise TypeError(f"{field.full_name}: not a field of proto3")
        kind, wire, read = TYPES[field.type]
        message, oneof = field.message_type, field.containing_oneof
        rivals = [f.name for f in oneof.fields] if oneof else []
        entries[field.number] = Entry(
            name=field.name,
            kind=kind,
            wire=wire,
            read=read,
            repeated=field.is_repeated,
            present=field.has_presence,
            rivals=tuple(n for n in rivals if n != field.name),
            message=message,
            mapped=bool(message and message.GetOptions().map_entry),
        )
    return entries


def decode(data, descriptor):
    """Return the message in `data` as dicts, lists, numbers and text.

    data        bytes
    descriptor  Descriptor of the message, of proto3

    Fields that the descriptor does not know are passed over.  Raises
    WireError, which names the byte.
    """
    fields = {}
    _fill(fields, data, 0, len(data), descriptor, DEPTH)
    return fields


def _fill(into, data, start, end, descriptor, depth):
    """Put a message's fields into a dict; return how many are unknown."""
    unknown, known = 0, table(descriptor)
    for field in fields(data, start, end, depth):
        entry = known.get(field.number)
        if entry is None or not entry.takes(field.wire):
            unknown += 1
            continue
        for rival in entry.rivals:
            into.pop(rival, None)
        if entry.message:
            check_depth(field.start, depth)
            unknown += _message(into, entry, data, field, depth - 1)
        elif entry.repeated:
            if many := _many(entry, data, field):
                into.setdefault(entry.name, []).extend(many)
        else:
            value = _one(entry, data, field)
            if entry.present or not entry.is_zero(value):
                into[entry.name] = value
            else:
                into.pop(entry.name, None)
    return unknown


def _message(into, entry, data, field, depth):
    """Put a message within a message; return how many fields are unknown."""
    part = {} if entry.repeated else into.setdefault(entry.name, {})
    unknown = _fill(part, data, field.body, field.stop, entry.message, depth)
    if not entry.mapped:
        if entry.repeated:
            into.setdefault(entry.name, []).append(part)
        return 0
    if unknown:  # as upb has it: an entry that is not clear is no entry
        return 1
    key, value = (table(entry.message)[k] for k in (1, 2))
    place = into.setdefault(entry.name, {})
    place[part.get("key", key.default())] = part.get("value", value.default())
    return 0


def _many(entry, data, field):
    """Return the values of a repeated field: one, or a packed row of them."""
    if field.wire == entry.wire:
        return [_one(entry, data, field)]
    values, at = [], field.body
    while at < field.stop:
        if entry.wire == VARINT:
            raw, at = varint(data, at, field.stop)
        else:
            after = at + FIXED[entry.wire]
            if after > field.stop:
                raise WireError(at, f"a number goes beyond {field.stop}")
            raw, at = int.from_bytes(data[at:after], "little"), after
        values.append(entry.read(raw))
    return values


def _one(entry, data, field):
    """Return one value that is no message."""
    if entry.read:
        return entry.read(field.value)
    value = bytes(data[field.body : field.stop])
    if entry.kind == "bytes":
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"{entry.name} is not UTF-8 ({error.reason})"
        raise WireError(field.body + error.start, problem) from None


def plain(message):
    """Return a message of protobuf's own in the form that `decode` has.

    Raises ValueError for text that is not UTF-8.
    """

    def one(field, value):
        if field.type == field.TYPE_STRING and isinstance(value, bytes):
            raise ValueError(f"{field.full_name} is not UTF-8")
        return plain(value) if field.message_type else value

    values = {}
    for field, value in message.ListFields():
        entry = table(message.DESCRIPTOR)[field.number]
        if entry.mapped:
            first, last = field.message_type.fields
            value = {one(first, k): one(last, value[k]) for k in value}
        elif entry.repeated:
            value = [one(field, v) for v in value]
        else:
            value = one(field, value)
        values[field.name] = value
    return values


def annotate(data, descriptor, start=0, end=None, level=0):
    """Yield what each byte of a message is for, as one dict a field.

    data        bytes that `decode` accepts
    descriptor  Descriptor of the message

    The keys: at (offset), level (how deep), bytes (tag and length, and the
    value unless fields follow within it), number, wire, length, name, value.
    """
    end = len(data) if end is None else end
    known = table(descriptor)
    for field in fields(data, start, end):
        entry = known.get(field.number)
        inside = entry and entry.message and entry.takes(field.wire)
        value = ""
        if entry and not inside and entry.takes(field.wire):
            values = (_many if entry.repeated else _one)(entry, data, field)
            value = (
                values[0] if entry.repeated and len(values) == 1 else values
            )
        yield {
            "at": field.start,
            "level": level,
            "bytes": data[field.start : field.body if inside else field.end],
            "number": field.number,
            "wire": WIRES[field.wire],
            "length": field.stop - field.body if field.wire == LEN else None,
            "name": entry.name if entry else "(unknown)",
            "value": value,
        }
        if inside:
            yield from annotate(
                data, entry.message, field.body, field.stop, level + 1
            )


def rows(data, descriptor):
    """Return the fields of `annotate` as rows of a table.

    A dot stands for each message that a field lies in; a tag is written as
    8 times the field's number plus its wire type.
    """
    return [
        {
            "at byte": part["at"],
            "bytes": part["bytes"].hex(" "),
            "tag": f"8·{part['number']}+{WIRES.index(part['wire'])}",
            "wire type": part["wire"],
            "length": part["length"],
            "field": "· " * part["level"] + part["name"],
            "value": str(part["value"]),
        }
        for part in annotate(data, descriptor)
    ]
