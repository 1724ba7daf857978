"""What *Why is `random.random()` slow in a Numba loop?* concludes."""

from onthefly import figures
from onthefly.page import expect, figure, judge, table
from onthefly.page.missing import Missing

LOOPS = {
    "Numba, then": "Numba 0.38, of 2018",
    "Numba, now": "current Numba",
    "forced, now": "current, forceinline=True",
}


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


@figure(x="time per point")
def headline(shot):
    return {shown: shot[loop] for loop, shown in LOOPS.items()}


@table
def then_and_now(shot, then, now):
    """Time per point, and what compiling gains."""
    gains = {"then": then, "now": now}
    return [
        {
            "software": software,
            "Python": shot[f"Python, {k}"].short,
            "Numba": shot[f"Numba, {k}"].short,
            "gain": gains[k].short,
        }
        for k, software in {"then": "of 2018", "now": "current"}.items()
    ]


def taken(stack):
    """Return what was counted of a point, by loop."""
    if not all(stack.series(loop).counts for loop in LOOPS):
        return Missing("no instructions were counted")
    kinds = ("instructions", "state lookup")
    return {way: {k: stack.count(k, way) for k in kinds} for way in LOOPS}


@table
def instructions(taken):
    """Instructions executed per point."""
    return [
        {
            "loop": LOOPS[way],
            "instructions": q["instructions"].short,
            "of these, to look up the generator's state": q[
                "state lookup"
            ].short,
        }
        for way, q in taken.items()
    ]


@expect
def fewer(taken):
    old, new, forced = taken.values()
    alike = forced["instructions"] / old["instructions"]
    lookups = [q["state lookup"] for q in taken.values()]
    return (
        [old["instructions"] < new["instructions"], alike < 1.1],
        [lookups[0] < 1, lookups[1] > 1, lookups[2] < 1],
    )


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
        y="time per point",
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
    return lookup > 1, forced / lookup > lookup


@figure(x="times faster than the loop as it is", reference=1)
def repairs_figure(gains):
    """Five repairs, all with current Numba."""
    return gains
