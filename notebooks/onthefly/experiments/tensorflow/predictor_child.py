"""A server of models over gRPC, on loopback; and a client that counts."""

import functools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc

from onthefly.experiments.tensorflow import predictor
from onthefly.experiments.tensorflow.runtime_child import open_in_c
from onthefly.experiments.tensorflow.serving import Manager

_SERVER = []  # of this process


def predict(manager, asked, context):
    """Answer an Images by a Scores."""
    try:
        images = predictor.unpacked(asked)
        with manager.using(asked.version) as servable:
            start = time.perf_counter()
            scores = servable.call(images)
            taken = time.perf_counter() - start
    except KeyError:
        said = f"version {asked.version} is not served"
        context.abort(grpc.StatusCode.NOT_FOUND, said)
    except ValueError as error:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
    return predictor.packed(
        predictor.contract()["Scores"],
        scores,
        version=servable.version,
        seconds=taken,
    )


def versions(manager, asked, context):
    """Answer a Nothing by the Versions in memory."""
    return predictor.contract()["Versions"](versions=manager.versions())


def handlers(manager):
    """Return gRPC's handlers of the methods of predictor.proto."""
    answers = {"Predict": predict, "List": versions}
    return grpc.method_handlers_generic_handler(
        "onthefly.Predictor",
        {
            name: grpc.unary_unary_rpc_method_handler(
                functools.partial(answers[name], manager),
                request_deserializer=asked.FromString,
                response_serializer=answered.SerializeToString,
            )
            for name, (_, asked, answered) in predictor.methods().items()
        },
    )


def serve(folder, every=0.05):
    """Serve the versions in a folder; return the address, "host:port".

    every  seconds between two looks at the folder

    The port is the system's choice.  The process ends with its parent, and
    the server with it.
    """
    manager = Manager(folder, open_in_c)
    manager.refresh()
    if not manager.versions():
        raise RuntimeError(f"{folder}: nothing to serve: {manager.failed}")
    options = [("grpc.so_reuseport", 0)]
    server = grpc.server(ThreadPoolExecutor(4), options=options)
    server.add_generic_rpc_handlers([handlers(manager)])
    port = server.add_insecure_port(f"{predictor.LOOPBACK}:0")
    server.start()
    watch = threading.Thread(
        target=manager.watch, args=(every, threading.Event()), daemon=True
    )
    watch.start()
    _SERVER[:] = [server, manager]
    return f"{predictor.LOOPBACK}:{port}"


def keep_asking(address, images, until, limit):
    """Ask for the newest version, call after call.

    until  end some calls after this version has answered
    limit  seconds, at most

    Returns [(version, seconds)] of the calls; None as version of one that
    got no answer.
    """
    client = predictor.Client(address)
    seen, end = [], time.monotonic() + limit
    while time.monotonic() < end and sum(v == until for v, _ in seen) < 50:
        start = time.perf_counter()
        try:
            version = client.ask(images).version
        except grpc.RpcError:
            version = None
        seen.append((version, time.perf_counter() - start))
    client.close()
    return seen
