"""The generators of the C library: right numbers, shared states, counts."""

import gc

import numpy as np
import pytest

from onthefly import libraries
from onthefly.experiments.generators import generators
from onthefly.experiments.generators.generators import Generator
from onthefly.kernels import split, z_score

ALL = [*generators.NAMES, "locked"]
built = pytest.mark.skipif(
    bool(generators.missing()), reason=generators.missing() or "-"
)


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
    "pair", [("rand", "random_r"), ("locked", "rand"), ("drand48", "erand48")]
)
def test_a_lock_or_a_shared_state_changes_no_number(pair):
    one, other = (Generator(name, 5).numbers(1000) for name in pair)
    assert np.array_equal(one, other)


@built
@pytest.mark.parametrize("place", [-1, 0, 1])
def test_where_the_state_lies_changes_no_number(place):
    apart = Generator("random_r", 5).numbers(1000)
    assert np.array_equal(Generator("random_r", 5, place=place).numbers(1000),
                          apart)  # fmt: skip


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
@pytest.mark.parametrize("state", ["own", "packed", "one"])
@pytest.mark.parametrize("name", ["random_r", "locked"])
def test_threads_share_the_shots(name, state, monkeypatch):
    sizes, hits = [], Generator.hits

    def noted(self, shots):
        sizes.append(shots)
        return hits(self, shots)

    monkeypatch.setattr(Generator, "hits", noted)
    sample = generators.throw(name, state=state, lock="one", shots=1001)
    for threads in (1, 3):
        sizes.clear()
        sample(threads)
        parts = sorted(split(1001, threads))
        # Each sample may throw several times, all of it each time.
        assert sorted(sizes) == sorted(parts * (len(sizes) // threads))


@built
def test_only_a_lock_that_is_shared_is_found_taken():
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


@built
def test_an_unknown_generator_is_refused():
    with pytest.raises(ValueError, match="dice"):
        Generator("dice")


def test_without_a_compiler_it_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert generators.missing() == "no C compiler"
    with pytest.raises(libraries.Missing, match="C compiler is missing"):
        generators._library.__wrapped__()
