"""What *How to speed up a Python loop with a C extension* concludes."""

import itertools

from onthefly import figures
from onthefly.experiments.gil import builds
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def build_time(built):
    return Quantity.exact(built["seconds"], "s")


@judge("cext-build-test-workflow")
def build_test_workflow(outcomes):
    talked = [outcomes[step] for step in builds.STEPS][:3]
    return Quantity.share(sum(w != "fails" for w in talked), len(talked))


def speed(times, shots):
    return times.ratio("Python", "C", shots[-1])


def by_xoshiro(times, shots):
    return times.ratio("Python", "C, xoshiro", shots[-1])


def generator(times, shots):
    return times.ratio("C", "C, xoshiro", shots[-1])


def ahead_of_numpy(times):
    return times.ratio("NumPy", "C", 100)


def by_numpy(times):
    return times.ratio("C", "NumPy", 10_000)


@figure(against="Python", x="shots")
def ways_figure(times):
    return times


def python_moved(stacks):
    return stacks.ratio("Python, then", "Python, now")


@judge("cext-against-python")
def against_python(order, python_moved=None):
    """Python's own loop is {python_moved.about} faster than in 3.6"""
    today = order.ratio("Python", "C", 10**6)
    return python_moved and python_moved * today, today


def speeds(grid):
    return {
        name: {
            n: grid.seconds(name, 1) / grid.seconds(name, n)
            for n in grid.sizes(name)
        }
        for name in grid.names
    }


def released(speeds):
    return speeds["GIL released"][2]


def held(speeds):
    return speeds["GIL held"][2]


def alone(grid):
    return grid.seconds("GIL released", 1)


@figure
def threads_figure(speeds, cores):
    return figures.speed_against_threads(speeds, cores)


@answer("threads-in-c")
def threads_in_c(released, held, times, shots):
    """Release the GIL around the loop (`Py_BEGIN_ALLOW_THREADS`), and give
    each thread a long call: two threads finish a loop of {alone.about}
    {released.about} faster than one. With the GIL held, or in a call that
    takes less time than starting a thread, they gain nothing.
    """
    at_few = times.ratio("C", "C, threads", shots[0])
    return released > 1.3, held < 1.2, at_few < 1


@judge("cext-five-steps-around-gil")
def five_steps_around_gil(grid):
    return grid.ratio("GIL held", "GIL released", 2)


@judge("background-ranking")
def background_ranking(order, released):
    first = itertools.pairwise(["Python", "NumPy", "C"])
    steps = [order.ratio(a, b, 10**6) for a, b in first]
    return Quantity.held(step > 1 for step in [*steps, released])


@judge("cext-threads-near-ideal")
def threads_near_ideal(speeds, cores):
    few = min(3, cores)
    return speeds["GIL released"][few] / few


@table
def versions(rows):
    """Which Pythons load which build."""
    return rows


def here(rows):
    return [row for row in rows if "recorded" not in row]


def loaded(here):
    return {
        kind: f"{sum(row[kind] == 'loads' for row in here)} of {len(here)}"
        for kind in ("plain build", "renamed", "limited API")
    }


@expect
def limited_serves_all(here):
    with_gil = [row for row in here if row["build"] == "GIL"]
    return bool(here) or None, [r["limited API"] == "loads" for r in with_gil]


@judge("cext-rebuild-each-release")
def rebuild_each_release(here, book):
    answers = {}
    for row in here:
        answers.setdefault(_minor(row["CPython"]), set()).add(
            row["plain build"]
        )
    answers.pop(_minor(book.machine["python"]["version"]), None)
    if not answers:
        return unmeasured("no other release of CPython on this machine")
    refused = sum(each == {"refused"} for each in answers.values())
    return Quantity.share(refused, len(answers))


def _minor(version):
    return version.rpartition(".")[0]
