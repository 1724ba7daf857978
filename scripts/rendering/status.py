"""The status of this copy: what ran, each verdict, the machine.

No number here is typed: the stamps say what ran, the ledger judges it, the
results name the machine.
"""

import collections
import datetime

from onthefly import (
    claims,
    expectations,
    machine,
    presets,
    results,
    timings,
)
from onthefly.page import SYMBOLS
from rendering import blocks


def _moment(text):
    """Return an ISO 8601 time as a reader writes it, in UTC."""
    when = datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
    return f"{when:%Y-%m-%d %H:%M} UTC"


def _duration(seconds):
    """Return seconds as ``41 s`` or ``3 min 05 s``."""
    minutes, rest = divmod(round(seconds), 60)
    text = f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _link(stem):
    return f"{{doc}}`/notebooks/{stem}`"


def _runs(stamps):
    """Return the table of what ran where, when and for how long."""
    head = ["Page", "Machine", "Preset", "Device", "Took", "Started"]
    rows = [
        [_link(stem), f"`{stamp['machine']}`", stamp["preset"],
         stamp["device"], _duration(stamp["duration_s"]),
         _moment(stamp["started"])]
        for stem, stamp in stamps.items()
    ]  # fmt: skip
    return blocks.table(head, rows)


def _counts(stamps, verdicts):
    """Return the table of verdict counts, a chapter a row."""
    counts = {
        slug: collections.Counter(v["verdict"] for v in found)
        for slug, found in verdicts.items()
    }
    names = [v for v in SYMBOLS if any(count[v] for count in counts.values())]
    head = ["Page", *(f"{SYMBOLS[v][0]} {v}" for v in names)]
    links = {stamp["chapter"]: _link(stem) for stem, stamp in stamps.items()}
    titles = claims.load().chapters | links
    rows = [
        [titles[slug], *(count[v] for v in names)]
        for slug, count in counts.items()
    ]
    return blocks.table(head, rows)


def _size(count):
    """Return bytes as KiB, MiB or GiB."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def _gpu(about):
    """Return a GPU's facts in a line; older records lack some."""
    parts = [about["name"]]
    if memory := about["memory"]:
        parts.append(_size(memory))
    if driver := about.get("driver"):
        cuda = about.get("cuda")
        parts.append(f"driver {driver}" + (f", CUDA {cuda}" if cuda else ""))
    if toolkit := about.get("runtime"):
        parts.append(f"toolkit {toolkit}")
    if limit := about.get("power_limit"):
        default = about.get("power_default")
        of = f" of {default:.0f}" if default else ""
        parts.append(f"power limit {limit:.0f}{of} W")
    if ecc := about.get("ecc"):
        parts.append(f"ECC {ecc}")
    for when in ("before", "after"):
        if state := about.get(when):
            parts.append(f"{when} the run {_clocks(state)}")
    return ", ".join(parts)


def _clocks(state):
    """Return the clocks of a GPU's state, and what holds them back."""
    clocks = (f"{state[k] or '?'} MHz" for k in ("sm", "memory"))
    reasons = state["held_back"] or []
    held = f" ({', '.join(reasons)})" if reasons else ""
    return " and memory ".join(clocks) + held


def _facts(record):
    """Return the rows of a machine record that a reader compares."""
    cores, python = record["cores"], record["python"]
    caches = [f"{k} {_size(v)}" for k, v in record["caches"].items()]
    build = "free-threaded" if python["free_threaded"] else "with the GIL"
    return [
        ["Processor", record["cpu"]],
        ["Cores", f"{cores['usable']} usable of {cores['machine']}, "
         f"{cores['threads_per_core']} thread(s) a core"],
        ["Caches", ", ".join(caches) or "unknown"],
        ["Memory", _size(record["memory"])],
        ["Turbo", record["turbo"]],
        ["GPU", "; ".join(map(_gpu, record["gpus"])) or "none"],
        ["Thread pools", "; ".join(record["pools"])],
        ["System", record["system"]],
        ["Python", f"{python['version']}, {build}, {python['compiler']}"],
        *record["packages"].items(),
    ]  # fmt: skip


def _missing(stamps):
    """Return the sections on what missing libraries cost; none if nothing."""
    rows = [
        [_link(stem), name, ", ".join(f"`{x}`" for x in what) or "cells only"]
        for stem, stamp in stamps.items()
        for name, what in _found(stamp, "missing").items()
    ]
    if not rows:
        return []
    head = ["Page", "Missing", "So, too: claims, and series of measurements"]
    return ["## What is missing", blocks.table(head, rows)]


def _unborne(stamps):
    """Return the sections on conclusions that a run does not bear out."""
    rows = [
        [_link(stem), blocks.plain(text), about["verdict"],
         blocks.plain(about["found"]) or "–"]
        for stem, stamp in stamps.items()
        for text, about in _found(stamp, "expected").items()
        if about["verdict"] != expectations.HOLDS
    ]  # fmt: skip
    title = "## Conclusions that this copy does not bear out"
    if not rows:
        return [title, "None: each conclusion of the pages holds here."]
    head = ["Page", "Conclusion", "Here", "Numbers"]
    intro = (
        "The pages' sentences were written against the recorded runs. Each "
        "conclusion rests on a condition; where a run's own numbers do not "
        "meet it, the page says so, and so does this list."
    )
    return [title, intro, blocks.table(head, rows)]


def _found(stamp, field):
    """Return a field of the results of a page's run; {} for none."""
    machine_ = stamp["machine"]
    found = results.find(stamp["chapter"], machine_).get(machine_)
    return getattr(found, field) if found else {}


def _machines(stamps):
    """Return a section for each machine that measured a chapter here."""
    records = {}
    for stamp in stamps.values():
        name = stamp["machine"]
        found = results.find(stamp["chapter"], name)
        if name in found:
            records.setdefault(name, found[name].machine)
    if not records:
        records = {machine.slug(): machine.record()}
    return [
        f"### `{name}`\n\n"
        + blocks.raw(
            timings.table(["", ""], _facts(record), f"Machine {name}")
        )
        for name, record in records.items()
    ]


def status(stamps, verdicts):
    """Return the status page as Markdown.

    stamps    {chapter stem: stamp}, in the book's order
    verdicts  {chapter: list of verdicts' rows}, as `verdicts.here` returns
    """
    return "\n\n".join(
        [
            "# Status of this copy",
            "The build writes this page from what the run recorded.",
            *([_tally(stamps, verdicts)] if stamps else []),
            "## What ran",
            _runs(stamps),
            *_unborne(stamps),
            "## Verdicts by page",
            "How a verdict is reached: {doc}`/book/measuring`. Each claim by "
            "itself: {doc}`/book/scoreboard`.",
            _counts(stamps, verdicts),
            *_missing(stamps),
            "## The machine",
            *_machines(stamps),
            "",
        ]
    )


def _tally(stamps, verdicts):
    """Return the book's verdict counts."""
    count = collections.Counter(
        v["verdict"] for found in verdicts.values() for v in found
    )
    every = claims.load().claims.values()
    aims = sum(c.source == claims.AIMS for c in every)
    taken = count.total() - count["chapter not written"]
    items = "".join(
        f'<li class="claim--{name}"><b>{count[verdict]}</b> '
        f"<span>{mark} {verdict}</span></li>"
        for verdict, (mark, name) in SYMBOLS.items()
        if count[verdict]
    )
    machines = sorted({f"`{s['machine']}`" for s in stamps.values()})
    presets = sorted({s["preset"] for s in stamps.values()})
    last = max(s["started"] for s in stamps.values())
    return (
        f"This copy was measured on {', '.join(machines)} at preset "
        f"{', '.join(presets)}, last on {_moment(last)}. "
        f"The ledger holds {len(every)} claims: {len(every) - aims} that "
        f"were published, and {aims} that this book set itself as aims. The "
        f"pages take up {taken} of them:\n\n"
        + blocks.raw(f'<ul class="otf-tally">{items}</ul>')
    )


def budgets():
    """Return the table of presets, for the page on measuring."""
    head = ["Preset", "A measurement may take", "A page is ended after"]
    rows = [
        [f"`{name}`", f"{presets.BUDGET[name]:g} s",
         _duration(presets.LIMIT[name])]
        for name in presets.NAMES
    ]  # fmt: skip
    return blocks.table(head, rows) + "\n"
