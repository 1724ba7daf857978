"""What is said of a function, in words."""

import statistics

from confirming.advice import title
from confirming.found import PAYS
from onthefly.experiments.gil import nogil
from onthefly.quantity import Quantity


def count(size):
    """Write a size for the reader: thousands apart."""
    return f"{size:,}"


def share(value, sign=""):
    """Write a share as the book does: 16 %, with a true minus."""
    places = 1 if abs(value) < 0.0095 else 0
    text = f"{value:{sign}.{places}%}".replace("%", " %")
    return text.replace("-", "\N{MINUS SIGN}")


def sizes_of(sizes):
    """Write sizes for the reader, with commas."""
    return ", ".join(map(count, sizes))


def findings(found):
    """Return [(name, sentence)]: the verdict first."""
    threads, why = judge(found)
    said = [
        ("Verdict", choice(found)),
        ("Numba", _numba(found)),
        ("Threads", f"{threads}; {why}"),
        ("Processes", _processes(found)),
        ("Like", _like(found.like)),
        ("Cost", _cost(found)),
        ("Nogil", _nogil(found)),
        ("Handing on", _handing(found)),
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


def choice(found):
    """Return what of all that was tried gains most, and how much."""
    tried = {}
    if found.compiled.gains and not found.compiled.differs:
        most = max(found.compiled.gains)
        tried["numba.njit"] = (most, found.compiled.gains[most])
        if found.compiled.with_arrays:
            speed = found.compiled.with_arrays[most]
            tried["numba.njit on arrays"] = (most, speed)
    for best, what in [
        (found.best, "threads"),
        (found.best_apart, "processes"),
    ]:
        if best:
            most = max(best)
            workers, speed = best[most]
            tried[f"{workers} {what}"] = (most, speed)
    ranked = sorted(tried, key=lambda name: -tried[name][1].value)
    first, *others = (
        f"{name}, {speed} as fast at n = {count(n)}"
        for name in ranked
        for n, speed in [tried[name]]
    )
    rest = f"; then {'; '.join(others)}" if others else ""
    if tried[ranked[0]][1].low > PAYS:
        return f"most gains {first}{rest}"
    if all(speed.high <= PAYS for _, speed in tried.values()):
        return f"nothing that was tried pays; the best is {first}{rest}"
    return f"not resolved; the best is {first}{rest}"


def _numba(found):
    """Return what numba.njit makes of the function."""
    c = found.compiled
    if c.error:
        helped = (
            f" (compiled with {_and(c.helpers)}, too, it fails as well)"
            if c.helpers
            else ""
        )
        lists = "; try arrays in place of lists" * (found.form == "lists")
        return f"not measured: {c.error}{helped}{lists}"
    most = max(c.gains)
    said = (
        f"compiled, {c.gains[most]} as fast at n = {count(most)}; the "
        f"first call, which compiles, takes {c.first_call}"
    )
    if c.with_arrays:
        said += f"; given arrays in place of lists, {c.with_arrays[most]}"
    if c.already:
        said = (
            f"given compiled; its plain form, .py_func, is the other: {said}"
        )
    if c.helpers:
        said += (
            f"; with {_and(c.helpers)} compiled, too (alone: {c.refused}): "
            f"decorate {'it' if len(c.helpers) == 1 else 'each of them'}"
        )
    return f"{said}; {_same_compiled(c)}"


def _and(names):
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _same_compiled(compiled):
    """Return whether its results are the same, in words."""
    if compiled.differs:
        n = compiled.differs
        return (
            f"NOT THE SAME results from n = {count(n)} on: "
            f"{compiled.results[n]}"
        )
    kinds = set(compiled.results.values())
    for kind, words in {
        "opaque": "its results cannot be compared",
        "none": "it returns nothing: not comparable",
        "random": "it gets another result at each call: not comparable",
        "close": "the same results, apart from rounding",
    }.items():
        if kind in kinds:
            return words
    return "the same results at every size"


def _like(like):
    """Return which of the eight problems it behaves like, in words."""
    if not like.name:
        return f"cannot tell which of the book's eight problems: {like.why}"
    return f"behaves like {title(like.name)}; {like.why}"


def _processes(found):
    """Return what processes make of it, in words."""
    if found.pooled.error:
        return f"not measured: {found.pooled.error}"
    largest = max(found.best_apart)
    workers, speed = found.best_apart[largest]
    gain = (
        f"at n = {count(largest)} {workers} processes do the work {speed} as "
        "fast as one"
    )
    start = found.processes_pay_from
    if start is not None:
        where = (
            "at every size tried"
            if start == min(found.best_apart)
            else f"from n = {count(start)} on"
        )
        return f"processes pay {where}: {gain}"
    every = [s[n] for s in found.apart.values() for n in found.best_apart]
    if all(speed.high <= PAYS for speed in every):
        return f"processes do not pay up to n = {count(largest)}: {gain}"
    return f"processes: not resolved up to n = {count(largest)}: {gain}"


def _handing(found):
    """Return what it costs to give a pool one call."""
    said = f"{found.handing} to give a pool of threads one call"
    if found.pooled.error:
        return said
    sent = found.pooled.sent
    return (
        f"{said}, {found.pooled.handing} one of processes, without the time "
        f"for what is sent ({count(sent)} bytes of arguments at the largest "
        f"size); the processes take {found.pooled.start} to start"
    )


def judge(found):
    """Return from which size threads pay, and why, in words."""
    report, largest = found.main, max(found.best)
    threads, speed = found.best[largest]
    gain = f"{threads} threads do the work {speed} as fast as one"
    if found.pays_from is not None:
        start = found.pays_from
        if start == min(found.best):
            verdict = "threads pay at every size tried: "
            verdict += f"at n = {count(largest)}, "
        elif start == largest:
            verdict = (
                f"threads pay at n = {count(start)}, the largest tried: "
            )
        else:
            verdict = f"threads pay from n = {count(start)} on: "
            verdict += f"at n = {count(largest)}, "
        return verdict + gain, _why_pays(found, start)
    speeds = [s[n] for s in found.speeds.values() for n in found.best]
    if all(speed.high <= PAYS for speed in speeds):
        verdict = (
            f"threads do not pay up to n = {count(largest)}: there {gain}"
        )
        return verdict, _why_not(found)
    return (
        f"not resolved up to n = {count(largest)}: there {gain}",
        f"the speed-up is not above {PAYS:g}× beyond doubt at the largest "
        f"size, nor below it at all sizes; the nogil fraction says: "
        f"{report.verdict} ({report.why})",
    )


def _why_pays(found, start):
    report = found.main
    why = f"{_word(report)}: {report.why}"
    smaller = [n for n in found.best if n < start]
    if not smaller:
        return why
    below = max(smaller)
    at = f"n = {count(below)}"
    call, hand = found.seconds[below], found.handing
    if call.value < 10 * hand.value:
        return (
            f"{why}; below, a call is too short: {call.short} at {at}, and "
            f"handing it to a thread costs {hand.short}"
        )
    return f"{why}; at {at} the gain is not resolved or too small"


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
        "changes": "it changes the inputs that it is given, so that each "
        "call gets what the last one left: not comparable, and no two "
        "threads may share them",
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
