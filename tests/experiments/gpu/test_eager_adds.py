"""TensorFlow's additions, by the code that a device runs."""

from cases import tensorflow_or_skip


def test_the_additions_are_timed_where_they_are_asked_for():
    tensorflow_or_skip()
    from onthefly.experiments.gpu import eager_adds

    times = eager_adds.chain(1000, "/CPU:0", budget=0.01)
    assert min(times.series("additions").values) > 0
