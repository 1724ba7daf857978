"""Events of a device that works off its queue, and a host that takes time."""

import pytest

from onthefly.experiments.gpu.events import Stopwatch


class Device:
    """A device and a host with a clock each: both count seconds."""

    DISPATCH = 1e-4  # of a launch, on the host

    def __init__(self):
        self.host, self.free = 0.0, 0.0

    def run(self, seconds):
        """Launch a kernel that lasts so long."""
        self.host += self.DISPATCH
        self.free = max(self.free, self.host) + seconds

    def event(self):
        return Event(self)


class Event:
    """Stamped when the device gets to it, as Numba's."""

    def __init__(self, device):
        self._device = device

    def record(self):
        device = self._device
        self.at = device.free = max(device.free, device.host)

    def query(self):
        return self.at <= self._device.host

    def synchronize(self):
        self._device.host = max(self._device.host, self.at)

    def elapsed_time(self, end):
        return 1000 * (end.at - self.at)


@pytest.fixture
def device():
    return Device()


def test_a_launch_is_not_in_a_kernels_time(device):
    watch = Stopwatch(device.event, lambda n: device.run(1e-6 * n))
    for launches in (1, 10):
        for seconds in (1e-6, 1e-2):

            def launch(launches=launches, seconds=seconds):
                for _ in range(launches):
                    device.run(seconds)

            assert watch.seconds(launch) == pytest.approx(launches * seconds)


def test_a_hold_that_was_long_enough_is_kept(device):
    holds = []

    def hold(length):
        holds.append(length)
        device.run(1e-6 * length)

    watch = Stopwatch(device.event, hold, length=10)
    for _ in range(3):
        watch.seconds(lambda: device.run(1e-6))
    assert holds == [10, 20, 40, 80, 160, 160, 160]


def test_a_launch_that_waits_is_refused(device):
    watch = Stopwatch(device.event, lambda n: device.run(1e-6 * n))

    def waiting():
        device.run(1e-3)
        device.host = device.free

    with pytest.raises(RuntimeError, match="never behind"):
        watch.seconds(waiting)
