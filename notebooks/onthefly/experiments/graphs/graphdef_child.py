"""Read a graph's bytes with protobuf alone; no TensorFlow in this process.

A message comes as its FileDescriptorSet and its own bytes, for the process
knows no message of TensorFlow's.
"""

import functools
import json
import sys

from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
)
from google.protobuf.internal import api_implementation

from onthefly.measure import clock


@functools.cache
def kind(files, name):
    """Return the class of a message.

    files  FileDescriptorSet, as bytes
    name   the message's full name
    """
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(files).file:
        pool.Add(file)
    descriptor = pool.FindMessageTypeByName(name)
    return message_factory.GetMessageClass(descriptor)


def read(files, data):
    """Return the GraphDef in bytes; arguments as of `facts`."""
    return kind(files, "tensorflow.GraphDef").FromString(data)


def facts(files, data):
    """Return what is found in a graph, and by which protobuf, as a dict.

    files  FileDescriptorSet, as bytes
    data   the GraphDef's bytes
    """
    graph = read(files, data)
    return {
        "implementation": api_implementation.Type(),
        "tensorflow": "tensorflow" in sys.modules,
        "nodes": [node.name for node in graph.node],
        "text": text_format.MessageToString(graph),
        "bytes": graph.SerializeToString(deterministic=True),
    }


def seconds(files, data, calls):
    """Return the seconds of a round trip, message to bytes to message.

    calls  round trips that one sample takes
    """
    graph = read(files, data)
    make = type(graph)

    def there_and_back():
        make.FromString(graph.SerializeToString())

    return clock.seconds(there_and_back, calls=calls)


def json_seconds(dicts, calls):
    """Return the seconds of a round trip, dicts to JSON to dicts.

    calls  round trips that one sample takes
    """

    def there_and_back():
        json.loads(json.dumps(dicts))

    return clock.seconds(there_and_back, calls=calls)
