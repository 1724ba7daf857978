"""The report as one HTML page that needs no other file."""

import re

from confirming.compiled import NJIT
from confirming.found import PAYS
from confirming.numbers import count, share, sizes_of
from confirming.tables import side_by_side, tables
from confirming.threads import judge
from confirming.words import findings
from onthefly import figures, timings
from onthefly.page import machine_line
from onthefly.quantity import INTERVAL
from reporting.document import document, summary, text


def _cost(found):
    """Return the figure of time against size."""
    sizes = found.sizes
    ends = " and ".join(
        f"{found.seconds[n].short} at n = {count(n)}"
        for n in sorted({sizes[0], sizes[-1]})
    )
    fit = found.fit
    name = "as it is"
    said = "too few sizes for a fit"
    if fit:
        off = share(fit.worst)
        said = f"the fit a + b·n (dashed) is off by at most {off}"
    lines, fast = {name: found.seconds}, found.compiled
    if fast.gains:
        lines["numba.njit"] = {
            n: fast.times.seconds(NJIT, n) for n in fast.gains
        }
        most = max(fast.gains)
        said += f"; compiled it is {fast.gains[most].short} as fast"
        said += f" at n = {count(most)}"
    return figures.as_html(
        figures.lines(
            lines,
            x="size n",
            y="time a call",
            time="y",
            fits={name: fit} if fit else None,
        ),
        "cost",
        alt=f"Time of a call against its size: {ends}; {said}",
        caption=f"A call takes {ends}; {said}.",
    )


def _by_size(found):
    """Return the figure of the speed-up against size; "" for one size."""
    if len(found.best) < 2:
        return ""
    verdict, _ = judge(found)
    apart = ""
    if found.best_apart:
        most = max(found.best_apart)
        count_, speed = found.best_apart[most]
        apart = f"; {count_} processes {speed.short} at n = {count(most)}"
    marks = []
    if found.pays_from not in (None, min(found.best)):
        marks = [(found.pays_from, "threads pay")]
    lines = {f"{k} threads": found.speeds[k] for k in found.counts[:4]}
    lines |= {
        f"{k} processes": found.apart[k]
        for k in list(found.apart)[-3:]
        if len(found.best_apart) > 1
    }
    chart = figures.lines(
        lines,
        x="size n",
        y="speed-up over one",
        logy=False,
        marks=marks,
    )
    chart.figure.axes[0].axhline(
        1, color=figures.INK, linewidth=1, linestyle="--"
    )
    return figures.as_html(
        chart,
        "size",
        alt=f"Speed-up of calls as tasks against size: {verdict}{apart}",
        caption=f"{verdict[0].upper()}{verdict[1:]}{apart}; above the dashed "
        "line several are faster than one.",
    )


def _by_threads(found):
    """Return the figure of the speed-up against threads."""
    reports = side_by_side(found)
    most = found.counts[-1]
    ends = ", ".join(
        f"{name} {r.speedups[most].short}" for name, r in reports.items()
    )
    return figures.as_html(
        figures.speed_against_threads(
            {name: r.speedups for name, r in reports.items()},
            found.machine["cores"]["usable"],
        ),
        "threads",
        alt=f"Speed-up against threads; in {most} threads: {ends}",
        caption=f"In {most} threads, calls within the threads: {ends}.",
    )


def page(found):
    """Return the report as one HTML page that needs no other file."""
    numbers = "".join(
        f"<h3>{text(title)}</h3>{timings.table(head, rows, title)}"
        for title, head, rows in tables(found)
    )
    packages = ", ".join(
        f"{name} {version}"
        for name, version in found.machine["packages"].items()
    )
    target = text(found.request.target)
    title = re.sub("([.:/])", r"\1<wbr>", target)  # where a phone breaks it
    request = found.request
    asked = (
        f"sizes {sizes_of(request.sizes)}; threads "
        f"{', '.join(map(str, request.threads))}; budget "
        f"{request.budget:g} s; seed {request.seed}"
    )
    body = f"""<h1>{title}</h1>
<p class="quiet">Measured on {text(found.machine["slug"])}:
{text(machine_line(found.machine))}.</p>
{summary(findings(found))}
<h2>Figures</h2>
{_cost(found)}{_by_size(found)}{_by_threads(found)}
<h2>Numbers</h2>
{numbers}
<h2>How</h2>
<p>Calls, sizes and thread counts are measured in turn, in rounds of random
order; medians of the rounds, with their {INTERVAL}. The nogil fraction is
f in s = 1/((1−f) + f/min(N, M)), fitted to the speed-ups s of N threads on
M usable cores. Threads pay from the smallest size where the speed-up is above
{PAYS:g}× with its whole interval, if it is above that at every larger size
tried; so for processes, whose tasks take their arguments along. numba.njit
and the plain function take turns, too, in a process of their own. The
verdict compares all at the largest size at which each was tried. What the
function is like rests on the cost of an element and the gain by Numba, as
measured of it and of each of the eight problems, and on what the sources
show, to equal parts.</p>
<p class="quiet">Asked: {text(asked)}.<br>
Packages: {text(packages)}.<br>Thread pools loaded:
{text("; ".join(found.machine["pools"]) or "none")}.</p>"""
    heading = f"{request.target}: what it costs, and what would gain"
    return document(heading, body)
