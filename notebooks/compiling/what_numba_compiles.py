"""What *Which Python does Numba compile?* concludes."""

import itertools

from onthefly.experiments.numba import outcomes, targets
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, judge, table
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured

SAID = {"class", "try", "except", "with", "yield"}  # the talk: not compiled


def count(probed):
    return sum(map(len, probed["now"].values()))


def compiling(probed, count):
    groups = probed["now"].values()
    return count - sum(len(outcomes.refused(group)) for group in groups)


def statements(probed):
    """Return the statements and expressions that are refused."""
    return outcomes.refused(probed["now"]["language"])


def silently(probed):
    """Say that `async def` is a plain one, where its call gives a number."""
    plain = "Literal[int]" in probed["now"]["language"]["async def"]
    return (
        " The test of async def fails because Numba compiles it as a plain"
        " def, whose call returns no coroutine." * plain
    )


def refused_statements(statements, silently):
    left = [k for k in statements if not (silently and k == "async def")]
    return "; ".join("del of a name" if k == "del" else k for k in left)


def compile_today(statements):
    return ", ".join(sorted(SAID - set(statements)))


@expect
def as_listed(statements):
    compiled = not {"for", "while", "if", "try", "yield"} & set(statements)
    return {"class", "with"} <= set(statements), compiled


@expect
def try_compiles(statements):
    compiled = not {"try", "except", "yield"} & set(statements)
    return {"class", "with"} <= set(statements), compiled


@judge("numba-language-coverage")
def coverage(probed):
    held = {
        k: outcomes.as_said(v["language"], SAID) for k, v in probed.items()
    }
    shares = {k: Quantity.share_of(v.values()) for k, v in held.items()}
    return shares.get("then"), shares["now"]


@answer("what-numba-refuses")
def what_is_refused(as_listed):
    """These statements and expressions: {refused_statements}.{silently} Take
    what Numba refuses out of the loop, and compile the rest. Loops,
    branches, functions, `try` and generators compile. So do {compiling} of
    our {count} tests of Python and NumPy.
    """
    return as_listed


@expect
def draws_numpys(same):
    return [
        same["np.random.seed inside"],
        same["a Generator as argument"],
        not same["np.random.seed outside"],
        not same["random.seed inside"],
    ]


@answer("same-random-numbers")
def same_random_numbers(draws_numpys):
    """Yes, if you call `np.random.seed` inside the compiled function, or pass
    it a `np.random.Generator`. Seeds that are set outside do not reach it,
    and Python's `random` has other numbers there.
    """
    return draws_numpys


def _table(group, label):
    def rows(probed):
        return outcomes.rows(probed["now"][group])

    rows.__doc__ = label
    return table(rows)


def _judge(claim, group):
    @judge(claim)
    def judged(probed):
        shares = {k: _share(groups[group]) for k, groups in probed.items()}
        return shares.get("then"), shares["now"]

    return judged


def _share(group):
    asked = {k: v for k, v in group.items() if v not in outcomes.UNASKED}
    return outcomes.share(asked)


language = _table("language", "Statements")
call_forms = _table("call forms", "Call forms")
builtins = _table("built-ins", "Built-in functions")
methods = _table("NumPy methods", "Methods of arrays")
modules = _table("modules", "Modules")
of_forms = _judge("numba-call-forms", "call forms")
of_builtins = _judge("numba-builtins-coverage", "built-ins")
of_methods = _judge("numba-numpy-methods-coverage", "NumPy methods")
of_modules = _judge("numba-modules-coverage", "modules")


@table
def since_2018(since):
    """Probes that changed since 2018."""
    return since or Missing("not asked yet")


def object_slower(modes):
    return modes.ratio("object mode", "Python", 100)


def while_gain(modes):
    return modes.ratio("Python", "njit", 100)


def half(taken):
    return taken.ratio("all in Python", "compiled generator", 1000)


def full(taken):
    return taken.ratio("all in Python", "all compiled", 1000)


@judge("numba-targets")
def of_targets(units, shared, lack):
    if lack:
        return unmeasured(f"not measured here: {lack}")
    wanted = {unit: bits for unit, (*_, bits) in targets.UNITS.items()}
    found = [shared, *(units[unit] == bits for unit, bits in wanted.items())]
    return Quantity.share_of(found)


def steps(four, ways, shots):
    return {
        f"{fast} over {slow}": four.ratio(slow, fast, shots)
        for slow, fast in itertools.pairwise(ways)
    }


@judge("numba-ranking")
def ranking(steps):
    return Quantity.held(q > 1 for q in steps.values())


def gains(advice, steps, while_gain):
    return {
        "nogil functions in two threads": advice.ratio(
            "with the GIL", "nogil"
        ),
        "a for loop": steps["CPU over Python"],
        "a while loop": while_gain,
        "indexing": advice.ratio("index, Python", "index"),
    }


@judge("numba-advice")
def of_advice(gains):
    return Quantity.held(q > 1.2 for q in gains.values())
