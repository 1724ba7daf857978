"""The devices that CUDA may use, and what they tell; NVML is a stand-in."""

import pytest

from onthefly.environment import devices
from onthefly.experiments.memory import transfers
from onthefly.measure import machine, nvml

UUIDS = ["GPU-aa11-0", "GPU-aa22-0", "GPU-bb33-0"]
SMALL = {"name": "NVIDIA Small", "uuid": UUIDS[0], "generation": 3}
LARGE = {"name": "NVIDIA Large", "uuid": UUIDS[1], "generation": 5}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (None, [0, 1, 2]),
        ("", []),
        ("-1", []),
        ("2, 0", [2, 0]),
        ("0,-1,1", [0]),  # what is none ends the list
        ("1card", [1]),  # as C reads numbers
        ("0,0", []),  # named twice: CUDA takes none
        ("GPU-bb33-0,0", [2, 0]),
        ("GPU-b", [2]),
        ("GPU-aa", []),  # of two devices
        ("MIG-1-2", ["MIG-1-2"]),
    ],
)
def test_the_variable_is_read_as_cuda_does(names, expected):
    assert nvml.visible(names, UUIDS) == expected


@pytest.mark.parametrize("names", [UUIDS[1], "1,0"])
def test_the_first_visible_device_is_meant(gpus, names):
    gpus(SMALL, LARGE, CUDA_VISIBLE_DEVICES=names)
    assert machine.slug().endswith("-large")
    assert devices.look()[0]["name"] == "NVIDIA Large"
    assert transfers.link()["generation"] == 5


@pytest.mark.parametrize("names", ["-1", "MIG-of-nobody"])
def test_hidden_devices_are_none(gpus, names):
    gpus(SMALL, LARGE, CUDA_VISIBLE_DEVICES=names)
    assert machine.gpus() == [] and not machine.has_cuda()
    assert devices.look() == [] and transfers.link() is None
    lines, (fault,) = devices.check()
    assert lines == [] and f"CUDA_VISIBLE_DEVICES is {names!r}" in fault


def test_the_record_tells_of_each_gpu(gpus):
    power_cap_and_heat = 0x4 | 0x20
    gpus(LARGE | {"limit": 500_000, "reasons": power_cap_and_heat}, SMALL)
    large, small = machine.record()["gpus"]
    assert (large["power_limit"], large["power_default"]) == (500, 700)
    assert (large["ecc"], large["cuda"]) == ("on", "13.0")
    assert large["driver"] and "runtime" in large
    assert large["before"] == {
        "sm": 1980,
        "memory": 3201,
        "held_back": ["power limit", "heat"],
    }
    assert small["before"]["held_back"] == ["idle"]


def test_what_a_device_does_not_tell_is_unknown(gpus):
    silent = ("memory", "limit", "default", "ecc", "sm", "reasons", "width")
    gpus(LARGE | dict.fromkeys(silent))
    (about,) = machine.record()["gpus"]
    assert about["name"] == "NVIDIA Large"
    assert about["memory"] is about["power_limit"] is about["ecc"] is None
    (line,), faults = devices.check()
    assert "NVIDIA Large, memory shared" in line and faults == []
    assert about["before"] == {"sm": None, "memory": 3201, "held_back": None}
    assert transfers.link() is None
