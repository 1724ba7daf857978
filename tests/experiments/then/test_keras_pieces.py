"""Keras code of 2017 in the two libraries of then."""

import pytest

from onthefly.experiments.then import keras_pieces


@pytest.mark.slow
@pytest.mark.skipif(not keras_pieces.here(), reason="no Keras of 2017")
def test_most_pieces_do_the_same_in_both():
    found = keras_pieces.tried()
    assert found["versions"]["Keras"] == "2.0.9" and found["shared"] == []
    pieces = found["pieces"]
    assert set(pieces) == set(keras_pieces.PIECES)
    assert sum(same for *_, same in pieces.values()) > len(pieces) / 2
    assert pieces["functional model, predict"] == ["runs", "runs", True]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ([[1.0, 2.0], 3], [[1.0, 2.00001], 3], True),
        ([[1.0, 2.0]], [[1.0, 2.1]], False),
        ([[1.0]], [[1.0, 1.0]], False),
        ([1.0], [1.0, 1.0], False),
        ("ValueError: no", "ValueError: no", False),
    ],
)
def test_same_is_within_what_a_training_varies(one, other, alike):
    assert keras_pieces._same(one, other) is alike
