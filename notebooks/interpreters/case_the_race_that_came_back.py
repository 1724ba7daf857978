"""What *The race that came back* concludes."""

from onthefly.experiments.interpreters.builds import FREE, LOCK
from onthefly.experiments.interpreters.lost_standalone import CURES, RACES
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

COUNTER = "next(itertools.count())"
ONE_CALL = [
    "items.append(k)",
    "table[k] = k, keys of one's own",
    "table.setdefault(k, me)",
    "deque.append(k)",
]
STEPS_OF_TWO = [race for race in RACES if race not in (*ONE_CALL, COUNTER)]


def wrong(tallies):
    """Return {build: {race: share of wrong runs}}."""
    return {
        build: {
            race: Quantity.share(tally["wrong"], tally["runs"])
            for race, tally in races.items()
        }
        for build, races in tallies.items()
    }


def back(wrong):
    return wrong[FREE]["x += 1"]


def held(wrong):
    return wrong[LOCK]["x += 1"]


@expect
def pairs_lose(wrong):
    return [wrong[FREE][race].value > 0 for race in STEPS_OF_TWO]


@expect
def calls_hold(wrong):
    return [wrong[b][n].value == 0 for b in (LOCK, FREE) for n in ONE_CALL]


@expect
def only_the_call(wrong):
    called = "x = x + one()"
    rest = [wrong[LOCK][race].value == 0 for race in RACES if race != called]
    return wrong[LOCK][called].value > 0, rest


@expect
def cures_hold(wrong):
    return [
        shares[cure].value == 0 for shares in wrong.values() for cure in CURES
    ]


def _rows(names, wrong, known, tallies):
    lost = {n: Quantity.exact(tallies[FREE][n]["lost"], "%") for n in names}
    return [
        {"": name}
        | {f"{b} {known[b]['version']}": wrong[b][name].note for b in wrong}
        | {"updates lost, no GIL": lost[name].short}
        for name in names
    ]


@table
def races(wrong, known, tallies):
    """Wrong runs by race and by build."""
    return _rows(RACES, wrong, known, tallies)


@table
def mended(wrong, known, tallies):
    """Wrong runs by cure and by build."""
    return _rows(CURES, wrong, known, tallies)


@figure(x="runs that lost something without the GIL")
def races_figure(wrong):
    return {race: wrong[FREE][race] for race in RACES}


def counted(wrong):
    return {build: wrong[build][COUNTER] for build in wrong}


@answer("races-without-the-gil")
def races_without_the_gil(back, held, wrong, calls_hold):
    """Those that were there all along: x += 1 in two threads ended wrong in
    {back.note} runs under CPython {known[no GIL][version]} without the lock,
    and in {held.note} with it. One call of a list or a dict (append,
    setdefault) lost nothing, and what a lock guards neither.
    """
    return back > held, calls_hold, [wrong[FREE][n].value == 0 for n in CURES]
