"""The programs of this folder under builds with the GIL and without."""

from functools import partial

from onthefly.experiments.interpreters import (
    contended_standalone,
    lost_standalone,
    pi_standalone,
)
from onthefly.experiments.interpreters.builds import ask, twins, with_then
from onthefly.measure import clock

ALONE, OWN, SHARED = "one thread", "own objects", "one object"


def pi(sizes, workers, budget, seed=0):
    """Time π by each way of both twins, in the same rounds; return Samples.

    sizes    shots of each worker, a list
    workers  how many
    budget   seconds

    Series are named "build, way".
    """

    def sampler(name, way):
        return lambda shots: ask(
            name, pi_standalone.seconds, way, shots, workers
        )

    return clock.sample(
        {
            f"{name}, {way}": sampler(name, way)
            for name in twins()
            for way in ask(name, pi_standalone.ways)
        },
        sizes=sizes,
        budget=budget,
        first="unknown",
        seed=seed,
    )


def hits(shots, workers):
    """Return {build: {way: hits of each worker}}: the same, if all is right.

    Threads that draw from one stream are left out: who gets which number is
    chance.
    """
    return {
        name: {
            way: ask(name, pi_standalone.counted, way, shots, workers)
            for way in ask(name, pi_standalone.ways)
            if way != "threads, one stream"
        }
        for name in twins()
    }


def scaling(shots, threads, budget, seed=0):
    """Time π by so many threads under both twins; return Samples.

    shots    of each thread
    threads  list of how many: the size of a series
    budget   seconds
    """

    def sampler(name):
        return lambda count: ask(
            name, pi_standalone.seconds, "threads", shots, count
        )

    return clock.sample(
        {name: sampler(name) for name in twins()},
        sizes=threads,
        budget=budget,
        first="unknown",
        seed=seed,
    )


def contended(name, steps, budget, seed=0):
    """Time steps on objects under one of the twins; return Samples.

    steps   of each thread
    budget  seconds

    One thread, two with objects of their own, two with one: series are named
    "object, who".
    """
    who = {ALONE: (False, 1), OWN: (False, 2), SHARED: (True, 2)}
    samplers = {
        f"{thing}, {how}": partial(
            ask, name, contended_standalone.seconds, thing, *given, steps
        )
        for thing in ask(name, contended_standalone.names)
        for how, given in who.items()
    }
    return clock.sample(samplers, budget=budget, first="unknown", seed=seed)


def races(steps, runs):
    """Race under each build, twins and then; return {build: {race: tally}}.

    steps  of each thread in a run
    runs   of each race

    A tally is a dict: runs, wrong ones, and the share of updates lost.
    """

    def tally(name, race):
        lost = ask(name, lost_standalone.losses, race, steps, runs)
        return {
            "runs": runs,
            "wrong": sum(map(bool, lost)),
            "lost": sum(lost) / (runs * steps * lost_standalone.THREADS),
        }

    return {
        name: {
            race: tally(name, race)
            for race in (*lost_standalone.RACES, *lost_standalone.CURES)
        }
        for name in with_then()
    }
