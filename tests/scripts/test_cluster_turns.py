"""Which page runs where, and what becomes of those that are lost."""

import types

import pytest

from running.summary import Outcome
from spreading import turns
from spreading.cluster import Gone, Worker


class Cluster:
    """A cluster of which each page ends at once, as it is told.

    lose      {slug: how often its worker ends}
    given     [(slug, address)] in the order of the pages' starts
    together  the most pages that ran on a machine at once
    """

    address = "tcp://scheduler"

    def __init__(self, *workers, lose=None):
        self.workers = {w.address: w for w in workers}
        self.lose, self.given, self.together = lose or {}, [], 0
        self._running = {}

    def look(self):
        if self.workers is None:
            raise Gone(self.address)
        return []

    def submit(self, page, worker, gpu):
        self.given.append((page, worker.address))
        future = len(self.given)
        self._running[future] = page, worker
        machines = [w.machine for _, w in self._running.values()]
        self.together = max(self.together, *map(machines.count, machines))
        return future

    def wait(self, futures, seconds):
        return futures[:1]

    def answer(self, future):
        page, _ = self._running.pop(future)
        self.lose[page] = self.lose.get(page, 0) - 1
        return {"ended": "it has ended"} if self.lose[page] >= 0 else {}


def worker(number, machine=None, gpu=False):
    machine = machine or f"m{number}"
    return Worker(f"tcp://{number}", machine, machine, gpu)


def job(slug, device=False):
    """Return what Turns asks of a Remote."""
    made = types.SimpleNamespace(
        chapter=types.SimpleNamespace(slug=slug), device=device, page=slug,
        expected=None, begin=lambda: [],
    )  # fmt: skip
    made.keep = lambda answer: Outcome(made, "done", 1.0)
    return made


def ended(cluster, *jobs):
    """Return {slug: Outcome} of all the jobs."""
    found = list(turns.Turns(cluster, jobs).outcomes())
    assert len(found) == len(jobs)
    return {outcome.job.page: outcome for outcome in found}


def test_a_machine_of_several_workers_runs_one_page_at_a_time():
    cluster = Cluster(worker(1, "a"), worker(2, "a"), worker(3, "b"))
    found = ended(cluster, *map(job, "pqrst"))
    assert {outcome.word for outcome in found.values()} == {"done"}
    assert cluster.together == 1
    assert [page for page, _ in cluster.given] == list("pqrst")


def test_pages_for_a_device_go_first_and_where_there_is_one():
    cluster = Cluster(worker(1, gpu=True), worker(2))
    ended(cluster, job("plain"), job("gpu", device=True), job("last"))
    given = dict(cluster.given)
    assert given["gpu"] == "tcp://1" and given["plain"] == "tcp://2"


def test_a_lost_page_runs_again_elsewhere():
    cluster = Cluster(worker(1), worker(2), lose={"p": 1})
    assert ended(cluster, job("p"))["p"].word == "done"
    assert cluster.given == [("p", "tcp://1"), ("p", "tcp://2")]


def test_a_page_that_is_always_lost_fails_and_costs_no_other(capsys):
    cluster = Cluster(worker(1), lose={"p": 99})
    found = ended(cluster, job("p"), job("q"))
    assert found["q"].word == "done" and found["p"].word == "FAILED"
    assert "it has ended" in found["p"].failure.reason
    assert len(cluster.given) == turns.TRIES + 1


@pytest.mark.parametrize("device", [False, True])
def test_a_page_without_a_worker_waits_for_one_and_then_fails(
    monkeypatch, device
):
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    monkeypatch.setattr(turns, "LOOK", 0.01)
    cluster = Cluster(*[worker(1)] * device)
    found = ended(cluster, job("p", device=device))
    assert found["p"].failure and not cluster.given


def test_without_the_scheduler_all_that_is_left_fails():
    cluster = Cluster(worker(1))
    waiting = turns.Turns(cluster, [job("p"), job("q"), job("r")])
    outcomes = waiting.outcomes()
    first = next(outcomes)
    cluster.workers = None
    rest = list(outcomes)
    assert first.word == "done"
    assert [outcome.job.page for outcome in rest] == ["q", "r"]
    assert all("has gone" in o.failure.reason for o in rest)
