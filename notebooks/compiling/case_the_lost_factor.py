"""What *The lost factor* concludes."""

from onthefly import figures
from onthefly.experiments.numba.stacks import WAYS
from onthefly.page import expect, figure, judge, table
from onthefly.page.missing import Missing


def then(stack):
    return stack.ratio("Python, then", "Numba, then")


def now(stack):
    return stack.ratio("Python, now", "Numba, now")


def python_part(stack):
    return stack.ratio("Python, then", "Python, now")


def numba_part(stack):
    return stack.ratio("Numba, now", "Numba, then")


def repaired(stack):
    return stack.ratio("Numba, now", "forced, now")


def restored(stack):
    return stack.ratio("forced, now", "Numba, then")


@expect
def both_moved(then, now, python_part, numba_part):
    return then > now, python_part > 1, numba_part > 1


@judge("numba-jit-against-python")
def against_python(then, now):
    return then, now


def shot(stack):
    return {name: stack.seconds(name) / 10**5 for name in stack.names}


@figure(x="time of a shot")
def headline(shot):
    return {
        "Numba 0.38, 2018": shot["Numba, then"],
        "Numba today": shot["Numba, now"],
        "today, forceinline=True": shot["forced, now"],
    }


@figure(x="time of a shot")
def then_and_now_figure(shot):
    order = [f"{way}, {k}" for way in WAYS for k in ("then", "now")]
    return {name: shot[name] for name in order}


@table
def instructions(others):
    """Instructions of a shot."""
    return others or Missing("no machine has counted them")


def taken(stack):
    """Return what was counted of a shot, by loop."""
    loops = ("Numba, then", "Numba, now", "forced, now")
    if not all(stack.series(loop).counts for loop in loops):
        return Missing("no instructions were counted")
    kinds = ("instructions", "state lookup")
    return {way: {k: stack.count(k, way) for k in kinds} for way in loops}


@expect
def fewer(taken):
    then, now = taken["Numba, then"], taken["Numba, now"]
    lookups = then["state lookup"] < 1, now["state lookup"] > 1
    return then["instructions"] < now["instructions"], lookups


def at_limit(sweep):
    return {n: sweep.seconds("hits", n) / 10**5 for n in sweep.sizes("hits")}


def jump(at_limit):
    return at_limit[250] / at_limit[275]


@expect
def jumps(at_limit, jump):
    ends = at_limit[225] / at_limit[250], at_limit[275] / at_limit[300]
    return jump > 1.3, [end < 1.25 for end in ends]


@figure
def limits_figure(at_limit):
    chart = figures.lines(
        {"hits": at_limit},
        x="limit of what is inlined",
        y="time of a shot",
        time="y",
        logx=False,
        logy=False,
        marks=[(250, "LLVM's limit"), (275, "Numba's, to 0.61")],
    )
    chart.figure.axes[0].set_ylim(0, 1.25 * at_limit[250].value)
    return chart


def gains(repair):
    names = repair.names[1:]
    return {k: repair.ratio("as it is", k, 10**5) for k in names}


@expect
def part_of_it(gains):
    lookup, forced, *_ = gains.values()
    return lookup > 1, forced / lookup > 1


@figure(x="times as fast as the loop that calls", reference=1)
def repairs_figure(gains):
    return gains
