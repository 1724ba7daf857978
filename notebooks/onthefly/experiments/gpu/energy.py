"""Energy from the counters that machines have: NVML's for a device, RAPL's
for the processor.  Both only rise, and both are renewed now and then, some
every 100 ms; so a measurement begins and ends where the counter changes, and
is long enough that one change more or less hardly matters.

What they include: NVML's counts the whole board, memory and regulators too;
RAPL's counts the processor's package, and neither counts the power supply.
Sources: NVIDIA's NVML reference (nvmlDeviceGetTotalEnergyConsumption);
Linux' powercap documentation.
"""

import functools
import pathlib
import statistics
import time

from onthefly.measure.clock import sample

POWERCAP = pathlib.Path("/sys/class/powercap")
LIMIT = 5.0  # seconds without a change after which a counter is dead
LEAST = 0.5  # seconds of a window, however often the counter changes
MOST = 10.0  # and however seldom
SETTLE = 1.0  # seconds, at most, in which power and its readings follow


def device_counter(bus):
    """Return a function that gives joules since some time, or None.

    bus  the device's PCI address, as CuPy's Device.pci_bus_id

    None where the device has no such counter: before Volta.
    """
    import pynvml

    pynvml.nvmlInit()
    try:
        handle = pynvml.nvmlDeviceGetHandleByPciBusId(bus)
        pynvml.nvmlDeviceGetTotalEnergyConsumption(handle)
    except pynvml.NVMLError:
        return None
    return lambda: pynvml.nvmlDeviceGetTotalEnergyConsumption(handle) / 1000


def processor_counter(folder=POWERCAP):
    """Return (function that gives joules, "") or (None, why there is none).

    The sum of all packages.  A counter that starts again at 0 is unrolled.
    """
    zones = sorted(folder.glob("intel-rapl:*"))  # AMD's, too
    try:  # parts of a package, and the whole board, would count twice
        names = {z: (z / "name").read_text() for z in zones}
        zones = [z for z in zones if names[z].startswith("package")]
        if not zones:
            return None, "this system shows no RAPL counter"
        tops = [int((z / "max_energy_range_uj").read_text()) for z in zones]
        last = [int((z / "energy_uj").read_text()) for z in zones]
    except OSError as error:
        return None, f"RAPL: {error.strerror}; repair: read as root"
    total = [0]

    def joules():
        for k, zone in enumerate(zones):
            now = int((zone / "energy_uj").read_text())
            total[0] += (now - last[k]) % (tops[k] + 1)
            last[k] = now
        return total[0] / 1e6

    return joules, ""


def spent(run, joules, seconds, timer=time.perf_counter):
    """Return (seconds, joules, runs) between two changes of a counter.

    run      function without arguments that returns when its work is done
    joules   the counter
    seconds  at least so long, after as long again, or SETTLE, that does not
             count: power and its readings lag behind what ran before

    Raises RuntimeError for a counter that does not change.
    """
    settle = min(seconds, SETTLE)
    begin, low, start, runs = None, 0.0, timer(), 0
    last = joules()
    while True:
        run()
        now, value = timer(), joules()
        if begin is not None:
            runs += 1
            if value != last and now - begin >= seconds:
                return now - begin, value - low, runs
        elif value != last and now - start >= settle:
            begin, low = now, value
        last = value
        if now - start > 2 * seconds + LIMIT:
            raise RuntimeError("energy: the counter does not change")


def update(joules, timer=time.perf_counter):
    """Return the seconds from one change of a counter to the next.

    Raises RuntimeError for a counter that does not change.
    """

    def changed():
        last, start = joules(), timer()
        while joules() == last:
            if timer() - start > LIMIT:
                raise RuntimeError("energy: the counter does not change")
        return timer()

    start = changed()
    return changed() - start


def runs(joules, timer=time.perf_counter):
    """Tell whether a counter changes."""
    try:
        update(joules, timer)
    except RuntimeError:
        return False
    return True


def window(joules, share, timer=time.perf_counter):
    """Return the seconds of which one change of the counter is the share.

    LEAST, or MOST, where these are fewer or more.
    """
    steps = [update(joules, timer) for _ in range(3)]
    return min(MOST, max(LEAST, statistics.median(steps) / share))


def rounds(loads, joules, share, count=6):
    """Return the Timings of loads by a counter, and of its own changes.

    loads  {name: (run, shots of a run)}; run as in `spent`
    share  of a window, at most, from one change of the counter to the next

    Series "a joule, <name>": how long one joule lasts; "a window, <name>",
    in which that was seen; "10^9 shots, <name>"; of <name> "idle" the first
    two, in the same rounds; and "an update" of the counter.
    """
    seconds = window(joules, share)

    def take(name, run, shots):
        taken, energy, runs = spent(run, joules, seconds)
        ratios = {f"a joule, {name}": taken / energy,
                 f"a window, {name}": taken}  # fmt: skip
        if shots:
            ratios[f"10^9 shots, {name}"] = taken / (runs * shots) * 1e9
        return ratios

    everything = {"idle": (functools.partial(time.sleep, 0.002), 0), **loads}
    samplers = {
        name: functools.partial(take, name, *load)
        for name, load in everything.items()
    }
    samplers["an update"] = functools.partial(update, joules)
    # What `spent` leaves out before each sample holds the first call, too.
    return sample(samplers, least=count, rounds=count, first="unknown")


def per_shots(times, name):
    """Return the joules of 10^9 shots: (in all, less the idle power).

    times  as `rounds` returns them
    """
    shots = times.seconds(f"10^9 shots, {name}")
    whole, idle = (
        (shots / times.seconds(f"a joule, {power}")).named("J")
        for power in (name, "idle")
    )
    return whole, whole - idle
