"""Workers that train together, in processes of their own."""

import json
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from conftest import gone
from onthefly.experiments.graphs import servers
from onthefly.experiments.training import distributed, monitored
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron_numpy import Numpy
from onthefly.tools.processes import ProcessError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(servers.missing()), reason=servers.missing()),
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
    told = {address for each in team.addresses for address in each}
    assert told and all("127.0.0.1" in address for address in told)
    for worker in team.workers:
        for each in psutil.Process(worker.pid).net_connections("inet"):
            assert "127.0.0.1" in each.laddr.ip
    team.close()
    assert all(gone(worker.pid) for worker in team.workers)


def test_a_monitored_session_runs_on_a_server(origin, reference):
    _, address = origin.server()
    batches = zip(X, Y, strict=True)
    learned, stopped = monitored.monitored(
        START, batches, len(X), f"grpc://{address}"
    )
    assert stopped == len(X)
    assert perceptron.apart(learned, reference) < 1e-5


def test_an_eager_operation_runs_elsewhere_and_on_several_threads(origin):
    _, address = origin.server()
    place, total = origin.fork().ask("elsewhere", address)
    assert "/job:worker" in place and total == 3
    alone = origin.fork()
    assert alone.ask("at_once", 4) == 8
    assert alone.ask("threads_of_an_operation", 1500) >= 1


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


def test_each_worker_is_told_all_addresses():
    ports = distributed.free_ports(3)
    assert len(set(ports)) == 3
    told = [json.loads(c) for c in distributed.configurations(ports)]
    assert [c["task"]["index"] for c in told] == [0, 1, 2]
    assert all(c["cluster"] == told[0]["cluster"] for c in told)


PARENT = """
import sys, time
from onthefly.experiments.training import distributed
origin = distributed.Origin()
team = origin.team(2, seed=1)
print(*[worker.pid for worker in team.workers], flush=True)
time.sleep(600)
"""


def test_workers_end_with_a_parent_that_is_killed():
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        pids = [*map(int, parent.stdout.readline().split())]
        assert len(pids) == 2 and all(map(psutil.pid_exists, pids))
        parent.send_signal(signal.SIGKILL)
    assert all(map(gone, pids))
