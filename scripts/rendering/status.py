"""The status of this copy: what ran, each verdict, the machine.

No number here is typed: the stamps say what ran, the ledger judges it, the
results name the machine.
"""

import collections

from onthefly.measure import machine
from onthefly.page import claims, expectations
from onthefly.page.verdicts import SYMBOLS
from rendering.formats import duration, moment, size


def page(copy):
    """Return the status page as Markdown.

    copy  a rendering.copy.Copy
    """
    records = {}
    for run in copy.runs.values():
        records.setdefault(run.machine["slug"], run.machine)
    if not records:
        records = {machine.slug(): machine.record()}
    judged = copy.counts("chapter")
    counts = {slug: judged[slug] for slug in claims.load().chapters}
    return copy.render(
        "book/status",
        stamps=copy.stamps,
        sources=sorted({run.origin for run in copy.runs.values()}),
        duration=duration,
        moment=moment,
        symbols=SYMBOLS,
        ledger=_ledger(counts),
        names=copy.names,
        counts=counts,
        used=copy.used,
        unmet=_unmet(copy),
        missing=_of_runs(copy, "missing"),
        machines={name: facts(about) for name, about in records.items()},
    )


def _ledger(counts):
    """Return how many claims there are, of whom, and with which verdict."""
    ledger = claims.load()
    total = sum(counts.values(), collections.Counter())
    aims = sum(c.source == claims.AIMS for c in ledger.claims.values())
    return {
        "titles": ledger.chapters,
        "claims": len(ledger.claims),
        "aims": aims,
        "taken": total.total() - total["chapter not written"],
        "verdicts": total,
    }


def _of_runs(copy, field):
    """Return [(page's name, key, value)] of a field of the runs' Results."""
    return [
        (copy.names[slug], key, value)
        for slug, run in copy.runs.items()
        for key, value in getattr(run, field).items()
    ]


def _unmet(copy):
    """Return the conclusions that a run does not bear out."""
    return [
        one
        for one in _of_runs(copy, "expected")
        if one[-1]["verdict"] != expectations.HOLDS
    ]


def facts(record):
    """Return the rows of a machine record that a reader compares."""
    cores, python = record["cores"], record["python"]
    caches = [f"{k} {size(v)}" for k, v in record["caches"].items()]
    build = "free-threaded" if python["free_threaded"] else "with the GIL"
    return [
        ["Processor", record["cpu"]],
        ["Processors", f"{cores['usable']} of {cores['machine']} usable, "
         f"{cores['threads_per_core']} a core"],
        ["Caches", ", ".join(caches) or "unknown"],
        ["Memory", size(record["memory"])],
        ["Turbo", record["turbo"]],
        ["GPU", "; ".join(map(_gpu, record["gpus"])) or "none"],
        ["Thread pools", "; ".join(record["pools"])],
        ["System", record["system"]],
        ["Python", f"{python['version']}, {build}, {python['compiler']}"],
        *record["packages"].items(),
    ]  # fmt: skip


def _gpu(about):
    """Return a GPU's facts in a line; older records lack some."""
    parts = [about["name"]]
    if memory := about["memory"]:
        parts.append(size(memory))
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
