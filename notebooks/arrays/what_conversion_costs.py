"""What *What does converting lists, arrays and tensors cost?* concludes."""

from onthefly import figures
from onthefly.experiments.choice import conversions
from onthefly.measure import models
from onthefly.page import answer, expect, figure, table

LEAST = 1e-11  # seconds a number; a copy takes more


def laws(there, back, sizes):
    return {
        name: models.line(sizes, [times.seconds(name, n) for n in sizes])
        for times in (there, back)
        for name in times.names
    }


def in_one_place(laws, shared):
    return {k: k in shared and shared[k][0] for k in laws}


@table
def costs(laws, in_one_place):
    """What a conversion costs, a + b·n, and who shares memory."""
    return [
        {
            "conversion": k,
            "overhead of a call, a": f["a"].short,
            "time of a number, b": f["b"].short
            if f["b"] > LEAST
            else "< 0.01 ns",
            "same memory": "yes" if in_one_place[k] else "no",
        }
        for k, f in laws.items()
    ]


@expect
def sharing_copies_nothing(laws, in_one_place):
    return [
        f["b"] < LEAST if in_one_place[k] else f["b"] > LEAST
        for k, f in laws.items()
    ]


@expect
def lists_slowest(laws):
    lists = ("list to array", "array to list")
    others = [f["b"] for k, f in laws.items() if k not in lists]
    return [laws[k]["b"] > b for k in lists for b in others]


def both_ways(laws):
    return laws["list to array"]["b"] + laws["array to list"]["b"]


def free(there):
    return there.ratio("array to TensorFlow", "array to PyTorch", 100_000)


def as_with_ten(there):
    few, many = (there.seconds("array to PyTorch", n) for n in (10, 100_000))
    return few / many


def faster(straight):
    return {k: straight.ratio("np.asarray", k) for k in straight.names[1:]}


@figure(x="time a number", log=True, better="less")
def straight_figure(straight):
    return {k: straight.seconds(k) / 10_000 for k in straight.names}


def parts(steps, some):
    return conversions.parts(steps, len(some))


def totals(parts):
    return {way: sum(each.values()) for way, each in parts.items()}


def by_list(parts):
    return {
        way: each["list to array"] + each["array to list"]
        for way, each in parts.items()
        if way != "Python"
    }


def of_lists(by_list, totals):
    return {way: (q / totals[way]).named("%") for way, q in by_list.items()}


@figure(alt="time a number with each library, step by step")
def steps_figure(parts):
    """The cubic, from list to list."""
    return figures.stacked(parts, x="time a number")


def eaten(parts, by_list):
    saved = parts["Python"]["compute"] - parts["NumPy"]["compute"]
    return (by_list["NumPy"] / saved).named("%")


def gain(totals):
    return totals["Python"] / totals["NumPy"]


@figure(x="numbers", y="times faster than Python's loop")
def pays_figure(factors):
    """From list to list: above 1, the detour by an array pays."""
    return factors


def factors(pays, few):
    return {
        k: {n: pays.ratio(f"{k}, Python", f"{k}, by arrays", n) for n in few}
        for k in ("cubic", "addition")
    }


def crossing(pays, few):
    slow, fast = (
        models.line(few, [pays.seconds(f"cubic, {k}", n) for n in few])
        for k in ("Python", "by arrays")
    )
    return models.crossing(slow, fast)


def pays_from(crossing):
    if crossing is None:
        return "at no size"
    return crossing.worded(f"from about {crossing.value:.0f} numbers on")


@answer("data-in-lists")
def data_in_lists(crossing, gain, factors, eaten):
    """Yes, where the work at each number is enough: a cubic by NumPy, from
    list to list, pays {pays_from}, and at 30,000 it is {gain.about} faster
    than Python's loop. A single addition does not pay, so convert once, where
    the numbers are read.
    """
    addition = factors["addition"][10_000]
    return crossing is not None, gain > 1, addition < 1, eaten > 0.1
