"""A graph that trains for eight bits: its nodes, slopes and loss."""

import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import bits_graph


@pytest.mark.slow
def test_the_nodes_round_and_training_passes_through_them():
    assert set(bits_graph.seen(1).values()) == {True}
