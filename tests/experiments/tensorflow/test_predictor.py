"""Messages keep their numbers; a server answers, refuses and ends."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from onthefly.experiments.tensorflow.serving import Manager

HERE = "onthefly.experiments.tensorflow."
pytest.importorskip("grpc_tools")
grpc = pytest.importorskip("grpc")
predictor = pytest.importorskip(HERE + "predictor")
predictor_child = pytest.importorskip(HERE + "predictor_child")


@pytest.fixture
def served(tmp_path):
    """A server of two models of NumPy, in this process; its client."""
    for version in "12":
        (tmp_path / version).mkdir()
    manager = Manager(
        tmp_path, lambda path: lambda images: int(path.name) * images
    )
    manager.refresh()
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers([predictor_child.handlers(manager)])
    port = server.add_insecure_port(f"{predictor.LOOPBACK}:0")
    server.start()
    client = predictor.Client(f"{predictor.LOOPBACK}:{port}")
    yield client
    client.close()
    server.stop(None).wait()


def test_numbers_cross_to_the_bit(served):
    array = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
    assert np.array_equal(served(array, 1), array)
    assert np.array_equal(served(array), 2 * array)
    assert served.versions() == [1, 2]


def test_a_version_that_is_not_there_is_refused(served):
    with pytest.raises(grpc.RpcError) as caught:
        served(np.zeros((1, 2), np.float32), version=7)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    assert "7" in caught.value.details()


def test_bytes_that_do_not_fit_their_shape_are_refused(served):
    message = predictor.contract()["Images"](shape=[2, 2], numbers=b"1234")
    path, asked, answered = predictor.methods()["Predict"]
    call = served._channel.unary_unary(
        path, asked.SerializeToString, answered.FromString
    )
    with pytest.raises(grpc.RpcError) as caught:
        call(message, timeout=10)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
