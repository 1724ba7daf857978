"""Threads of parallel loops in processes of their own."""

from onthefly.experiments.numba import teams


def test_threads_are_those_that_the_environment_names():
    threads = teams.at_work(
        {
            "one": {"NUMBA_NUM_THREADS": 1},
            "three on one core": {"cores": 1, "NUMBA_NUM_THREADS": 3},
        }
    )
    assert threads == {"one": 1, "three on one core": 3}


def test_what_ends_a_process_is_named():
    options = {"NUMBA_THREADING_LAYER": "workqueue", "callers": 2}
    assert teams.at_work({"crash": options}) == {"crash": "SIGABRT"}
