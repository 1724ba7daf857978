"""What two runs of a page differ in: what forbids to compare, what does not.

Versions of libraries are what one compares: they are noted, and no more.
Those of the package and of its instrument must agree: another one may time
something else.  A machine is known by its processor, cores, caches and GPUs,
as its name is the reader's to choose.  Its id may be another one after a
container's start: of two machines of one kind it is noted that they are two,
and no more.
"""

from onthefly.terminal import first

# A difference that a reader may be after, and allow.
ALLOWED = ("lab", "interpreter", "seed", "onthefly")


def kind(machine):
    """Return {what: value} that two machines must have in common.

    machine  a record, as `onthefly.measure.machine.record` makes it
    """
    return {
        "processor": machine["cpu"],
        "cores": _listed(machine["cores"]),
        "caches": _listed(machine.get("caches", {})),
        "GPU": ", ".join(g["name"] for g in machine["gpus"]) or "none",
        "interpreter": _listed(machine.get("python", {})),
    }


def required(run):
    """Return {what: value} that two runs must have in common."""
    return {
        **kind(run.machine),
        "preset": run.preset,
        "device": run.device,
        "seed": run.seed,
        "instrument": run.instrument,
        "onthefly": run.version,
        "lab": run.lab,
    }


def noted(run):
    """Return {what: value} that two runs may differ in."""
    machine = run.machine
    gpus = {
        f"{part} of GPU {k}": gpu.get(part)
        for k, gpu in enumerate(machine["gpus"])
        for part in ("driver", "runtime")
    }
    return {
        "machine's name": machine["slug"],
        "machine's id": machine.get("id") or "unknown",
        "system": machine.get("system", "unknown"),
        **gpus,
        **run.packages,
    }


def differences(facts, base, new, allowed=()):
    """Return what differs between two lists of runs, in words; "" if nothing.

    facts      `required` or `noted`
    base, new  Results of one page; those of one list must agree, too
    allowed    differences that do not count
    """
    of_base, of_new = (_values(facts, runs) for runs in (base, new))
    words = []
    for what in {**of_base, **of_new}:
        if what in allowed:
            continue
        was, now = of_base.get(what, ["none"]), of_new.get(what, ["none"])
        repair = f" (--despite {what} allows it)" if what in ALLOWED else ""
        if len(was) > 1 or len(now) > 1:
            side, several = ("new", now) if len(now) > 1 else ("base", was)
            change = _change(several)
            words.append(
                f"{what} differs within the {side} runs: {change}{repair}"
            )
        elif was != now:
            words.append(f"{what}: {_change([*was, *now])}{repair}")
    return "; ".join(words)


def _values(facts, runs):
    """Return {what: [values of the runs, each once]}."""
    collected = {}
    for run in runs:
        for what, value in facts(run).items():
            values = collected.setdefault(what, [])
            if value not in values:
                values.append(value)
    return collected


def _listed(about):
    """Return a part of a machine record as text."""
    return ", ".join(f"{k} {v}" for k, v in about.items())


def _change(values):
    """Return several values in words; of files, those that differ."""
    if not isinstance(values[0], dict):
        return " → ".join(map(str, values))
    names = sorted(
        name
        for name in set().union(*values)
        if len({value.get(name) for value in values}) > 1
    )
    return first(names)
