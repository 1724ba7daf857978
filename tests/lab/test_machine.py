"""What the lab says of the machine."""

import json
import subprocess
import sys

import numpy as np
import psutil
import pytest

from cases import printed
from conftest import gone
from onthefly.measure import machine


def test_machine_record_is_whole_and_plain():
    record = machine.record()
    assert json.loads(json.dumps(record)) == record
    assert 1 <= record["cores"]["usable"] <= record["cores"]["machine"]
    assert record["memory"] > 0 and record["caches"]["L1"] > 0
    assert record["packages"]["numpy"] == np.__version__


NUMBER = "0123456789abcdef0123456789abcdef"
OTHER = NUMBER[::-1]


def test_a_machine_has_an_identity_that_says_nothing_else(monkeypatch):
    files = {
        "/etc/machine-id": NUMBER,
        "/proc/sys/kernel/random/boot_id": f"{OTHER[:8]}-{OTHER[8:]}",
    }
    monkeypatch.setattr(machine, "_read", files.get)
    monkeypatch.setattr(machine, "slug", lambda: "box")
    first, start = machine.identity(), machine.boot()
    assert first == machine.identity() != start and first not in NUMBER
    assert machine.unique_slug() == f"box-{first[:6]}"
    files["/etc/machine-id"] = OTHER
    assert machine.identity() == start  # the same number, the same digits
    for none in ("", "uninitialized", None):  # in a container
        files["/etc/machine-id"] = none
        assert machine.identity() == start
    files.clear()
    assert machine.identity() == "" and machine.unique_slug() == "box"


def test_usable_cores_follow_the_affinity():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from onthefly.measure import machine; print(machine.usable_cores())"
    )
    assert printed(code) == "1"


CGROUP, OLD = "/sys/fs/cgroup", "/sys/fs/cgroup/cpu"
INSIDE = {"/proc/self/cgroup": "0::/user/job"}
INSIDE_OLD = {"/proc/self/cgroup": "4:memory:/\n1:cpu,cpuacct:/job\n0::/"}


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({f"{CGROUP}/cpu.max": "150000 100000"}, 1),
        ({f"{CGROUP}/cpu.max": "max 100000"}, 2),
        (INSIDE | {f"{CGROUP}/user/job/cpu.max": "100000 100000"}, 1),
        (
            INSIDE
            | {
                f"{CGROUP}/user/job/cpu.max": "max 100000",
                f"{CGROUP}/user/cpu.max": "100000 100000",
            },
            1,
        ),
        (INSIDE | {f"{CGROUP}/other/cpu.max": "100000 100000"}, 2),
        (
            INSIDE_OLD
            | {
                f"{OLD}/job/cpu.cfs_quota_us": "100000",
                f"{OLD}/job/cpu.cfs_period_us": "100000",
                f"{OLD}/cpu.cfs_quota_us": "-1",
                f"{OLD}/cpu.cfs_period_us": "100000",
            },
            1,
        ),
    ],
)
def test_usable_cores_follow_all_control_groups(monkeypatch, files, cores):
    monkeypatch.setattr(machine, "_read", files.get)
    monkeypatch.setattr(
        machine.os, "sched_getaffinity", lambda _: {0, 1}, raising=False
    )
    assert machine.usable_cores() == cores


def test_memory_follows_all_control_groups(monkeypatch):
    files = INSIDE | {
        f"{CGROUP}/user/job/memory.max": "max",
        f"{CGROUP}/user/memory.max": "1000000",
    }
    monkeypatch.setattr(machine, "_read", files.get)
    assert machine._memory() == 1_000_000


def test_bystanders_are_what_neither_this_process_nor_a_descendant_used(
    monkeypatch,
):
    """By counters that stand in for the system's, in seconds."""
    now = {"time": 100.0, "system": 50.0, "own": 7.0, "child": 2.0}
    other = {"user": 0.0, "nice": 0.0, "iowait": 5.0, "idle": 900.0}

    class Times(dict):
        def _asdict(self):
            return self

    class Process:
        def cpu_times(self):
            return (now["own"], 0.0, 0.0, 0.0, 0.0)

    monkeypatch.setattr(machine.time, "monotonic", lambda: now["time"])
    monkeypatch.setattr(
        psutil, "cpu_times", lambda: Times(other, system=now["system"])
    )
    monkeypatch.setattr(psutil, "Process", Process)
    monkeypatch.setattr(machine, "descendants", lambda: {1: now["child"]})
    watch = machine.Bystanders()
    now.update(time=102.0, system=53.0, own=8.0, child=3.0)
    other["idle"] += 1  # idle seconds are nobody's
    assert watch.cores() == pytest.approx((3 - 1 - 1 - watch.SLACK) / 2)
    now.update(own=9.0)
    assert watch.cores() == 0


TREE = """\
import os, subprocess, sys
sleeps = [sys.executable, "-c", "import sys; sys.stdin.read()"]
child = subprocess.Popen(sleeps)
if not (stranger := os.fork()):  # its parent, a process between, ends
    if own := os.fork():
        print(own, flush=True)
        os._exit(0)
    os.execv(sleeps[0], sleeps)
os.waitpid(stranger, 0)
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_descendants_are_what_is_left_of_ours_without_orphans():
    with subprocess.Popen(
        [sys.executable, "-c", TREE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as tree:
        orphan, grandchild = (int(tree.stdout.readline()) for _ in range(2))
        found = machine.descendants()
        tree.stdin.close()
    assert {tree.pid, grandchild} <= found.keys()
    assert all(seconds >= 0 for seconds in found.values())
    assert orphan not in found
    assert gone(grandchild) and gone(orphan)


def test_the_lab_imports_light():
    """Worker processes import kernels.count: it must not load NumPy."""
    code = (
        "import sys; from onthefly.experiments.gil import race_standalone;"
        "from onthefly.kernels import count;"
        "print({'numpy', 'scipy', 'IPython'} & set(sys.modules))"
    )
    assert printed(code) == "set()"
