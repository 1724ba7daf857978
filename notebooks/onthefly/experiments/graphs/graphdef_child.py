"""Read a graph's bytes with protobuf alone; no TensorFlow in this process.

Each line of standard input is a list, and gets one line as an answer.  The
first holds a FileDescriptorSet and a GraphDef, in base64; the answer tells
what was found.  Each next one holds a number: so often the graph is
serialised and parsed, and the answer is the seconds of one time.
"""

import base64
import json
import sys
import time

from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
)
from google.protobuf.internal import api_implementation


def kind(files, name):
    """Return the class of a message.

    files  FileDescriptorSet, as bytes
    name   the message's full name
    """
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(files).file:
        pool.Add(file)
    found = pool.FindMessageTypeByName(name)
    return message_factory.GetMessageClass(found)


def seconds(graph, loops):
    """Return the seconds of a round trip, message to bytes to message."""
    make = type(graph)
    start = time.perf_counter()
    for _ in range(loops):
        make.FromString(graph.SerializeToString())
    return (time.perf_counter() - start) / loops


def main():
    """Answer questions until the input ends."""
    files, data = (base64.b64decode(p) for p in json.loads(input()))
    graph = kind(files, "tensorflow.GraphDef").FromString(data)
    found = {
        "implementation": api_implementation.Type(),
        "tensorflow": "tensorflow" in sys.modules,
        "nodes": [node.name for node in graph.node],
        "text": text_format.MessageToString(graph),
        "bytes": graph.SerializeToString(deterministic=True).hex(),
    }
    print(json.dumps(found), flush=True)
    for line in sys.stdin:
        print(json.dumps(seconds(graph, *json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
