"""A core's clock beside the time stamp counter."""

import pytest

from onthefly.experiments.speed import rates, throughput

STEADY = "flags\t\t: fpu constant_tsc avx2\nbogomips\t: 4890.84\n"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (STEADY, 2445.42e6),
        (STEADY.replace("constant_tsc", "tsc"), None),  # it may stand still
        ("BogoMIPS\t: 50.00\n", None),  # an ARM's
    ],
)
def test_linux_tells_how_fast_the_counter_counts(
    text, counts, tmp_path, monkeypatch
):
    monkeypatch.setattr(rates, "CPUINFO", tmp_path / "cpuinfo")
    assert rates.ahead() is None
    rates.CPUINFO.write_text(text)
    assert rates._counter() == counts


def test_a_clock_is_no_several_times_as_fast_as_the_counter():
    pytest.importorskip("llvmlite")
    ahead = rates.ahead()
    assert ahead is None or throughput.missing() or 0.1 < ahead < 3
