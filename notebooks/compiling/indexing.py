"""What *Why is indexing a NumPy array slow in Python?* concludes."""

import itertools
import math

from onthefly import figures
from onthefly.experiments.numba import accesses
from onthefly.experiments.numba.loops_then import NOW, THEN
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge
from onthefly.page.verdicts import unmeasured

# The talk's legend, slow to fast.
LEGEND = ("array, loop", "list, loop", "list, np.add", "list, compiled loop")
LEGEND += ("array, np.add", "array, compiled loop")


def each(seven, length):
    return {
        k: seven.seconds(f"{k}, loop") / length for k in ("list", "array")
    }


def raw(seven):
    return seven.ratio("array, loop", "array, compiled loop")


def over_add(seven):
    return seven.ratio("array, np.add", "array, compiled loop")


def slower(seven):
    return seven.ratio("array, loop", "list, loop")


def copied(seven):
    return seven.ratio("list, compiled loop", "list, loop")


def typed_gain(seven):
    return seven.ratio("list, compiled loop", "typed list, compiled loop")


@expect
def turned_round(seven, slower, raw):
    of_list, of_array = map(seven.seconds, (LEGEND[3], LEGEND[5]))
    return slower > 1.5, raw > 100, of_list > of_array


def _largest(quantities):
    return max(quantities, key=lambda q: q.value)


def span(swept, lengths):
    """Return (length, gain) where compiling gains least, and most."""
    gains = [(n, swept.ratio("loop", "compiled", n)) for n in lengths]
    gains.sort(key=lambda pair: pair[1].value)
    return {"least": gains[0], "most": gains[-1]}


def largest(swept, lengths):
    return _largest(swept.ratio("loop", "compiled", n) for n in lengths)


def in_turns(old, lengths):
    """Return the same by the software of 2018 and by today's."""
    ways = [
        (f"loop, array, {k}", f"compiled, array, {k}") for k in (THEN, NOW)
    ]
    return tuple(_largest(old.ratio(*w, n) for n in lengths) for w in ways)


@judge("numba-indexing-raw-factor")
def raw_factor(largest, in_turns=None):
    return [in_turns, (None, largest)]


def others(seven):
    factors = {k: seven.ratio(k, LEGEND[-1]) for k in LEGEND[:-1]}
    return ", ".join(
        f"{q.about} as fast as “{k}”" for k, q in factors.items()
    )


@judge("numba-indexing-actual-factor")
def actual_factor():
    """the compiled loop over an array is {others}"""
    return unmeasured("the slide does not say against what")


def _in_order(times, names, size=None):
    steps = itertools.pairwise(names)
    return Quantity.held(times.ratio(*step, size) > 1 for step in steps)


def order_here(seven):
    return _in_order(seven, LEGEND)


def order_in_turns(old, six, length):
    return tuple(
        _in_order(old, [f"{way}, {when}" for way in six], length)
        for when in (THEN, NOW)
    )


@judge("numba-six-way-indexing-order")
def six_way_order(order_here, order_in_turns=None):
    return [order_in_turns, (None, order_here)]


def parts(pieces, thousand):
    return {k: accesses.parts(pieces, k, 1000) for k in thousand}


def accounted(pieces, parts):
    whole = {k: pieces.seconds(f"{k}: all_three") / 1000 for k in parts}
    return {
        k: (sum(p.values()) / whole[k]).named("%") for k, p in parts.items()
    }


def times_as_long(parts):
    steps = ("read", "add", "write")
    return {k: parts["array"][k] / parts["list"][k] for k in steps}


@expect
def all_slower(times_as_long, accounted):
    whole = [(q > 0.6, q < 1.2) for q in accounted.values()]
    return [q > 1.2 for q in times_as_long.values()], whole


@figure(alt="A bar each for list and array, of the loop and three steps")
def parts_figure(parts):
    """Reading, adding and writing all take longer in an array than in a
    list.
    """
    shown = {
        k: {step: q.within(0, math.inf) for step, q in p.items()}
        for k, p in parts.items()
    }
    return figures.stacked(shown, x="time of an element")


def read(reads):
    loop = reads.seconds("the loop alone")
    return {k: (reads.seconds(k) - loop) / 1000 for k in reads.names[1:]}


@figure(x="time of a read, without the loop")
def reads_figure(read):
    return read


def boxing(read):
    return read["array of numbers"] - read["array of objects"]


def entry(read):
    return read["array of objects"] - read["list, no short cut"]


def short_cut(read):
    return read["list, no short cut"] - read["list"]


def shares(read, short_cut, entry, boxing):
    """Return how much of what an array's read takes longer is due to each."""
    longer = read["array of numbers"] - read["list"]
    costs = {"fast path": short_cut, "call": entry, "boxing": boxing}
    return {k: (cost / longer).named("%") for k, cost in costs.items()}


@judge("numpy-indexing-cost-cause")
def cost_cause(read, entry):
    dearer = read["array of numbers"] - read["list, no short cut"]
    return (entry / dearer).named("%")
