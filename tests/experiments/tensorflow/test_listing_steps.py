"""The steps of the talk's port, left out one by one."""

import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import listing_steps


def test_a_step_is_needed_if_the_rest_fails_without_it():
    failures = listing_steps.left_out()
    assert failures["nothing"] == ""
    assert listing_steps.needed(failures) == ["prefix", "names", "casts"]


def test_nothing_is_needed_where_the_listing_itself_fails():
    assert listing_steps.needed({"nothing": "TypeError", "casts": "x"}) == []
