"""Runs that a neighbour disturbed are set aside, and no others."""

import numpy as np
import pytest

from onthefly.compare import background, ranks

SERIES, RUNS = 12, 15


def side(rng, level=1.0, series=SERIES, runs=RUNS, slow=()):
    """Return numbers of a side, (series, runs), some runs being slower."""
    numbers = level * np.exp(rng.normal(0, 0.01, (series, runs)))
    numbers[:, list(slow)] *= rng.uniform(1.2, 1.6, len(slow))
    return numbers


def neighbours(rng, share=0.4):
    """Return which runs a neighbour disturbs."""
    return np.flatnonzero(rng.random(RUNS) < share)


@pytest.fixture
def rng():
    return np.random.default_rng(6)


def test_runs_that_are_slower_in_all_are_disturbed(rng):
    disturbed = background.disturbed(side(rng, slow=(2, 7)))
    assert np.flatnonzero(disturbed).tolist() == [2, 7]


def test_what_changes_one_series_disturbs_no_run(rng):
    numbers = side(rng)
    numbers[3, :5] *= 2
    assert not background.disturbed(numbers).any()


def test_a_side_that_is_slower_keeps_its_runs(rng):
    base, new = side(rng), side(rng, level=1.5)
    pairs = list(zip(base, new, strict=True))
    quiet = background.undisturbed([("page", "ways")] * SERIES, pairs)
    assert all(len(x) == RUNS for pair in quiet for x in pair)


def test_a_small_group_is_disturbed_where_its_page_is(rng):
    """A group by itself knows when it was disturbed; two series do not."""
    places = [("page", "two")] * 2 + [("page", "ways")] * (SERIES - 2)
    numbers = side(rng)
    numbers[2:, 4] *= 1.5  # while the group was measured
    quiet = background.undisturbed(
        places, [(row, side(rng)[0]) for row in numbers]
    )
    assert [len(base) for base, _ in quiet] == [RUNS - 1] * SERIES
    other = background.undisturbed(
        [("other", "two")] * 2 + places[2:],
        [(row, side(rng)[0]) for row in numbers],
    )
    assert [len(base) for base, _ in other[:3]] == [RUNS, RUNS, RUNS - 1]


@pytest.mark.parametrize("seed", range(3))
def test_a_slow_down_is_called_beside_neighbours(seed):
    rng = np.random.default_rng(seed)
    base, new = (side(rng, slow=neighbours(rng)) for _ in range(2))
    new[0] *= 1.1
    pairs = list(zip(base, new, strict=True))
    quiet = background.undisturbed([("page", "ways")] * SERIES, pairs)
    findings = ranks.findings(quiet)
    assert findings[0].regressed()
    assert not any(other.called for other in findings[1:])
    assert not any(one.called for one in ranks.findings(pairs))
