"""The experiments on threads, under each interpreter of this machine."""

import sys

import pytest

from onthefly.experiments.gil import count_standalone, other_pythons


def test_counters_count_under_each_interpreter():
    programs = other_pythons.counters()
    here = "{}.{}.{}".format(*sys.version_info)
    assert any(name.startswith(here) for name in programs)
    for name, program in programs.items():
        loops = program.ask("try_loops", 2, 0.01)
        assert set(loops) == set(count_standalone.LOOPS)
        if not name.endswith(other_pythons.NONE):
            assert len(program.ask("unfinished", 1000, 1, True)) <= 1
        program.close()


@pytest.mark.parametrize(
    ("counts", "itemsize", "share"),
    [([510, 1022, 511], 8, 2 / 3), ([1020, 510], 4, 1 / 2), ([], 8, 0.5)],
)
def test_counts_at_a_pages_end_are_counted(counts, itemsize, share):
    pages = other_pythons.whole_pages(counts, 16, itemsize)
    assert pages.value == pytest.approx(share)
