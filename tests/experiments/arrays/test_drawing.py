"""Random numbers drawn in two threads."""

import numpy as np

from onthefly.experiments.arrays import drawing


def test_each_generator_draws_all_its_numbers(monkeypatch):
    monkeypatch.setattr(drawing, "NUMBERS", 600)
    rngs = np.random.default_rng(1).spawn(2)
    drawing.in_threads(drawing.draw, rngs, 100)
    drawing.in_series(drawing.draw, rngs, 200)
    for rng, same in zip(
        rngs, np.random.default_rng(1).spawn(2), strict=True
    ):
        same.random(1200)
        assert rng.random() == same.random()


def test_a_lock_holds_up_who_draws_from_its_generator():
    one, other = np.random.default_rng(1).spawn(2)
    lock = one.bit_generator.lock
    assert drawing.waits_for(lock, one.random)
    assert not drawing.waits_for(lock, other.random)
