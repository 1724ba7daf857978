"""The status page: what it says of the machine."""

from onthefly import machine
from rendering import status


def text_of(record, monkeypatch):
    """Return the page of a copy in which nothing ran, on this machine."""
    monkeypatch.setattr(machine, "record", lambda: record)
    return status.status({}, {})


def test_a_gpu_is_told_with_its_state(gpus, monkeypatch):
    gpus({"limit": 500_000, "reasons": 4, "ecc": [0, 0]})
    record = machine.record()
    machine.end(record)
    text = text_of(record, monkeypatch)
    for part in (
        "NVIDIA H200, 140 GiB", "driver 580.65.06, CUDA 13.0",
        "power limit 500 of 700 W", "ECC off",
        "before the run 1980 MHz and memory 3201 MHz (power limit)",
        "after the run 1980 MHz",
    ):  # fmt: skip
        assert part in text


def test_a_gpu_of_which_less_is_known_is_told(gpus, monkeypatch):
    unknown = ("memory", "limit", "default", "ecc", "sm", "reasons")
    gpus(dict.fromkeys(unknown))
    record = machine.record()
    text = text_of(record, monkeypatch)
    assert "NVIDIA H200, driver 580" in text
    assert "before the run ? MHz and memory 3201 MHz" in text
    assert "ECC" not in text and "power" not in text
    old = {"name": "NVIDIA H200", "memory": 2**37, "driver": "580.65.06"}
    text = text_of(record | {"gpus": [old]}, monkeypatch)
    assert "NVIDIA H200, 128 GiB, driver 580.65.06<" in text
