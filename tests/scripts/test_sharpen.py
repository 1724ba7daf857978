"""Which measurements get more sessions, and which pages are told again."""

import dataclasses
import pathlib

import pytest

from onthefly.measure import data
from onthefly.measure.samples import Samples, Series
from running import sharpen
from running.sharpen import Open


@dataclasses.dataclass(frozen=True)
class Request:
    again: tuple = ()


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    request: Request = Request()
    data: pathlib.Path = None


LENDER, BORROWER = Job("lender"), Job("borrower")


@pytest.fixture
def machine(monkeypatch):
    """Sessions by page and group; the borrower is open until there are 3."""
    counts = {"lender": {"times": 1, "other": 1}, "borrower": {"own": 1}}

    def left_open(job, told=()):
        if job.name == "borrower" and counts["lender"]["times"] < 3:
            return [Open("it gains", ("lender/times",))]
        return []

    monkeypatch.setattr(sharpen, "sessions", lambda job: counts[job.name])
    monkeypatch.setattr(sharpen, "left_open", left_open)
    return counts


def test_what_a_page_borrows_is_measured_more_where_it_is_measured(machine):
    runs = []

    def run(job):
        runs.append((job.name, job.request.again))
        for group in job.request.again:
            machine[job.name][group] += 1
        return True

    jobs = [BORROWER, LENDER]
    lines = list(sharpen.sharpen(jobs, 1, run))
    assert runs == [("lender", ("times",))] * 2
    assert machine["lender"] == {"times": 3, "other": 1}
    assert "settled: borrower: it gains" in lines
    assert lines[-1] == "open: 1 before, 0 now"


def test_a_borrower_is_told_again_where_it_stays_open(machine):
    runs = []

    def run(job):
        runs.append(job.name)
        return not job.request.again  # the lender fails

    assert list(sharpen.sharpen([BORROWER, LENDER], 1, run))[-1] == (
        "open: 1 before, 1 now"
    )
    assert runs == ["lender", "borrower"]


def test_what_others_disturbed_is_measured_once_more(tmp_path, monkeypatch):
    """Where something open rests on it; and what borrows of it is told."""
    page = dataclasses.replace(LENDER, data=tmp_path / "lender.json")
    own = data.Data("lender", "S")
    for name, others in (("quiet", 0.0), ("busy", 1.0), ("busy, too", 1.0)):
        series = Series("way", 10, None, (1.0,) * 8, others=others)
        own.add(name, {}, Samples([series], cores=2))
    data.save(own, page.data)

    def left_open(job, told=()):
        groups = {"lender": "quiet", "borrower": "lender/busy"}
        return [Open("it gains", (groups[job.name],))]

    monkeypatch.setattr(sharpen, "left_open", left_open)
    borrower = dataclasses.replace(BORROWER, data=tmp_path / "borrower.json")
    data.save(data.Data("borrower", "S"), borrower.data)
    again, told = sharpen.disturbed([page, borrower])
    assert again.name == "lender" and again.request.again == ("busy",)
    assert told == borrower
    own.add("busy", {}, Samples([dataclasses.replace(series, others=0.0)], 2))
    data.save(own, page.data)
    assert sharpen.disturbed([page, borrower]) == []
