"""The generators of the C library: numbers, shared states, locks."""

import gc

import numpy as np
import pytest

from cases import skip_if
from onthefly.experiments.generators import generators
from onthefly.experiments.generators.generators import Generator
from onthefly.kernels import z_score

ALL = [*generators.NAMES, "locked"]
built = skip_if(generators.missing())


@built
@pytest.mark.parametrize("name", ALL)
def test_a_generator_goes_on_and_estimates_pi(name):
    first = Generator(name, 5)
    hits = first.hits(10**5)
    hits += first.hits(9 * 10**5)
    assert hits == Generator(name, 5).hits(10**6)
    assert hits != Generator(name, 6).hits(10**6)
    assert z_score(4 * hits / 10**6, 10**6) < 5


@built
@pytest.mark.parametrize("name", ALL)
def test_numbers_have_31_bits_and_are_those_of_the_shots(name):
    numbers = Generator(name, 5).numbers(2 * 10**5)
    assert numbers.min() >= 0
    assert abs(numbers.mean() / 2**30 - 1) < 0.02
    x, y = numbers.reshape(-1, 2).T / (2**31 - 1)
    hits = np.count_nonzero(x * x + y * y <= 1)
    assert hits == Generator(name, 5).hits(10**5)


@built
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("rand_r", [1399227949, 1504450828, 273700997, 1740251438]),
        ("random_r", [1471611625, 1204518815, 463882823, 963005816]),
    ],
)
def test_the_numbers_are_those_of_glibcs_source_of_2018(name, numbers):
    assert Generator(name, 2018).numbers(4).tolist() == numbers


@built
def test_two_may_draw_from_one_state_which_outlives_its_owner():
    whole = Generator("random_r", 5).numbers(4)
    first = Generator("random_r", 5)
    second = Generator("random_r", 6, state=first)
    assert list(first.numbers(2)) == list(whole[:2])
    del first
    gc.collect()
    assert list(second.numbers(2)) == list(whole[2:])


@built
def test_only_a_lock_that_is_shared_is_taken_by_another():
    shots = 10**5
    own = generators.throw("locked", shots=shots)(2).counts
    assert own["lock taken"] == own["calls of the kernel"] == 0
    one = generators.throw("locked", lock="one", shots=shots)(1).counts
    assert one["lock taken"] == 0  # by nobody else
    some = generators.throw("locked", state="one", lock="one", shots=shots)
    assert any(some(2).counts["lock taken"] for _ in range(50))


@built
def test_states_of_their_own_repeat_nothing():
    assert generators.repeated() < 100  # chance makes five
