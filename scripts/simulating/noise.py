"""What disturbs a measurement: a factor for each round."""

import numpy as np

QUIET = 0.02  # the spread of each sample on a machine that does nothing else


def _none(rng, rounds):
    return np.ones(rounds)


def _spread(rng, rounds):
    """Each sample up to half as long again, or as short."""
    return np.exp(rng.normal(0, 0.2, rounds))


def _spikes(rng, rounds):
    """One sample in thirty, two to ten times as long."""
    hit = rng.random(rounds) < 1 / 30
    return np.where(hit, rng.uniform(2, 10, rounds), 1.0)


def _drift(rng, rounds):
    """The machine slows down, or speeds up, by three quarters in all."""
    return np.exp(rng.choice([-1, 1]) * np.linspace(-0.28, 0.28, rounds))


def _neighbour(rng, rounds):
    """Another program takes a core, and up to two thirds of the time."""
    return rng.uniform(1, 3, rounds)


def _crowd(rng, rounds):
    """Others take all cores: long samples wait, short ones fit in between."""
    return rng.uniform(2, 4, rounds)


KINDS = {
    "quiet": _none,
    "spread": _spread,
    "spikes": _spikes,
    "drift": _drift,
    "neighbour": _neighbour,
    "crowd": _crowd,
}
OTHERS = {"neighbour": 1.0, "crowd": 1.7}  # cores that they use, of 2
HITS = ("both", "each", "one")


def factors(kind, hits, rng, rounds, candidates):
    """Return the factors of each candidate, an array (candidates, rounds).

    kind  a name of `KINDS`
    hits  "both": a round's factor is that of all its samples; "each": each
          sample has its own; "one": the first candidate's samples alone
    """
    quiet = np.exp(rng.normal(0, QUIET, (candidates, rounds)))
    take = KINDS[kind]
    if hits == "both":
        return quiet * take(rng, rounds)
    for row in quiet if hits == "each" else quiet[:1]:
        row *= take(rng, rounds)
    return quiet
