"""What the page on the optimiser of TensorFlow's graphs concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table


@table
def nodes_table(kinds):
    """Nodes of the function, by kind."""
    return kinds


def nodes(kinds):
    return {k: sum(row[k] for row in kinds) for k in ("written", "runs")}


@table
def passes_table(kinds_left):
    """Nodes that are left, by the passes that are on."""
    watched = "Sqrt", "Sin", "Mul", "AddV2", "Const"
    return [
        {"pass": name.replace("_", " "), "nodes": len(nodes)}
        | {kind: nodes.count(kind) for kind in watched}
        for name, nodes in kinds_left.items()
    ]


@expect
def each_removes(kinds_left, optimiser):
    folding, arithmetic = (kinds_left[name] for name in optimiser.PASSES)
    sines = folding.count("Sin") == 2, arithmetic.count("Sin") == 1
    return "Sqrt" not in folding, "Sqrt" in arithmetic, sines


@judge("graphs-are-optimizable-folding")
def constant_folding(held):
    return Quantity.share_of(held)


def off(switch):
    return {
        function.__name__: times.ratio("off", "Grappler")
        for function, times in switch.items()
    }


@table
def kernels_table(kernels):
    """Operations that a call runs."""
    return [{"function": f} | run for f, run in kernels.items()]


@expect
def each_alone(kernels):
    return [
        run["neither"] > max(v for k, v in run.items() if k != "neither")
        for run in kernels.values()
    ]


def gains(solved, repeated, optimiser):
    _, *names = optimiser.Ways.NAMES
    return {
        f"{f}, {name}": times.ratio("neither", name)
        for f, times in (("solve", solved), ("twice", repeated))
        for name in names
    }


@figure(x="gain over no optimiser", reference=1)
def gains_figure(gains):
    return gains
