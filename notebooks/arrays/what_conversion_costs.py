"""What *What conversion costs* concludes."""

from onthefly import figures
from onthefly.experiments.choice import conversions
from onthefly.measure import models
from onthefly.page import answer, figure, table


def laws(there, back, sizes):
    return {
        name: models.line(sizes, [times.seconds(name, n) for n in sizes])
        for times in (there, back)
        for name in times.names
    }


@table
def costs(laws):
    """What a conversion costs: a + b·n."""
    return [
        {"way": k, "a call, a": f["a"].short, "each number, b": f["b"].short}
        for k, f in laws.items()
    ]


def both_ways(laws):
    return laws["list to array"]["b"] + laws["array to list"]["b"]


@table
def who_shares(shared):
    """Who shares memory with whom."""
    return [
        {
            "way": k,
            "same address": "yes" if same else "no",
            "a write shows": w,
        }
        for k, (same, w) in shared.items()
    ]


def free(there):
    return there.ratio("array to TensorFlow", "array to PyTorch", 100_000)


def as_with_ten(there):
    few, many = (there.seconds("array to PyTorch", n) for n in (10, 100_000))
    return few / many


def copied(luck, lengths):
    return {n: luck.ratio("beside it", "on a line", n) for n in lengths}


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


@figure(alt="time a number of each way, step by step")
def headline(parts):
    """The cubic, from list to list."""
    return figures.stacked(parts, x="time a number")


def eaten(parts, by_list):
    saved = parts["Python"]["compute"] - parts["NumPy"]["compute"]
    return (by_list["NumPy"] / saved).named("%")


def gain(totals):
    return totals["Python"] / totals["NumPy"]


def operations(parts, by_list):
    one = parts["Python"]["compute"] / 6
    return (by_list["NumPy"] / one).named("")


@figure(x="numbers", y="times as fast as Python's loop")
def pays_figure(factors):
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
    """For enough work at each number: a cubic by NumPy, from list to list,
    pays {pays_from} and is {gain.as_speed} Python's loop at 30,000, though
    conversion eats {eaten.about} of what the arrays save. A mere addition is
    {factors[addition][10000].as_speed} Python's, in a list of 10,000; so
    convert once, where the numbers are read.
    """
    addition = factors["addition"][10_000]
    return crossing is not None, gain > 1, addition < 1, eaten > 0.1
