"""A device is kept busy until its clock stands."""

import itertools

import pytest

from onthefly import libraries, page
from onthefly.tools import warm_up


class Device:
    """A device whose clock rises with its work, 20 ms a piece."""

    def __init__(self, rises):
        self.now, self.busy, self._clock = 0.0, 0, iter(rises)

    def work(self):
        self.busy += 1

    def wait(self):
        self.now += 0.02

    def clock(self):
        return next(self._clock)

    def warm_up(self):
        return warm_up.warm_up(self.clock, lambda: self.now)


@pytest.fixture
def devices(monkeypatch):
    """The (busy, wait) of the libraries that see a device."""
    devices = []
    monkeypatch.setattr(libraries, "on_device", lambda: devices)
    return devices


@pytest.mark.parametrize(
    ("rises", "least", "most"),
    [
        (itertools.repeat(1980), 0.5, 0.55),  # warm already
        (itertools.chain(range(300, 1980, 30), itertools.repeat(1980)),
         1.1, 1.3),
        (itertools.count(300, 30), 3.0, 3.05),  # never stands
        (itertools.repeat(None), 1.5, 1.55),  # does not tell
    ],
)  # fmt: skip
def test_a_device_works_until_its_clock_stands(devices, rises, least, most):
    device = Device(rises)
    devices.append((device.work, device.wait))
    assert least <= device.warm_up() <= most
    assert device.busy == round(device.now / 0.02)


def test_the_clock_is_that_of_the_device_that_is_measured(gpus):
    gpus({"sm": 300}, {"sm": 1500}, CUDA_VISIBLE_DEVICES="1")
    assert warm_up.sm_clock() == 1500
    gpus({"sm": 300}, CUDA_VISIBLE_DEVICES="")
    assert warm_up.sm_clock() is None


def test_a_page_warms_the_device_before_each_group(
    devices, loops, shown, monkeypatch
):
    steps = []
    monkeypatch.setattr(page, "warm_up", lambda: steps.append("warm"))
    book = page.Chapter("numba-cuda", device="cpu")

    def take():
        steps.append("take")
        return loops

    book.measured_or_recorded("here", take, here=True)
    assert steps == ["take"]
    book.cuda = True
    book.measured_or_recorded("first", take)
    book.measured_or_recorded("second", take, here=True)
    assert steps[1:] == ["warm", "take"] * 2
