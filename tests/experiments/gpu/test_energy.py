"""Energy by counters that are renewed now and then."""

import functools
import time

import pytest

from cases import exact
from onthefly.experiments.gpu import energy
from onthefly.measure.timings import Timings


class Meter:
    """A clock and a counter of so many watts, renewed every `step`."""

    def __init__(self, watts, step=0.1):
        self.now, self.watts, self.step = 0.0, watts, step

    def clock(self):
        self.now += 1e-4
        return self.now

    def joules(self):
        return self.now // self.step * self.step * self.watts

    def work(self):
        self.now += 0.007


def test_energy_is_counted_from_change_to_change():
    meter = Meter(200)
    seconds, joules, runs = energy.spent(
        meter.work, meter.joules, 1.0, meter.clock
    )
    assert joules / seconds == pytest.approx(200, rel=0.02)
    assert runs == pytest.approx(seconds / 0.0071, rel=0.05)


class Ticking(Meter):
    """One whose counter takes time to be read."""

    def joules(self):
        self.now += 1e-3
        return super().joules()


def test_a_dead_counter_is_refused():
    meter = Meter(0)
    with pytest.raises(RuntimeError, match="does not change"):
        energy.spent(meter.work, meter.joules, 0.1, meter.clock)
    with pytest.raises(RuntimeError, match="does not change"):
        energy.update(meter.joules, meter.clock)


@pytest.mark.parametrize("step", [0.02, 0.1])
def test_a_window_is_long_beside_an_update(step):
    meter = Ticking(200, step)
    seconds = energy.window(meter.joules, 0.05, meter.clock)
    assert seconds == pytest.approx(max(energy.LEAST, 20 * step), rel=0.05)
    watts = []
    for late in range(7):  # wherever in an update it begins
        meter.now += late * step / 7
        taken, joules, _ = energy.spent(
            meter.work, meter.joules, seconds, meter.clock
        )
        assert taken >= seconds
        watts.append(joules / taken)
    assert watts == pytest.approx([200] * 7, rel=0.05)


def test_power_has_time_to_settle_but_not_for_ever():
    meter = Meter(200)
    start = meter.now
    taken, *_ = energy.spent(meter.work, meter.joules, 5.0, meter.clock)
    assert energy.SETTLE <= meter.now - start - taken < energy.SETTLE + 0.2


def test_loads_are_sampled_in_rounds(monkeypatch):
    def joules():  # 50 W, renewed each millisecond
        return time.perf_counter() // 1e-3 * 1e-3 * 50

    monkeypatch.setattr(energy, "LEAST", 2e-3)
    loads = {"k": (functools.partial(time.sleep, 1e-4), 1000)}
    times = Timings.of(energy.rounds(loads, joules, 1.0, count=6))
    watts = 1 / times.seconds("a joule, k").value
    assert watts == pytest.approx(50, rel=0.2)
    assert {len(s.values) for s in times} == {6}


def test_energy_a_shot_is_power_times_time():
    times = exact(**{"a joule, idle": 0.01, "a joule, k": 0.002,
                     "10^9 shots, k": 0.001})  # fmt: skip
    whole, net = energy.per_shots(times, "k")
    assert (whole.value, net.value, whole.unit) == (0.5, 0.4, "J")


def test_the_processors_counters_are_read_and_unrolled(tmp_path):
    none, why = energy.processor_counter(tmp_path)
    assert none is None and "no RAPL" in why
    zone = tmp_path / "intel-rapl:0"
    zone.mkdir()
    (zone / "max_energy_range_uj").write_text("999999\n")
    (zone / "energy_uj").write_text("900000\n")
    (zone / "name").write_text("package-0\n")
    board = tmp_path / "intel-rapl:1"  # would count the package twice
    board.mkdir()
    (board / "name").write_text("psys\n")
    joules, why = energy.processor_counter(tmp_path)
    (zone / "energy_uj").write_text("100000\n")
    assert joules() == pytest.approx(0.2) and not why
    (zone / "energy_uj").unlink()
    _, why = energy.processor_counter(tmp_path)
    assert "repair" in why
