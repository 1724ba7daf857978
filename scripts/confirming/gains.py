"""What of all that was tried gains, in words: the verdict and the pools."""

from confirming.pool_trials import PAYS
from onthefly.experiments.gil import nogil

SHORT = 10  # times what handing on costs, below which a call is too short


def verdict(measurement):
    """Return what of all that was tried gains most, and how much.

    All at the largest size at which each was tried.
    """
    tried = _tried(measurement)
    common = set.intersection(*map(set, tried.values()))
    size = max(common, default=None)
    at = {what: size or max(gains) for what, gains in tried.items()}
    ranked = [(what, *tried[what][n], n) for what, n in at.items()]
    ranked.sort(key=lambda row: -row[2].value)
    text = "; then ".join(
        part
        for part in (
            "; ".join(_gain(*row) for row in rows)
            for rows in (ranked[:1], ranked[1:])
        )
        if part
    )
    if size is None:
        text += " (each at its own largest size: they have none in common)"
    best, _, speed, _ = ranked[0]
    # Threads that took turns gained nothing: another core was faster.
    if speed.low > PAYS and not (best == "threads" and measurement.held):
        return f"most gains {text}"
    if all(row[2].high <= PAYS for row in ranked):
        return f"nothing that was tried pays; the best is {text}"
    return f"not resolved; the best is {text}"


def _gain(_, name, speed, n):
    return f"{name}, {speed} as fast at n = {n:,}"


def _tried(measurement):
    """Return {what: {size: (its name there, gain)}} of all that was tried."""
    gains = {
        what: {n: (f"{k} {what}", q) for n, (k, q) in trial.best.items()}
        for what, trial in [
            ("threads", measurement.threads),
            ("processes", measurement.processes),
        ]
    }
    fast = measurement.numba
    # What came compiled has no gain to come.
    if not fast.differs and not fast.already:
        for name, some in [
            ("numba.njit", fast.gains),
            ("numba.njit on arrays", fast.array_gains),
        ]:
            gains[name] = {n: (name, q) for n, q in some.items()}
    return {what: some for what, some in gains.items() if some}


def threads(measurement):
    """Return from which size threads pay, and why, in words."""
    trial, report = measurement.threads, measurement.main
    largest = max(trial.best)
    workers, speed = trial.best[largest]
    gain = f"{workers} threads do the work {speed} as fast as one"
    start = measurement.threads_pay_from
    if start is not None:
        where = f"threads pay {_from(trial, start)}"
        if start != largest or len(trial.best) == 1:
            where += f": at n = {largest:,}"
        return f"{where}, {gain}", _why_they_pay(measurement, start)
    if trial.never_pays:
        no = f"threads do not pay up to n = {largest:,}: there {gain}"
        return no, _why_not(measurement)
    if measurement.held:
        why = (
            f"{reading(report)}: {report.why}; so the gain is not theirs, "
            "but another core's, which was faster or freer: try again when "
            "the machine is quiet"
        )
    else:
        why = (
            f"the speed-up is not above {PAYS:g}× beyond doubt at the "
            "largest size, nor below it at all sizes; the nogil fraction "
            f"says: {report.verdict} ({report.why})"
        )
    return f"not resolved up to n = {largest:,}: there {gain}", why


def _from(trial, start):
    if start == min(trial.best):
        return "at every size tried"
    if start == max(trial.best):
        return f"at n = {start:,}, the largest tried"
    return f"from n = {start:,} on"


def _why_they_pay(measurement, start):
    why = f"{reading(measurement.main)}: {measurement.main.why}"
    smaller = [n for n in measurement.threads.best if n < start]
    if not smaller:
        return why
    below = max(smaller)
    call, hand = measurement.seconds[below], measurement.threads.handing
    if call.value < SHORT * hand.value:
        return (
            f"{why}; below, a call is too short: {call.short} at n = "
            f"{below:,}, and handing it to a thread costs {hand.short}"
        )
    return f"{why}; at n = {below:,} the gain is not resolved or too small"


def _why_not(measurement):
    report, trial = measurement.main, measurement.threads
    call, hand = measurement.seconds[max(trial.best)], trial.handing
    if report.verdict != nogil.RELEASES:
        advice = {
            nogil.HOLDS: "use processes, or compile it to run without the "
            "GIL",
            nogil.SLOW: "use processes, or compile it to run without the GIL",
            nogil.ELSEWHERE: "threads of your own add nothing",
            nogil.PARTLY: "shorten what it does under the GIL",
            nogil.UNKNOWN: "try again on a quiet machine, or a larger "
            "--budget",
        }[report.verdict]
        return f"{reading(report)}: {report.why}; {advice}"
    if call.value < SHORT * hand.value:
        return (
            "it releases the GIL, but its calls are too short: "
            f"{call.short} at the largest size, and handing one to a "
            f"thread costs {hand.short}; give a thread many calls at once"
        )
    return (
        "it releases the GIL, and the machine had no core to spare while "
        "the calls ran as tasks; try again when it is quiet"
    )


def reading(report):
    """Return a nogil verdict as the beginning of a sentence."""
    return {
        nogil.SLOW: "it is slower in threads",
        nogil.UNKNOWN: "its nogil fraction is not resolved",
        nogil.ELSEWHERE: "it is limited elsewhere than by the GIL",
        nogil.PARTLY: "it releases the GIL for a part of its time",
    }.get(report.verdict, f"it {report.verdict}")


def processes(trial):
    """Return what processes make of it, in words.

    trial  the PoolTrial of processes
    """
    if trial.error:
        return f"not measured: {trial.error}"
    largest = max(trial.best)
    workers, speed = trial.best[largest]
    gain = (
        f"at n = {largest:,} {workers} processes do the work {speed} as "
        "fast as one"
    )
    if trial.pays_from is not None:
        return f"processes pay {_from(trial, trial.pays_from)}: {gain}"
    if trial.never_pays:
        return f"processes do not pay up to n = {largest:,}: {gain}"
    return f"processes: not resolved up to n = {largest:,}: {gain}"


def handing(measurement):
    """Return what it costs to give a pool one call."""
    by_threads, trial = measurement.threads, measurement.processes
    text = f"{by_threads.handing} to give a pool of threads one call"
    if trial.error:
        return text
    return (
        f"{text}, {trial.handing} one of processes, without the time for "
        f"what is sent ({trial.sent:,} bytes of arguments at the largest "
        f"size); the processes take {trial.start} to start"
    )
