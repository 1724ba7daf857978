"""A bench: data made before the clock runs, and sizes that ways reach."""

import time

from onthefly.experiments.choice.bench import Bench, reach
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure.libraries import Missing
from onthefly.measure.models import LEAST


def test_data_are_made_once_for_each_form_and_size():
    bench = Bench(PROBLEMS["polynomial"], 3)
    assert bench.data("arrays", 50) is bench.data("arrays", 50)
    (numbers,) = bench.data("lists", 50)
    assert isinstance(numbers, list)
    assert numbers == bench.data("arrays", 50)[0].tolist()


def test_a_way_stops_behind_the_first_size_that_takes_too_long():
    taken, firsts = reach(
        {"slow": lambda n: time.sleep(n / 1000), "fast": lambda n: None},
        [1, 2, 3, 30, 100, 1000],
        0.02,
    )
    every = [1, 2, 3, 30, 100, 1000]
    assert taken == {"slow": [1, 2, 3, 30], "fast": every}
    assert firsts.series("slow").values[0] >= 0.001


def test_a_slow_way_takes_the_sizes_that_a_fit_needs():
    taken, _ = reach({"slow": lambda n: time.sleep(n)}, [0.01] * 9, 0.001)
    assert len(taken["slow"]) == LEAST


def test_what_needs_a_missing_library_takes_no_size():
    def missing(n):
        raise Missing("PyTorch")

    taken, firsts = reach({"a": missing, "b": lambda n: None}, [1, 2], 1)
    assert taken == {"b": [1, 2]}
    assert firsts.missing == {"a": "PyTorch"}
