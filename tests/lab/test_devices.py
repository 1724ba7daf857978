"""Which library is here, and which of them sees a device."""

import pytest

from onthefly import machine
from onthefly.tools import devices


@pytest.mark.slow
def test_the_survey_asks_all_three():
    found = devices.survey()
    assert list(found) == list(devices.NAMES)
    assert not found["cupy"]["computes on the processor"]
    if not machine.has_cuda():
        assert not any(row["computes on a GPU"] for row in found.values())
        assert devices.library("cupy") is None
