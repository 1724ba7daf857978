"""What is said of a function, in words."""

import statistics

from confirming import threads, tried
from confirming.numbers import count, share, sizes_of
from onthefly.experiments.gil import nogil
from onthefly.quantity import Quantity


def findings(found):
    """Return [(name, sentence)]: the verdict first."""
    pays, why = threads.judge(found)
    said = [
        ("Verdict", tried.choice(found)),
        ("Numba", tried.numba(found)),
        ("Threads", f"{pays}; {why}"),
        ("Processes", tried.processes(found)),
        ("Like", tried.like(found.like)),
        ("Cost", _cost(found)),
        ("Nogil", _nogil(found)),
        ("Handing on", tried.handing(found)),
        ("Results", _results(found.comparison)),
    ]
    if found.chosen:
        said.insert(5, ("Choice", found.chosen))
    if found.left_out:
        reasons = {}
        for size, reason in found.left_out.items():
            reasons.setdefault(reason, []).append(size)
        said.append(
            ("Left out", "; ".join(
                f"n = {sizes_of(sizes)}: {reason}"
                for reason, sizes in reasons.items()
            ))
        )  # fmt: skip
    if doubts := _doubts(found):
        said.append(("Doubts", doubts))
    return said


def _cost(found):
    fit = found.fit
    if fit is None:
        return (
            f"no model from {len(found.sizes)} sizes (it takes three); "
            + ", ".join(
                f"{q} at n = {count(n)}" for n, q in found.seconds.items()
            )
        )
    said = f"a + b·n with a = {fit['a']}, b = {fit['b']}"
    if found.checked:
        errors = [abs(e) for e in found.checked.values()]
        said += (
            f"; fitted without n = {sizes_of(found.checked)}, it predicts "
            f"their times within {share(max(errors))} "
            f"(median {share(statistics.median(errors))})"
        )
    if found.power is not None:
        low, high = found.power.valid
        said += (
            f"; but a line is off by up to {share(fit.worst)}: from n = "
            f"{low:,.0f} to {high:,.0f} the time grows as n to the power "
            f"{found.power['b']}"
        )
    return said


def _nogil(found):
    report = found.main
    size = max(found.reports)
    free = found.references[nogil.FREE]
    return (
        f"{report.verdict}: fraction {report.fraction} at n = {count(size)}; "
        f"here, SHA-256, which releases it, gets {free.fraction}"
    )


def _results(comparison):
    c = comparison
    where = f"n = {count(c.size)}"
    if c.kind in ("same", "differs"):
        part = Quantity.share(c.differ, c.calls)
        head = (
            "the same in one and in many threads, as far as tried"
            if c.kind == "same"
            else "NOT SAFE: not the same in one and in many threads"
        )
        return (
            f"{head}: {c.differ:,} of {c.calls:,} calls in {c.threads} "
            f"threads differ at {where} ({part.interval} %); what it "
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
    more = [*found.compiled.gains.values()]
    more += [q for s in found.apart.values() for q in s.values()]
    notes += [q.note for q in more if q.note]
    total += len(more)
    if not notes:
        return ""
    worst = max(notes, key=len)
    return f"{len(notes)} of {total} results are noisy, e.g. {worst}"
