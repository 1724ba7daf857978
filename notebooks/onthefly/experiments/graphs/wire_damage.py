"""Bytes that are no message, and what two decoders say of them."""

from google.protobuf.message import DecodeError

from onthefly.experiments.graphs import wire


def damaged(data, at):
    """Return {what was done: bytes} of a GraphDef's bytes.

    at  offset of the text of a name in them
    """
    return {
        "cut within a name": data[: at + 5],
        "a length too large": data[: at - 1] + b"\x7f" + data[at:],
        "wire type 7": b"\x0f" + data,
        "field number 0": b"\x00\x01" + data,
        "a varint of 11 bytes": b"\x18" + b"\xff" * 10 + b"\x01" + data,
        "a varint of 65 bits": b"\x18" + b"\xff" * 9 + b"\x02" + data,
        "a length of 2 GiB": b"\x0a\x80\x80\x80\x80\x08" + data,
        "not UTF-8": data[:at] + b"\xff" + data[at + 1 :],
        "a group that never ends": b"\x7b" + data,
        "101 groups in each other": b"\x7b" * 101 + b"\x7c" * 101,
    }


def said(data, kind):
    """Return what this book's decoder and protobuf's say, as two texts.

    data  bytes
    kind  class of the message
    """
    ours = theirs = "accepts it"
    try:
        wire.decode(data, kind.DESCRIPTOR)
    except wire.WireError as error:
        ours = str(error)
    try:
        kind.FromString(data)
    except DecodeError as error:
        theirs = str(error).split(": ")[-1]
    return ours, theirs


def pieces(data, kind):
    """Return the lengths at which cut bytes still are a message, by each.

    Two lists: by this book's decoder, and by protobuf's.
    """
    verdicts = [said(data[:n], kind) for n in range(len(data) + 1)]
    return [
        [n for n, pair in enumerate(verdicts) if pair[who] == "accepts it"]
        for who in (0, 1)
    ]
