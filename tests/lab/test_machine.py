"""What the lab says of the machine."""

import json
import subprocess
import sys

import numpy as np
import pytest

from cases import printed
from conftest import gone
from onthefly.measure import clock, machine


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


@pytest.mark.parametrize(
    ("quota", "cores"), [("150000 100000", 1), ("max 100000", 2)]
)
def test_usable_cores_follow_the_cgroup(monkeypatch, quota, cores):
    files = {"/sys/fs/cgroup/cpu.max": quota}
    monkeypatch.setattr(machine, "_read", files.get)
    monkeypatch.setattr(
        machine.os, "sched_getaffinity", lambda _: {0, 1}, raising=False
    )
    assert machine.usable_cores() == cores


SPIN = "import time; end = time.time() + {}\nwhile time.time() < end: pass"
STRANGER = """\
import os
if pid := os.fork():
    print(pid)
else:
    os.setsid()
    os.close(1)  # so that nobody waits for what it prints
    exec({!r})
"""


@pytest.mark.alone
def test_bystanders_count_others_and_not_us():
    # A grandchild whose parent has ended is no descendant of ours.
    code = STRANGER.format(SPIN.format(2))
    stranger = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE
    ).stdout
    watch = machine.Bystanders()
    clock.measure({"a": lambda: sum(range(1000))}, budget=1.5)
    with_stranger = watch.cores()
    assert with_stranger > 0.3
    assert gone(int(stranger))
    watch = machine.Bystanders()
    child = [sys.executable, "-c", SPIN.format(1.5)]
    subprocess.run(child, check=True)
    assert watch.cores() < 0.6  # a child, at one core, is one of us


def test_the_lab_imports_light():
    """Worker processes import kernels.count: it must not load NumPy."""
    code = (
        "import sys; from onthefly.experiments.gil import race_standalone;"
        "from onthefly.kernels import count;"
        "print({'numpy', 'scipy', 'IPython'} & set(sys.modules))"
    )
    assert printed(code) == "set()"
