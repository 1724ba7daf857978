"""The map: who wins at a size, for so many calls, on so many cores, and why.

One table for each number of cores.  A tile that is not resolved, or lies
beyond what was measured, has no winner: it says what would find one.
"""

import html

from choosing import kept, words
from onthefly.experiments.choice.problems import KINDS

SIZES = (10, 1000, 10**5, 10**7)
CALLS = (1, 1000, 10**6)
CORES = (1, 4, 16)  # beside the machine's own

TILE = "<b>{way}</b> {gain}<br><small>{small}</small>"
TABLE = """\
<div class="otf-scroll" tabindex="0" role="region" aria-label="{label}">
<table class="otf-table otf-map"><thead><tr><th scope="col">{unit}</th>{head}
</tr></thead><tbody>{body}</tbody></table></div>"""


def tables(every, here, problem):
    """Return the map of a problem as HTML: this machine's, others folded.

    every  {machine: {name of a problem: Choices}}
    here   name of the machine whose map comes first

    No way on a device is in, but in a table of its own, "with the GPU".
    """
    own = every[here][problem]
    parts = [_table(own, own.workers)]
    if any(KINDS[way].library for way in own.costs):
        cores = words.counted(own.workers, "cores")
        table = _table(own, own.workers, device=True)
        parts.append(_folded(f"{cores}, with the GPU", table))
    for workers in sorted({*CORES} - {own.workers}):
        choices, machine = kept.for_cores(every, here, problem, workers)
        title = _title(choices, machine, here, workers)
        parts.append(_folded(title, _table(choices, workers)))
    return "\n".join(parts)


def _folded(title, table):
    """Return a table that its title unfolds, as HTML."""
    return (
        f'<details class="otf-data"><summary>{html.escape(title)}'
        f"</summary>{table}</details>"
    )


def _title(choices, machine, here, workers):
    """Say of how many cores a table is, and whose numbers it has."""
    cores = words.counted(workers, "cores")
    if machine != here:
        return f"{cores}: recorded, {choices.found.origin}"
    if workers > choices.workers:
        return f"{cores}: predicted from 1 and {choices.workers}"
    return cores


def _table(choices, workers, device=False):
    head = "".join(
        f'<th scope="col">{words.counted(calls, "calls")}</th>'
        for calls in CALLS
    )
    body = "".join(
        f'<tr><th scope="row">{n:,}</th>'
        + "".join(
            f"<td>{_tile(choices, n, calls, workers, device)}</td>"
            for calls in CALLS
        )
        + "</tr>"
        for n in SIZES
    )
    about = [choices.problem.name, words.counted(workers, "cores")]
    table = TABLE.format(
        label=", ".join(about + ["with the GPU"] * device),
        unit=choices.problem.unit.capitalize(),
        head=head,
        body=body,
    )
    legend = html.escape(words.legend(choices))
    marked = words.EXTRAPOLATED in body
    return table + f"<p><small>{legend}</small></p>" * marked


def _tile(choices, n, calls, workers, device):
    """Return one tile: the winner, its gain, and which part of it decides."""
    options = {"calls": calls, "workers": workers, "device": device}
    best = choices.winner(n, **options)
    preset = choices.found.preset
    if best.beyond:
        what = words.further(preset, n)
        if not any(choices.beyond(k, n) for k in (best.way, *best.rivals)):
            what = f"it had {words.counted(choices.workers, 'cores')}"
        return f"<small>not measured: {what}</small>"
    if best.rivals:
        rivals = html.escape(words.left_open(choices, best))
        least = words.least_gain(choices, best, n, **options)
        mark = words.guessed(choices, best.way, n)
        gain = f"; {least.short}{mark} or more" if least else ""
        return f"<small>{rivals}: {words.again(preset)}{gain}</small>"
    way = html.escape(words.name(choices, best.way))
    why = words.decides(choices, best, n, **options)
    if best.way == "Python" or not best.gain:
        return TILE.format(way=way, gain="", small=why)
    return TILE.format(
        way=way,
        gain=best.gain.short + words.guessed(choices, best.way, n),
        small="; ".join(filter(None, [best.gain.interval, why])),
    )
