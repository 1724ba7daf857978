"""Workers that train together, in processes of their own."""

import socket

import psutil
import pytest

from cases import skip_if
from conftest import gone
from onthefly.experiments.graphs import servers
from onthefly.experiments.training import distributed
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_numpy import Numpy
from onthefly.tools.processes import ProcessError

pytestmark = [
    pytest.mark.slow,
    skip_if(servers.missing()),
]
START = perceptron.start(1)
X, Y = perceptron.batches(6, seed=2)


@pytest.fixture(scope="module")
def origin():
    with distributed.Origin() as made:
        yield made


@pytest.fixture(scope="module")
def reference():
    model = Numpy(START)
    model.train(X, Y)
    return model.weights()


@pytest.mark.parametrize("eager", [False, True])
def test_two_workers_learn_what_one_does(origin, reference, eager):
    team = origin.team(2, seed=1)
    assert team.train(X, Y, eager=eager) > 0
    for weights in team.weights():
        assert perceptron.apart(weights, reference) < 1e-5
    team.close()


def test_two_devices_learn_what_one_does(origin, reference):
    for setting in ("two_devices", "alone"):
        worker = origin.fork()
        worker.ask(setting, 1)
        worker.ask("train", X, Y)
        assert perceptron.apart(worker.ask("weights"), reference) < 1e-5


def test_workers_have_sockets_on_loopback_only(origin):
    team = origin.team(2, seed=1)
    addresses = {address for each in team.addresses for address in each}
    assert addresses and all("127.0.0.1" in each for each in addresses)
    for worker in team.workers:
        for each in psutil.Process(worker.pid).net_connections("inet"):
            assert "127.0.0.1" in each.laddr.ip
    team.close()
    assert all(gone(worker.pid) for worker in team.workers)


def test_workers_of_a_team_that_cannot_meet_are_ended(origin, monkeypatch):
    before = len(origin._forks)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(distributed, "free_ports", lambda n: [port] * n)
        with pytest.raises(ProcessError):
            origin.team(2, seed=1).train(X, Y)
    tried = origin._forks[before:]
    assert len(tried) == 2 * distributed.TRIES
    assert all(gone(worker.pid) for worker in tried)
