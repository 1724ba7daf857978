"""The talks' listings under every TensorFlow that is here."""

import pytest

from cases import exact, find_pi_and_take_time

pytest.importorskip("tensorflow")

from onthefly.experiments.overheads.tensorflow_modules import MODULES
from onthefly.experiments.then import listings, programs

HERE = [v for v in listings.FORMS if programs.here(v)]


@pytest.mark.slow
@pytest.mark.parametrize("version", HERE)
def test_forms_find_pi_and_take_time(version):
    find_pi_and_take_time(listings.CHILD, version, listings.FORMS[version])


@pytest.mark.long
def test_forms_take_turns():
    times = listings.taken("today", 100, 0.1)
    assert set(times.names) == set(listings.FORMS["today"])
    assert all(len(series.values) >= 6 for series in times)


@pytest.mark.slow
def test_the_modules_of_then_are_found():
    own, contributed = listings.modules("today")
    assert "linalg" in own and contributed == []
    if programs.here("1.9"):
        own, contributed = listings.modules("1.9")
        assert set(own) == set(MODULES) and "signal" in contributed


def test_threads_make_up_a_part_of_a_gain_if_there_is_one():
    gained = {"NumPy": 8.0, "eager, 1 thread": 4.0, "eager": 2.0}
    part = listings.threads_part(exact(**gained), "eager")
    assert part.value == pytest.approx(0.5)
    behind = exact(**(gained | {"NumPy": 1.0}))
    assert listings.threads_part(behind, "eager") is None
