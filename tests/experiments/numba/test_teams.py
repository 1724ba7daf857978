"""Threads of parallel loops in processes of their own."""

from onthefly.experiments.numba import teams


def test_threads_are_those_that_the_environment_names():
    found = teams.at_work(
        {
            "one": {"NUMBA_NUM_THREADS": 1},
            "three on one core": {"cores": 1, "NUMBA_NUM_THREADS": 3},
        }
    )
    assert found == {"one": 1, "three on one core": 3}


def test_what_ends_a_process_is_named():
    options = {"NUMBA_THREADING_LAYER": "workqueue", "callers": 2}
    assert teams.at_work({"crash": options}) == {"crash": "SIGABRT"}


def test_threads_that_sleep_take_no_time():
    passive = {"NUMBA_NUM_THREADS": 2, "OMP_WAIT_POLICY": "passive"}
    with teams.process(**passive) as program:
        assert program.ask("burnt", 0.01) < 0.005
        seconds = teams.beside("pool", lambda _: program, 1000)()
    assert set(seconds) == {"pool, at rest", "pool, behind a loop"}
    assert min(seconds.values()) > 0
