"""What *Which TensorFlow mode is fastest: …?* concludes."""

from operator import eq

from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, figure, judge
from onthefly.page.verdicts import unmeasured


def _right(estimates, shots):
    return Quantity.share_of([z_score(pi, shots) < 5 for pi in estimates])


@judge("tf-appendix-listings-run")
def appendix_runs(answers, branches, many, as_printed=None):
    names = "eager", "Session.run", "whole loop"
    today = [*(answers[name] for name in names), branches]
    then = as_printed and _right(as_printed.values(), 10**5)
    return then, _right(today, many)


@judge("eager-cpu-against-pytorch-cpu")
def against_pytorch(good):
    late = "PyTorch, slow to load, joins from preset M on"
    return Quantity.share_of(good) if good else unmeasured(late)


def estimate(times, turns, sizes):
    """Return {way: {shots: time of one estimate}}."""
    found = {k: {n: times.seconds(k, n) for n in sizes} for k in times.names}
    whole = found.pop("whole loop")
    return found | {"while_loop": {n: q / turns(n) for n, q in whole.items()}}


@figure(x="shots", y="time of an estimate", time="y", better="less")
def ways_figure(estimate):
    """One estimate of π by each mode; `while_loop` is one iteration."""
    return estimate


def start(estimate, few):
    return {k: of[few] for k, of in estimate.items()}


def ahead(start):
    return start["eager"] / start["NumPy"]


def over(estimate, many):
    """Return {mode: how many times faster than NumPy it is}."""
    at_many = {k: of[many] for k, of in estimate.items()}
    return {k: at_many["NumPy"] / q for k, q in at_many.items()}


def gain(estimate, few, many):
    runs, turns = estimate["Session.run"], estimate["while_loop"]
    return {n: runs[n] / turns[n] for n in (few, many)}


def by_run(times, few, many):
    return {n: times.ratio("eager", "Session.run", n) for n in (few, many)}


@answer("session-or-eager")
def session_or_eager(by_run, gain, few, many):
    """Run a graph where speed counts: a session's run is
    {by_run[100].about} faster than eager execution at 100 shots, and
    {by_run[1000000].about} faster at a million. For small arrays put the loop
    into the graph as well.
    """
    return by_run[few] > 1, by_run[many] > 1, gain[few] > 5


@judge("eager-on-atom-n3150")
def on_atom(over, book):
    """Here, by today's software, eager is {over[eager].about} the speed of
    NumPy.
    """
    is_atom = "N3150" in book.machine["cpu"]
    return over["eager"] if is_atom else unmeasured("needs an Atom N3150")


@judge("add-three-times-four-ways")
def four_ways(threes, graph_ways, added_then=None):
    texts = [talks.text(added_then, "1.4", way) for way in graph_ways]
    texts += [talks.text(added_then, "1.5", "add_in_eager")]
    then = added_then and Quantity.share_of(
        [printed.parts(text)["value"] == ["3.0"] * 10 for text in texts]
    )
    return then, Quantity.share_of([*threes.values()][:4])


def left(made):
    return made["unrolled, N = 1000"]["additions run"]


@judge("graph-python-loop-unrolls")
def unrolls(made, built_then=None):
    said = [3, 1000, 1, 100, 1]
    built = [made[k]["additions built"] for k in made if "runs of" not in k]
    then = built_then and Quantity.share_of([*map(eq, built_then, said)])
    return then, Quantity.share_of([*map(eq, built, said)])


def carried(made, steps):
    """Return whether arrays cross at each run, and once for a loop."""
    cases = {"50 runs of one step": steps, "while_loop, N = 50": 1}
    return [
        made[k]["arrays in"] == made[k]["arrays out"] == n
        for k, n in cases.items()
    ]


@judge("session-run-crosses-per-iteration")
def crosses(carried):
    return Quantity.share_of(carried)


def modes_then(entered_1_9):
    return [tuple(entered_1_9[mode]) for mode in ("eager", "graph")]


def _macro(modes):
    """Return whether Python enters each call eagerly, and one in a graph."""
    return Quantity.share_of([modes[0] == (3, 3), modes[1] == (1, 3)])


@judge("tf-eager-executor-graph-macro")
def graph_macro(plain, wrapped, modes_then=None):
    return modes_then and _macro(modes_then), _macro([plain, wrapped])


@judge("special-control-functions")
def control_functions(same):
    return Quantity.share_of(same)


@judge("tf-graph-control-flow")
def control_flow(control_forms):
    return Quantity.share_of(
        [bool(nodes) for nodes in control_forms.found().values()]
    )


def took(grid):
    return {name: grid.seconds(name) for name in grid.names}


def turn(took):
    return took["100 turns, GPU"] / 100


@judge("session-gpu-against-numpy")
def gpu_against_numpy(took):
    return took["NumPy"] / took["run, GPU"]


@judge("session-gpu-against-session-cpu")
def gpu_against_cpu(took):
    return took["run, CPU"] / took["run, GPU"]


@judge("while-gpu-against-numpy")
def while_against_numpy(took, turn):
    return took["NumPy"] / turn


@judge("while-gpu-against-session-gpu")
def while_against_session(took, turn):
    return took["run, GPU"] / turn


@judge("eager-and-session-transfer-counts")
def transfer_counts():
    return unmeasured("nothing counts the copies yet")


@judge("tf-graph-slower-than-pytorch")
def slower_than_pytorch():
    return unmeasured("nothing times both graphs beside PyTorch yet")


@judge("tf-eager-needs-first-call")
def first_call(modes, in_1_9, then_modes):
    wrong = in_1_9 and then_modes.not_as_said(in_1_9)
    then = in_1_9 and Quantity.share_of(
        [program not in wrong for program in in_1_9]
    )
    return then, Quantity.share_of([modes[""] == "graph"])


@judge("tf-two-pip-packages")
def packages_decide(cuda, kind):
    return Quantity.share_of([cuda == (kind == "GPU")])


def _modes(pair):
    return Quantity.exact(sum(ran == 3 for _, ran in pair))


@judge("tf-four-execution-modes")
def execution_modes(plain, wrapped, modes_then=None):
    return modes_then and _modes(modes_then), _modes([plain, wrapped])


@judge("tf-eager-version-history")
def version_history():
    # The preview, out of contrib, and AVX, read as in the wheels.
    said, noted = ["1.5", "1.7", "1.8"], ["1.5", "1.7", "1.6"]
    return Quantity.share_of([*map(eq, said, noted)])
