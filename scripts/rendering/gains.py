"""What each method gains over Python in eight loops, on the first page.

A table for each of a few lengths of a call; a row a problem, a column a
method.  The reader chooses the length by radio buttons, which need no script.
"""

import html
import math

from onthefly.kernels.problems import PROBLEMS
from onthefly.measure.quantity import INTERVAL
from onthefly.predict import prediction
from onthefly.terminal.words import counted
from rendering.linked import link

# {seconds that a call of Python's loop takes: as a reader would say it}
CALLS = {1e-4: "0.1 ms", 1e-3: "1 ms", 1e-2: "10 ms", 1e-1: "100 ms"}
SHOWN = 1e-2  # first, and where there are no styles
# {method: its head, the page that has more of it}
METHODS = {
    "NumPy": ("NumPy", "whole-arrays"),
    "routine": ("library routine", "eight-problems"),
    "Numba": ("Numba", "one-decorator"),
    "Numba, prange": ("Numba, all cores", "prange-or-a-pool"),
    "JAX": ("JAX", "eight-problems"),
    "processes": ("processes", "how-many-workers"),
}
BUILT = {  # what a compiler makes before the program runs
    "Cython": ("Cython", "compiled-ahead"),
    "C": ("C", "c-extension"),
}
STEPS = (0.9, 1.1, 3, 10, 30, 100)  # gains at which the colour changes


def tables(every, origin):
    """Return the tables as HTML.

    every   {problem: Choices} of a machine
    origin  whose measurements they are, in words
    """
    cores = counted(next(iter(every.values())).workers, "cores")
    parts = [
        '<div class="otf-gains" role="group" aria-label="'
        'How many times faster each method is than plain Python">',
        "<p>How many times faster than plain Python, if a call of the "
        "Python loop takes</p>",
    ]
    for number, (seconds, said) in enumerate(CALLS.items()):
        checked = " checked" * (seconds == SHOWN)
        parts.append(
            f'<input type="radio" name="otf-gains" id="otf-gains-{number}"'
            f'{checked}><label for="otf-gains-{number}">{said}</label>'
        )
    parts += [_table(every, number) for number in range(len(CALLS))]
    parts.append(
        f'<p class="otf-gains-about">Measured on {html.escape(origin)}, '
        f"{cores}. Warm calls: libraries are imported, code is compiled, and "
        "data are in the form that the method takes. Times of calls longer "
        "than those measured are predicted from these. A dash: no "
        f"measurement. Point at a number for its {INTERVAL}; on a narrow "
        "screen, scroll to the right.</p></div>"
    )
    return "\n".join(parts)


def _table(every, number):
    seconds, said = list(CALLS.items())[number]
    head = "".join(_head(*one) for one in (METHODS | BUILT).values())
    rows = "".join(
        f'<tr><th scope="row">{html.escape(PROBLEMS[name].title)} '
        f"<small>{_length(choices, seconds)}</small></th>"
        f"{_cells(choices, seconds)}</tr>"
        for name, choices in every.items()
    )
    return (
        f'<div class="otf-scroll otf-gains-of-{number}"><table>'
        f"<caption>A call of Python's loop takes {said}</caption>"
        f'<thead><tr><td></td><th colspan="{len(METHODS)}" scope="colgroup">'
        f'on the fly</th><th colspan="{len(BUILT)}" scope="colgroup">needs a '
        f"build</th></tr><tr><td></td>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _head(said, slug):
    return f'<th scope="col">{link(slug, said)}</th>'


def _length(choices, seconds):
    """Return how much a call works on, in two digits and its unit."""
    size = prediction.size_of(choices.costs["Python"].all_, seconds)
    return counted(
        round(size, 1 - math.floor(math.log10(size))), choices.problem.unit
    )


def _cells(choices, seconds):
    return "".join(
        _cell(choices, method, seconds, slug)
        for method, (_, slug) in (METHODS | BUILT).items()
    )


def _cell(choices, method, seconds, slug):
    if method not in choices.costs:
        return "<td>–</td>"
    size = prediction.size_of(choices.costs["Python"].all_, seconds)
    gain = prediction.gain_at(choices, method, seconds)
    step = sum(gain.value >= least for least in STEPS)
    about = f' title="{html.escape(str(gain))}, n = {size:,}"'
    cell = link(slug, gain.about, about)
    if method == "routine":
        name = choices.problem.routine.rpartition(".")[2]
        cell += f"<small>{html.escape(name)}</small>"
    return f'<td class="otf-gain-{step}">{cell}</td>'
