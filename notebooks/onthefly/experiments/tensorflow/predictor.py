"""A model behind gRPC: the messages of predictor.proto, and a client.

Neither knows TensorFlow; nothing but bytes and shapes crosses.
"""

import functools
import time
from pathlib import Path

import grpc
import numpy as np
from google.protobuf import descriptor_pb2, message_factory

from onthefly.tools import processes

PROTO = Path(__file__).with_name("predictor.proto")
LOOPBACK = "127.0.0.1"


@functools.cache
def contract():
    """Return {name: class} of the messages, as protoc reads the .proto."""
    child = "onthefly.experiments.tensorflow.proto_child"
    files = descriptor_pb2.FileDescriptorSet.FromString(
        processes.answer(child, "described", PROTO)
    )
    made = message_factory.GetMessages(files.file)
    return {name.rpartition(".")[2]: files for name, files in made.items()}


def methods():
    """Return {method: (path, class asked, class answered)}."""
    known = contract()
    file = known["Images"].DESCRIPTOR.file
    service = file.services_by_name["Predictor"]
    return {
        m.name: (
            f"/{service.full_name}/{m.name}",
            known[m.input_type.name],
            known[m.output_type.name],
        )
        for m in service.methods
    }


def packed(message, array, **fields):
    """Return a message that holds a float32 array."""
    return message(
        shape=array.shape, numbers=array.astype("<f4").tobytes(), **fields
    )


def unpacked(message):
    """Return the float32 array of a message.

    Raises ValueError where bytes and shape do not agree.
    """
    numbers = np.frombuffer(message.numbers, "<f4")
    return numbers.reshape(tuple(message.shape))


class Client:
    """Who asks a server for scores: called like a model.

    address  "host:port"
    limit    seconds to wait for an answer
    """

    def __init__(self, address, limit=30):
        self.address = address
        self._messages, self._limit = contract(), limit
        # gRPC would ask a proxy of the environment, for loopback, too.
        direct = [("grpc.enable_http_proxy", 0)]
        self._channel = grpc.insecure_channel(address, options=direct)
        grpc.channel_ready_future(self._channel).result(timeout=limit)
        self._calls = {
            name: self._channel.unary_unary(
                path,
                request_serializer=asked.SerializeToString,
                response_deserializer=answered.FromString,
            )
            for name, (path, asked, answered) in methods().items()
        }

    def __call__(self, images, version=0):
        """Return the scores of images by one version; 0 is the newest."""
        return unpacked(self.ask(images, version))

    def ask(self, images, version=0):
        """Return the whole answer, a Scores; raises grpc.RpcError."""
        asked = packed(self._messages["Images"], images, version=version)
        return self._calls["Predict"](asked, timeout=self._limit)

    def versions(self):
        """Return the versions that are served, ascending."""
        nothing = self._messages["Nothing"]()
        return [*self._calls["List"](nothing, timeout=self._limit).versions]

    def close(self):
        """End the connection."""
        self._channel.close()


def refused(client, images, version, limit=5):
    """Return how a server refuses a version that it lets go, or "".

    limit  seconds in which it may still answer

    The name of gRPC's status, as "NOT_FOUND".
    """
    end = time.monotonic() + limit
    while time.monotonic() < end:
        try:
            client.ask(images, version)
        except grpc.RpcError as error:
            return error.code().name
        time.sleep(0.01)
    return ""
