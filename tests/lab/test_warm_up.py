"""A device is kept busy until its clock stands."""

import itertools
from unittest import mock

import pytest

from onthefly import page
from onthefly.measure import libraries
from onthefly.page import chapter
from onthefly.tools import warm_up

STEP = 0.02  # seconds of a piece of work


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
def test_a_device_works_until_its_clock_stands(
    monkeypatch, rises, least, most
):
    work, wait = mock.Mock(), mock.Mock()
    monkeypatch.setattr(libraries, "on_device", lambda: [(work, wait)])
    seconds = warm_up.warm_up(
        iter(rises).__next__, lambda: STEP * wait.call_count
    )
    assert least <= seconds <= most
    assert work.call_count == wait.call_count


def test_the_clock_is_that_of_the_device_that_is_measured(gpus):
    gpus({"sm": 300}, {"sm": 1500}, CUDA_VISIBLE_DEVICES="1")
    assert warm_up.sm_clock() == 1500
    gpus({"sm": 300}, CUDA_VISIBLE_DEVICES="")
    assert warm_up.sm_clock() is None


@pytest.mark.parametrize("cuda", [False, True])
def test_a_page_warms_the_device_before_a_group(
    loops, shown, monkeypatch, cuda
):
    warm = mock.Mock()
    monkeypatch.setattr(chapter, "warm_up", warm)
    book = page.Chapter("numba-cuda", device="cpu")
    book.cuda = cuda
    book.collect("here", lambda: loops)
    assert warm.call_count == cuda
