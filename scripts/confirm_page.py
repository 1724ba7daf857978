"""What confirm.py says of a function: in words, in tables, on a page."""

import html
import re
import statistics

from onthefly import figures, timings
from onthefly.experiments.gil import nogil
from onthefly.page import machine_line
from onthefly.quantity import Quantity

# Colours of the book; text and axes of the figures take the page's.
CSS = """
:root { color-scheme: light dark; --ink: #1f2328; --quiet: #505a66;
  --line: #d5dae0; --card: #f7f8fa; --link: #0b5c8a; --ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe3e8; --quiet: #b3bcc7; --line: #3d4651;
    --card: #1c2128; --link: #78c4f2; --ground: #14181e; } }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin-top: 1.75rem; }
dl { display: grid; grid-template-columns: max-content 1fr;
  gap: .4rem 1.25rem; padding: 1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .25rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
dd:first-of-type { font-weight: 600; }
figure { margin: 1.5rem 0; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
.otf-scroll { overflow-x: auto; }
.otf-table { border-collapse: collapse; font-size: .88rem;
  font-variant-numeric: tabular-nums; }
.otf-table :is(th, td) { padding: .35rem .9rem .35rem 0; text-align: left;
  border-bottom: 1px solid var(--line); vertical-align: top; }
.quiet, details { color: var(--quiet); font-size: .88rem; }
summary { color: var(--link); cursor: pointer; width: max-content; }
:focus-visible { outline: .15rem solid var(--link); outline-offset: .15rem; }
@media (max-width: 600px) {
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; }
  figure .otf-scroll > svg { min-width: 30rem; max-width: none; } }
"""


def _n(size):
    """Write a size for the reader: thousands apart."""
    return f"{size:,}"


def _share(value, sign=""):
    """Write a share as the book does: 16 %, with a true minus."""
    places = 1 if abs(value) < 0.0095 else 0
    text = f"{value:{sign}.{places}%}".replace("%", " %")
    return text.replace("-", "\N{MINUS SIGN}")


def _sizes(sizes):
    return ", ".join(map(_n, sizes))


# In words


def findings(found):
    """Return [(name, sentence)]: the verdict first."""
    verdict, why = judge(found)
    said = [
        ("Verdict", verdict),
        ("Why", why),
        ("Cost", _cost(found)),
        ("Nogil", _nogil(found)),
        ("Handing on", f"{found.handing} to give a pool one call"),
        ("Results", _results(found.comparison)),
    ]
    if found.left_out:
        reasons = {}
        for size, reason in found.left_out.items():
            reasons.setdefault(reason, []).append(size)
        said.append(
            ("Left out", "; ".join(
                f"n = {_sizes(sizes)}: {reason}"
                for reason, sizes in reasons.items()
            ))
        )  # fmt: skip
    if doubts := _doubts(found):
        said.append(("Doubts", doubts))
    return said


def judge(found):
    """Return from which size threads pay, and why, in words."""
    report, largest = found.main, max(found.best)
    threads, speed = found.best[largest]
    gain = f"{threads} threads do the work {speed} as fast as one"
    if found.pays_from is not None:
        start = found.pays_from
        if start == min(found.best):
            verdict = "threads pay at every size tried: "
            verdict += f"at n = {_n(largest)}, "
        elif start == largest:
            verdict = f"threads pay at n = {_n(start)}, the largest tried: "
        else:
            verdict = f"threads pay from n = {_n(start)} on: "
            verdict += f"at n = {_n(largest)}, "
        return verdict + gain, _why_pays(found, start)
    speeds = [s[n] for s in found.speeds.values() for n in found.best]
    if all(speed.high <= _pays() for speed in speeds):
        verdict = f"threads do not pay up to n = {_n(largest)}: there {gain}"
        return verdict, _why_not(found)
    return (
        f"not resolved up to n = {_n(largest)}: there {gain}",
        f"the speed-up is not above {_pays():g}× beyond doubt at the largest "
        f"size, nor below it at all sizes; the nogil fraction says: "
        f"{report.verdict} ({report.why})",
    )


def _pays():
    import confirm_measure

    return confirm_measure.PAYS


def _why_pays(found, start):
    report = found.main
    why = f"{_word(report)}: {report.why}"
    smaller = [n for n in found.best if n < start]
    if not smaller:
        return why
    below = max(smaller)
    call, hand = found.seconds[below], found.handing
    if call.value < 10 * hand.value:
        return (
            f"{why}; below, a call is too short: {call.short} at "
            f"n = {_n(below)}, and handing it to a thread costs {hand.short}"
        )
    return f"{why}; at n = {_n(below)} the gain is not resolved or too small"


def _why_not(found):
    report, largest = found.main, max(found.best)
    call, hand = found.seconds[largest], found.handing
    if report.verdict == nogil.RELEASES:
        if call.value < 10 * hand.value:
            return (
                "it releases the GIL, but its calls are too short: "
                f"{call.short} at the largest size, and handing one to a "
                f"thread costs {hand.short}; give a thread many calls at once"
            )
        return (
            "it releases the GIL, and the machine had no core to spare while "
            "the calls ran as tasks; try again when it is quiet"
        )
    advice = {
        nogil.HOLDS: "use processes, or compile it to run without the GIL",
        nogil.SLOW: "use processes, or compile it to run without the GIL",
        nogil.ELSEWHERE: "threads of your own add nothing",
        nogil.PARTLY: "shorten what it does under the GIL",
        nogil.UNKNOWN: "try again on a quiet machine, or a larger --budget",
    }[report.verdict]
    return f"{_word(report)}: {report.why}; {advice}"


def _word(report):
    """Return the verdict as the beginning of a sentence on the function."""
    return {
        nogil.SLOW: "it is slower in threads",
        nogil.UNKNOWN: "its nogil fraction is not resolved",
        nogil.ELSEWHERE: "it is limited elsewhere than by the GIL",
        nogil.PARTLY: "it releases the GIL for a part of its time",
    }.get(report.verdict, f"it {report.verdict}")


def _cost(found):
    fit = found.fit
    if fit is None:
        return (
            f"no model from {len(found.sizes)} sizes (it takes three); "
            + ", ".join(
                f"{q} at n = {_n(n)}" for n, q in found.seconds.items()
            )
        )
    said = f"a + b·n with a = {fit['a']}, b = {fit['b']}"
    if found.checked:
        errors = [abs(e) for e in found.checked.values()]
        said += (
            f"; fitted without n = {_sizes(found.checked)}, it predicts "
            f"their times within {_share(max(errors))} "
            f"(median {_share(statistics.median(errors))})"
        )
    if found.power is not None:
        low, high = found.power.valid
        said += (
            f"; but a line is off by up to {_share(fit.worst)}: from n = "
            f"{low:,.0f} to {high:,.0f} the time grows as n to the power "
            f"{found.power['b']}"
        )
    return said


def _nogil(found):
    report = found.main
    size = max(found.reports)
    free = found.references[nogil.FREE]
    return (
        f"{report.verdict}: fraction {report.fraction} at n = {_n(size)}; "
        f"here, SHA-256, which releases it, gets {free.fraction}"
    )


def _results(comparison):
    c = comparison
    where = f"n = {_n(c.size)}"
    if c.kind in ("same", "differs"):
        share = Quantity.share(c.differ, c.calls)
        head = (
            "the same in one and in many threads, as far as tried"
            if c.kind == "same"
            else "NOT SAFE: not the same in one and in many threads"
        )
        return (
            f"{head}: {c.differ:,} of {c.calls:,} calls in {c.threads} "
            f"threads differ at {where} ({share.interval} %); what it "
            "changes elsewhere was not looked at"
        )
    return {
        "raises": f"NOT SAFE: in {c.threads} threads it raised {c.detail} at "
        f"{where}, in one it did not",
        "random": f"random: not comparable; one thread, too, gets another "
        f"result at each call (at {where})",
        "none": "it returns nothing: not comparable",
        "opaque": f"a {c.detail} cannot be compared with another: not "
        "comparable",
    }[c.kind]


def _doubts(found):
    notes = [
        q.note for s in found.speeds.values() for q in s.values() if q.note
    ]
    notes += [r.raw.note for r in found.reports.values() if r.raw.note]
    total = sum(len(s) for s in found.speeds.values()) + len(found.reports)
    if not notes:
        return ""
    worst = max(notes, key=len)
    return f"{len(notes)} of {total} results are noisy, e.g. {worst}"


# In tables


def tables(found):
    """Return [(title, column titles, rows)]."""
    return [_size_table(found), *_thread_tables(found)]


def _size_table(found):
    rows = [
        [_n(n), str(found.seconds[n]), _off(found, n),
         str(found.reports[n].fraction) if n in found.reports else "–"]
        for n in found.sizes
    ]  # fmt: skip
    head = ["n", "a call", "prediction", "nogil fraction"]
    return (
        "A call in one thread, and what the model predicts unseen",
        head,
        rows,
    )


def _off(found, size):
    if size not in found.checked:
        return "fitted" if found.fit else "–"
    return _share(found.checked[size], "+")


def _thread_tables(found):
    rows = [
        [_n(n), *(str(found.speeds[k][n]) for k in found.counts)]
        for n in found.best
    ]
    head = ["n", *(f"{k} threads" for k in found.counts)]
    yield (
        "Speed-up over one thread, each call a task of its own (95 % "
        "interval)",
        head,
        rows,
    )
    rows = [
        [name, *(str(r.speedups[k]) for k in found.counts)]
        for name, r in _side_by_side(found).items()
    ]
    yield (
        "Speed-up within the threads, no task handed on, and what this "
        "machine gives two known functions",
        ["", *head[1:]],
        rows,
    )


def _side_by_side(found):
    """Return {name: Report}: the function, then the references."""
    own = f"n = {_n(max(found.reports))}"
    names = {nogil.FREE: "SHA-256 (no GIL)", nogil.HELD: "Python loop (GIL)"}
    rest = {names[k]: r for k, r in found.references.items()}
    return {own: found.main, **rest}


# On a page


def _text(value):
    return html.escape(str(value))


def _figure(chart, name, alt, caption):
    picture = figures.svg(chart, name).replace(
        "<svg ", f'<svg role="img" aria-label="{_text(alt)}" ', 1
    )
    data = timings.table(chart.head, chart.rows, f"Data: {name}")
    return (
        f'<figure><div class="otf-scroll" tabindex="0" role="region" '
        f'aria-label="Figure: {name}">{picture}</div><figcaption>'
        f"{_text(caption)}</figcaption><details><summary>Data</summary>"
        f"{data}</details></figure>"
    )


def _pictures(found):
    sizes = found.sizes
    ends = " and ".join(
        f"{found.seconds[n].short} at n = {_n(n)}"
        for n in sorted({sizes[0], sizes[-1]})
    )
    fit = found.fit
    name = "one thread"
    said = "too few sizes for a fit"
    if fit:
        off = _share(fit.worst)
        said = f"the fit a + b·n (dashed) is off by at most {off}"
    yield _figure(
        figures.lines(
            {name: found.seconds},
            x="size n",
            y="time a call",
            time="y",
            fits={name: fit} if fit else None,
        ),
        "cost",
        f"Time of a call against its size: {ends}; {said}",
        f"A call takes {ends}; {said}.",
    )
    verdict, _ = judge(found)
    marks = []
    if found.pays_from not in (None, min(found.best)):
        marks = [(found.pays_from, "threads pay")]
    if len(found.best) > 1:
        counts = found.counts[:7]
        which = f" in {counts[0]} threads" if len(counts) == 1 else ""
        chart = figures.lines(
            {f"{k} threads": found.speeds[k] for k in counts},
            x="size n",
            y=f"speed-up{which} over one",
            logy=False,
            marks=marks,
        )
        chart.figure.axes[0].axhline(
            1, color=figures.INK, linewidth=1, linestyle="--"
        )
        yield _figure(
            chart,
            "size",
            f"Speed-up of calls as tasks against size: {verdict}",
            f"{verdict[0].upper()}{verdict[1:]}; above the dashed line "
            "threads are faster.",
        )
    reports = _side_by_side(found)
    most = found.counts[-1]
    ends = ", ".join(
        f"{name} {r.speedups[most].short}" for name, r in reports.items()
    )
    yield _figure(
        figures.speed_against_threads(
            {name: r.speedups for name, r in reports.items()},
            found.machine["cores"]["usable"],
        ),
        "threads",
        f"Speed-up against threads; in {most} threads: {ends}",
        f"In {most} threads, calls within the threads: {ends}.",
    )


def page(found):
    """Return the report as one HTML page that needs no other file."""
    said = "".join(
        f"<dt>{_text(name)}</dt><dd>{_text(sentence)}</dd>"
        for name, sentence in findings(found)
    )
    numbers = "".join(
        f"<h3>{_text(title)}</h3>{timings.table(head, rows, title)}"
        for title, head, rows in tables(found)
    )
    packages = ", ".join(
        f"{name} {version}"
        for name, version in found.machine["packages"].items()
    )
    target = _text(found.request.target)
    title = re.sub("([.:/])", r"\1<wbr>", target)  # where a phone breaks it
    request = found.request
    asked = (
        f"sizes {_sizes(request.sizes)}; threads "
        f"{', '.join(map(str, request.threads))}; budget "
        f"{request.budget:g} s; seed {request.seed}"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{target}: cost and threads</title>
<style>{CSS}</style>
</head>
<body><main>
<h1>{title}</h1>
<p class="quiet">Measured on {_text(found.machine["slug"])}:
{_text(machine_line(found.machine))}.</p>
<dl>{said}</dl>
<h2>Figures</h2>
{"".join(_pictures(found))}
<h2>Numbers</h2>
{numbers}
<h2>How</h2>
<p>Calls, sizes and thread counts are measured in turn, in rounds of random
order; medians of the rounds, with 95 % intervals. The nogil fraction is
f in s = 1/((1−f) + f/min(N, M)), fitted to the speed-ups s of N threads on
M usable cores. Threads pay from the smallest size where the speed-up is above
{_pays():g}× with its whole interval, if it is above that at every larger size
tried.</p>
<p class="quiet">Asked: {_text(asked)}.<br>
Packages: {_text(packages)}.<br>Thread pools loaded:
{_text("; ".join(found.machine["pools"]) or "none")}.</p>
</main></body>
</html>
"""
