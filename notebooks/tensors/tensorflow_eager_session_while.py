"""What *Eager, Session, while_loop* concludes."""

from itertools import pairwise
from operator import eq

from onthefly import figures
from onthefly.experiments.tensorflow import printed
from onthefly.experiments.then import talks
from onthefly.kernels import z_score
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
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
    return estimate


def start(estimate, few):
    return {k: of[few] for k, of in estimate.items()}


def ahead(start):
    return start["eager"] / start["NumPy"]


def over(estimate, many):
    """Return {way: how many times as fast as NumPy it is}."""
    at_many = {k: of[many] for k, of in estimate.items()}
    return {k: at_many["NumPy"] / q for k, q in at_many.items()}


def gain(estimate, few, many):
    runs, turns = estimate["Session.run"], estimate["while_loop"]
    return {n: runs[n] / turns[n] for n in (few, many)}


def by_run(times, sizes):
    return {n: times.ratio("eager", "Session.run", n) for n in sizes}


def most(sizes):
    return sizes[-1]


def at_most(by_run, most):
    return by_run[most]


@answer("session-or-eager")
def session_or_eager(by_run, gain, few, many):
    """For an estimate of π by 100 shots a run of a session is
    {by_run[100].as_speed} eager execution, by a million shots
    {by_run[1000000].as_speed} it, and by {most:,} {at_most.as_speed} it. For
    small arrays put the loop into the graph as well: a turn of it is
    {gain[100].as_speed} a run of its own at 100 shots, and
    {gain[1000000].as_speed} one at a million.
    """
    return by_run[few] > 1, gain[few] > 5, gain[many] < 2


def arrays_new(new_pages, many):
    words = {0: "no new array", 1: "one new array"}
    pages = many * 4 // 4096  # single precision, 4 KiB
    return {
        k: words.get(round(n / pages), f"{n / pages:.0f} new arrays")
        for k, n in new_pages.items()
    }


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


def step(adding, lengths, steps):
    return {
        k: {n: adding.seconds(k, n) / steps for n in lengths}
        for k in adding.names
    }


def at_ten(step):
    return {k: of[10] for k, of in step.items()}


@figure
def add_figure(step, at_ten):
    labels = {"x": "elements", "y": "time of a step"}
    chart = figures.lines(step, **labels, time="y", better="less")
    chart.figure.axes[0].set_ylim(top=20 * at_ten["Session.run"].value)
    return chart


@expect
def unrolled_cheapest(at_ten):
    ways = ["Session.run", "eager", "while_loop", "unrolled graph"]
    return [at_ten[a] > at_ten[b] for a, b in pairwise(ways)]


def copies(adding, lengths):
    return adding.ratio("Session.run", "while_loop", lengths[-1])


@table
def nodes_table(made):
    """Additions built and run; arrays that came in and went out."""
    return [{"graph": graph} | found for graph, found in made.items()]


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


@table
def modes_table(modes):
    """The mode that follows."""
    return [
        {"statements": k or "(none)", "mode": v} for k, v in modes.items()
    ]


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
