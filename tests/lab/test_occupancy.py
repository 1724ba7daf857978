"""The arithmetic of launches: blocks that are resident, shares in use."""

import pytest

from onthefly.tools import occupancy

GTX, H200 = (occupancy.KNOWN[k] for k in ("GTX 1060 (6.1)", "H200 (9.0)"))


@pytest.mark.parametrize(
    ("device", "threads", "registers", "shared", "blocks"),
    [
        (GTX, 25, 32, 0, 32),  # its places for blocks
        (GTX, 256, 32, 0, 8),  # its threads
        (GTX, 256, 64, 0, 4),  # its registers
        (GTX, 256, 33, 0, 6),  # in units of 8 a thread
        (GTX, 96, 32, 0, 21),
        (H200, 1024, 32, 0, 2),
        (H200, 128, 32, 50_000, 4),  # its shared memory
        (H200, 1024, 255, 0, 0),  # none fits
    ],
)
def test_resident_blocks(device, threads, registers, shared, blocks):
    assert occupancy.resident(device, threads, registers, shared) == blocks
    used = occupancy.occupancy(device, threads, registers, shared)
    assert 0 <= used <= 1


def test_a_wave_is_what_the_device_holds():
    assert occupancy.wave(H200, 256, 32) == 132 * 8
    assert occupancy.wave(H200, 256, 34) == 132 * 6  # 34 take the room of 40
    used = occupancy.filled(H200, occupancy.wave(H200, 256, 34), 256, 34)
    assert used["slots"] == 0.75


def test_the_talks_launch_fills_little():
    used = occupancy.filled(GTX, 40, 25)
    assert used == {
        "multiprocessors": 1, "lanes": 25 / 32, "slots": 1000 / 20480,
    }  # fmt: skip
    with pytest.raises(ValueError, match="at least 1"):
        occupancy.resident(GTX, 0)
