"""From which size threads pay, and why, in words."""

from confirming.found import PAYS
from confirming.numbers import count
from onthefly.experiments.gil import nogil


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
    if found.held:
        return (
            f"not resolved up to n = {count(largest)}: there {gain}",
            f"{word(report)}: {report.why}; so the gain is not theirs, but "
            "another core's, which was faster or freer: try again when the "
            "machine is quiet",
        )
    return (
        f"not resolved up to n = {count(largest)}: there {gain}",
        f"the speed-up is not above {PAYS:g}× beyond doubt at the largest "
        f"size, nor below it at all sizes; the nogil fraction says: "
        f"{report.verdict} ({report.why})",
    )


def _why_pays(found, start):
    report = found.main
    why = f"{word(report)}: {report.why}"
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
    return f"{word(report)}: {report.why}; {advice}"


def word(report):
    """Return the verdict as the beginning of a sentence on the function."""
    return {
        nogil.SLOW: "it is slower in threads",
        nogil.UNKNOWN: "its nogil fraction is not resolved",
        nogil.ELSEWHERE: "it is limited elsewhere than by the GIL",
        nogil.PARTLY: "it releases the GIL for a part of its time",
    }.get(report.verdict, f"it {report.verdict}")
