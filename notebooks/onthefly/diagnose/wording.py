"""What is said of a function, a sentence each: the verdict first."""

import re

from onthefly.diagnose.gains import is_loss, is_wide
from onthefly.diagnose.pool_trials import OWN
from onthefly.measure import nogil
from onthefly.measure.quantity import Quantity
from onthefly.terminal.words import listed

ONE_CORE = 1.2  # cores that threads keep busy, up to which they took turns
WAITS = 0.6  # share of the time without a processor, above which it waits
MORE = 1.05  # times as many workers: more than they can gain
ALL = "at every size tried"


def findings(report):
    """Return [(name, sentences)] of a Report, without the empty ones."""
    every = {
        "Verdict": verdict(report),
        "How": how(report),
        "Results": results(report),
        "Refused": refused(report),
        "Change": " ".join(advice(report)),
        "Calls": calls(report),
        "Cost": cost(report),
        "Memory": memory(report),
        "Left out": left_out(report),
        "Doubts": doubts(report),
    }
    return [(name, text) for name, text in every.items() if text]


# --- the verdict, by size ---------------------------------------------------


def verdict(report):
    """Return which method wins, from the largest size to the smallest."""
    if not report.ranges:
        return "It was stopped before anything was timed."
    (name, sizes), *smaller = reversed(report.ranges)
    text = _at(report, name, sizes[-1])
    if not smaller and len(sizes) > 1:
        return f"{text} It is the fastest {ALL}." if name else f"{text}"
    for other, below in smaller:
        text += f" Up to n = {below[-1]:,}, {_below(report, other, below)}."
    return text


def _at(report, name, size):
    """Return the verdict at the largest size of a range."""
    if name:
        gain = report.gains(name)[size]
        base = _base(report)
        other = size in report.tried[name].prepared.differs
        return (
            f"{_place(report, size)}{name} is {_faster(gain)} {base}"
            f"{', but has OTHER RESULTS' * other}."
        )
    real = [name for name in report.others if not report.is_removed(name)]
    gains = [report.gains(name).get(size) for name in real]
    gains = [q for q in gains if q is not None]
    if not gains:
        return _without(report, size)
    best = max(gains, key=lambda q: q.value)
    if all(map(is_loss, gains)):
        return f"At n = {size:,}, {_base(report)} is fastest: leave it."
    if is_wide(best):
        return (
            f"At n = {size:,}, the times vary too much to say: try again "
            f"when the machine is quiet.{_busy(report)}"
        )
    return (
        f"At n = {size:,}, nothing that was tried is clearly faster "
        f"(at best {best.about})."
    )


def _place(report, size):
    """Return "At n = 1,000, ", or nothing where there is but one size."""
    return "" if report.is_cell else f"At n = {size:,}, "


def _without(report, size):
    """Return the verdict where no method could be timed."""
    tried = [report.tried[name].prepared for name in report.others]
    slow = any(one.slow for one in tried if one)
    differs = any(one.differs for one in tried if one)
    if slow and differs:
        return (
            f"At n = {size:,}, all others are slower or have other results."
        )
    if slow:
        return f"{_place(report, size)}{_base(report)} is fastest: leave it."
    if differs:
        return f"At n = {size:,}, nothing that was tried has its results."
    if any(map(report.is_removed, report.others)):
        return (
            f"{_place(report, size)}no gain means anything: the compiler "
            "leaves nothing of the loop's work."
        )
    return "Nothing that was tried takes the function as it is written."


def _faster(gain):
    """Return a gain in words: "7.4× faster than"."""
    if gain.value < 1:
        return f"{(1 / gain).about} slower than"
    return f"{gain.about} faster than"


def _below(report, name, sizes):
    if not name:
        return "no gain is clear"
    gain = report.gains(name)[sizes[-1]]
    return f"{name} is ({gain.about} at n = {sizes[-1]:,})"


def _base(report):
    if report.is_comparison:
        return report.baseline.name
    return f"the function {report.baseline.name}"


def _busy(report):
    if not report.is_disturbed:
        return ""
    return f" Other programs used {report.busy:.0%} of it."


def how(report):
    """Return what to write, for the winner at the largest sizes."""
    ranges = [(name, sizes) for name, sizes in report.ranges if name]
    if not ranges or report.is_comparison:
        return ""
    name, sizes = ranges[-1]
    tried = report.tried[name]
    words = [tried.how]
    if sizes[-1] != report.ranges[-1][1][-1]:  # larger ones have no winner
        words.insert(0, f"Up to n = {sizes[-1]:,}:")
    if tried.prepared.helpers:
        names = listed(tried.prepared.helpers)
        words.append(f"Decorate {names}, which it calls, with @numba.njit.")
    if "numba" in tried.name and tried.prepared.first > 0.05:
        first = Quantity.exact(tried.prepared.first, "s")
        words.append(f"The first call compiles, which takes {first.about}.")
    words.append(_converting(report, tried))
    return " ".join(filter(None, words))


def _converting(report, tried):
    """Return what it costs to make a method's arguments, where it counts."""
    base = report.seconds(report.baseline.name)
    size = max(tried.prepared.converting, default=None)
    if size not in base:
        return ""
    seconds = tried.prepared.converting[size]
    if seconds < 0.1 * base[size].value:
        return ""
    made = Quantity.exact(seconds, "s")
    return (
        f"To convert the arguments takes {made.about} at n = {size:,}, which "
        "is not in its time: do it once, not at each call."
    )


# --- results, refusals, advice ----------------------------------------------


def results(report):
    """Return whether the methods' results are those of the function."""
    tried = [report.tried[name] for name in report.others]
    tried = [t for t in tried if t.prepared and not t.error]
    if not tried:
        return ""
    return " ".join([*_compared(tried), *_removed(report)])


def _compared(tried):
    """Yield sentences on the results of what was tried."""
    if unknown := tried[0].prepared.unknown:
        yield f"Not compared: {unknown.removesuffix(': not comparable')}."
        return
    others = [t for t in tried if t.prepared.differs]
    same = [t for t in tried if not t.prepared.differs]
    if same:
        rounded = any(t.prepared.rounded for t in same)
        text = "The same, but for rounding" if rounded else "The same"
        which = f" of {listed([t.name for t in same])}" if others else ""
        yield f"{text}{which}."
    for t in others:
        size = t.first_difference
        yield (
            f"{t.name} is NOT THE SAME from n = {size:,} on: "
            f"{t.prepared.differs[size]}."
        )


def _removed(report):
    """Yield a sentence where a compiler left nothing of the loop."""
    removed = [name for name in report.others if report.is_removed(name)]
    if removed:
        yield (
            f"{listed(removed)}: the compiler did the loop's work "
            "beforehand, or removed it, for its time does not grow with n. "
            "Such a gain is not one that your program would see."
        )


def refused(report):
    """Return which methods could not be used, and why."""
    if report.found.why:
        return f"{report.found.why}."
    lines = {}
    for name in report.others:
        tried = report.tried[name]
        if tried.error and tried.error != "not tried" and _matters(name):
            lines.setdefault(_complaint(tried.error), []).append(tried)
    return " ".join(
        f"{listed([t.name for t in group])}: {group[0].error.rstrip('.')}."
        for group in lines.values()
    )


def _matters(name):
    """Tell whether a reader wants to know why a method was refused.

    What only makes a compiled function faster matters where it does, and a
    routine that does not fit is none that the loop spells out.
    """
    return "numba" in name and "=True" not in name


def _complaint(error):
    """Return a refusal without its place: one may have several."""
    return re.sub(r"^\S+\.py:\d+: ", "", error)


def advice(report):
    """Return what to change in the function, at most three sentences.

    Where Numba refused it, or where it gained nothing by it.
    """
    if report.is_comparison:
        return []
    if report.found.waits > WAITS and not _wins(report):
        share = f"{report.found.waits:.0%}"
        return [
            f"It waits for {share} of its time, so that no compiler helps: "
            "do several at once, by threads or asyncio."
        ]
    refusals = [
        line
        for name in report.others
        if report.tried[name].prepared and _matters(name)
        for line in report.tried[name].prepared.advice
    ]
    lines = refusals or ([] if _wins(report) else report.found.advice)
    written = how(report)
    return [
        x
        for x in dict.fromkeys(lines)
        if x not in written and not (_converts(x) and _is_told(report))
    ][:3]


def _converts(line):
    """Tell whether a sentence asks for arguments of another type."""
    return "np.array(" in line or "numba.typed." in line


def _is_told(report):
    """Tell whether the winner converts the arguments, or Numba refused it."""
    if _wins(report) and " on " in report.ranges[-1][0]:
        return True
    converted = [
        report.tried[name]
        for name in report.others
        if name.startswith("numba.njit on ")
    ]
    return any(t.prepared and t.error for t in converted)


def _wins(report):
    return bool(report.ranges and report.ranges[-1][0])


# --- many calls -------------------------------------------------------------


def calls(report):
    """Return what threads and processes make of many such calls."""
    noisy = [
        what
        for what, trial in report.pools.items()
        if not trial.error
        and not _in_turns(report, trial)
        and (_is_noisy(trial) or _is_idle(report, trial))
    ]
    parts = [
        _of_pool(trial, what)
        if what == "processes" or trial.error
        else _of_threads(report, trial)
        for what, trial in report.pools.items()
        if what not in noisy
    ]
    if noisy:
        parts.append(
            f"What {' and '.join(noisy)} gain is not known: the times vary "
            "too much. Try again when the machine is quiet."
        )
    return " ".join(parts)


def _is_noisy(trial):
    """Tell whether a pool's gain is more than it can be, or anything."""
    if trial.error:
        return False
    workers, speed = trial.best[max(trial.best)]
    return speed.value > MORE * workers or is_wide(speed)


def _in_turns(report, trial):
    """Tell whether a pool is one of threads that took turns."""
    if trial.error or not hasattr(trial, "reports"):
        return False
    quiet = not report.is_disturbed
    return trial.held or (quiet and _is_idle(report, trial))


def _is_idle(report, trial):
    """Tell whether threads kept no more than one core busy.

    Then a gain cannot be theirs, but is another core's, which was faster or
    freer; where other programs had the cores, nobody knows.
    """
    if not hasattr(trial, "reports"):
        return False
    busy = trial.reports[OWN].busy
    return busy[max(busy)].value < ONE_CORE and report.found.waits < WAITS


def _of_threads(report, trial):
    own = trial.reports[OWN]
    if _in_turns(report, trial):
        text = "Threads gain nothing: the function holds the GIL."
    else:
        text = _of_pool(trial, "threads")
    if trial.comparison.startswith("NOT SAFE"):
        text += f" {trial.comparison[0]}{trial.comparison[1:]}."
    elif own.verdict == nogil.PARTLY:
        text += " It releases the GIL for a part of its time."
    return text


def _of_pool(trial, what):
    """Return from which size a pool pays, and its gain at the largest."""
    name = what.capitalize()
    if trial.error:
        return f"{name} were not measured: {trial.error}."
    most, start = max(trial.best), trial.pays_from
    workers, speed = trial.best[most]
    if start is None:
        clearly = "clearly " if speed.value > 1 else ""
        return (
            f"{name} do not {clearly}pay up to n = {most:,} ({speed.about})."
        )
    since = "" if start == min(trial.best) else f" from n = {start:,} on"
    return (
        f"Many such calls are {speed.about} faster in {workers} {what} than "
        f"one after the other at n = {most:,}; they pay{since or ' ' + ALL}."
    )


# --- cost, memory, what is missing ------------------------------------------


def cost(report):
    """Return how a call's time grows with the size."""
    power = report.growth
    if power is None:
        return ""
    base = report.seconds(report.baseline.name)
    size = max(base)
    if power < 0.15:
        return f"A call takes {base[size].about}, whatever n is."
    if power < 0.85:
        return (
            f"A call's time grows more slowly than n (about n^{power:.1f})."
        )
    if power <= 1.15:
        each = base[size] / size
        return f"A call's time grows in proportion to n: {each.about} each."
    return f"A call's time grows faster than n (about n^{power:.1f})."


def memory(report):
    """Return what a call of each function needs at the largest size."""
    if not any(report.memory.values()):
        return ""
    size = max(report.sizes)
    each = ", ".join(
        f"{name} {_bytes(count)}" for name, count in report.memory.items()
    )
    return f"Beyond what it is given, at n = {size:,}: {each}."


def _bytes(count):
    if count < 1e6:
        return "less than 1 MB"
    return f"{count / 1e6:,.0f} MB"


def left_out(report):
    """Return which sizes the budget is too small for."""
    left = report.found.left
    if not left:
        return ""
    sizes = listed([f"{n:,}" for n in left])
    seconds = Quantity.exact(left[max(left)], "s")
    return (
        f"n = {sizes}: a call may take {seconds.about}; --budget "
        f"{_rounded(20 * left[max(left)])} would include all."
    )


def _rounded(seconds):
    return f"{float(f'{seconds:.1g}'):.0f}"


def doubts(report):
    """Return what disturbed the measurement, or ""."""
    if report.is_disturbed:
        return (
            f"Other programs used up to {report.busy:.0%} of the processor "
            "meanwhile: the numbers may differ on a quiet machine."
        )
    return ""
