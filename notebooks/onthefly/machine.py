"""What this machine is: processor, cores, memory, GPU, Python, versions.

Standard library only at import, so that worker processes start fast.
"""

import contextlib
import datetime
import functools
import importlib.util
import os
import pathlib
import platform
import re
import shutil
import sysconfig
import time

from onthefly import libraries


def _read(path):
    """Return a small system file's text, or None where there is none."""
    with contextlib.suppress(OSError):
        return pathlib.Path(path).read_text().strip()
    return None


def _cpu_fields():
    """Return the first processor's entries of /proc/cpuinfo."""
    text = (_read("/proc/cpuinfo") or "").split("\n\n")[0]
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs}


def cpu_model():
    """Return the processor's name as the system gives it."""
    return _cpu_fields().get("model name") or platform.processor() or "cpu"


def _cgroup_cores():
    """Return the cores that the control group allows, or None (no limit)."""
    text = _read("/sys/fs/cgroup/cpu.max")
    if text and not text.startswith("max"):
        quota, period = map(int, text.split())
        return quota / period
    quota = _read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
    period = _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
    if quota and period and int(quota) > 0:
        return int(quota) / int(period)
    return None


def usable_cores():
    """Return how many processors this process may use.

    The smaller of the affinity mask and the control group's limit (at
    least 1).  ``os.cpu_count`` counts the machine's processors instead,
    which a container may not use.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        cores = os.cpu_count() or 1
    limit = _cgroup_cores()
    return cores if limit is None else max(1, min(cores, int(limit)))


def threads_per_core():
    """Return how many hardware threads share a core (1 where unknown)."""
    path = "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"
    siblings = _read(path) or "0"
    count = 0
    for part in siblings.split(","):
        low, _, high = part.partition("-")
        count += int(high or low) - int(low) + 1
    return count


def real_cores():
    """Return the usable cores with hyper-threads counted once."""
    return max(1, usable_cores() // threads_per_core())


def caches():
    """Return {name: bytes} of the first core's data and shared caches."""
    found = {}
    root = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
    for index in sorted(root.glob("index*")):
        kind, size = _read(index / "type"), _read(index / "size")
        if kind == "Instruction" or not size:
            continue
        unit = {"K": 1024, "M": 1024**2}.get(size[-1], 1)
        found["L" + _read(index / "level")] = int(size.rstrip("KM")) * unit
    return found


def turbo():
    """Return "on", "off", or "unknown" where the system does not tell."""
    intel = _read("/sys/devices/system/cpu/intel_pstate/no_turbo")
    if intel is not None:
        return "off" if intel == "1" else "on"
    boost = _read("/sys/devices/system/cpu/cpufreq/boost")
    if boost is not None:
        return "on" if boost == "1" else "off"
    return "unknown"


def _memory():
    """Return usable bytes of memory: the control group's limit counts."""
    import psutil

    total = psutil.virtual_memory().total
    limit = _read("/sys/fs/cgroup/memory.max") or _read(
        "/sys/fs/cgroup/memory/memory.limit_in_bytes"
    )
    return min(total, int(limit)) if limit and limit.isdigit() else total


@functools.cache
def gpus():
    """Return a list of {name, memory, driver} from NVML; [] without one."""
    if not importlib.util.find_spec("pynvml"):
        return []
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:  # no driver, no device
        return []
    try:
        driver = pynvml.nvmlSystemGetDriverVersion()
        count = range(pynvml.nvmlDeviceGetCount())
        handles = [pynvml.nvmlDeviceGetHandleByIndex(i) for i in count]
        return [
            {
                "name": pynvml.nvmlDeviceGetName(handle),
                "memory": pynvml.nvmlDeviceGetMemoryInfo(handle).total,
                "driver": driver,
            }
            for handle in handles
        ]
    finally:
        pynvml.nvmlShutdown()


def has_cuda():
    """Return True where NVML finds a CUDA device."""
    return bool(gpus())


def _slugify(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def slug():
    """Return a readable name, e.g. ``amd-epyc-7b13-2c`` or ``…-16c-h200``.

    The environment variable ONTHEFLY_MACHINE overrides it.
    """
    if name := _slugify(os.environ.get("ONTHEFLY_MACHINE", "")):
        return name
    noise = r"\((r|tm)\)|processor|cpu|\d+-core|@.*|with .*"
    model = re.sub(noise, " ", cpu_model(), flags=re.I)
    parts = [_slugify(model), f"{usable_cores()}c"]
    if gpus():
        parts.append(_slugify(gpus()[0]["name"].replace("NVIDIA", "")))
    return "-".join(filter(None, parts))


def pools():
    """Return the BLAS and OpenMP pools loaded now, one string each."""
    import numpy  # noqa: F401  (its BLAS is the pool to report)
    from threadpoolctl import threadpool_info

    return [
        f"{p['internal_api']} {p.get('version') or ''}".strip()
        + f", {p['num_threads']} threads"
        for p in threadpool_info()
    ]


def python_build():
    """Return how this interpreter was built: version, GIL, compiler, pgo.

    `pgo` tells whether the configure line asked for a profile-guided build;
    False means "not stated": Debian asks for one elsewhere.
    """
    config = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return {
        "version": platform.python_version(),
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "pgo": "--enable-optimizations" in config,
        "compiler": platform.python_compiler(),
    }


def load():
    """Return the 1-minute load average (0 where the system has none)."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0


def waits(call, calls=5):
    """Return what a call spends on waiting, as the kernel counts it.

    The sleeps of a call (voluntary context switches, of all threads) and
    the share of processor time that the kernel used, from 0 to 1.
    """
    import resource  # not on Windows

    before = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(calls):
        call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    kernel = after.ru_stime - before.ru_stime
    total = kernel + after.ru_utime - before.ru_utime
    switches = after.ru_nvcsw - before.ru_nvcsw
    return switches / calls, kernel / total if total else 0.0


class Bystanders:
    """How many cores other programs use, from now on.

    The system's processor seconds, those that a hypervisor took away
    included, less those of this process and of its descendants.
    """

    # Seconds that both counts may be off: the system's goes by clock ticks.
    SLACK = 0.1

    def __init__(self):
        self._start = self._read()

    @staticmethod
    def _read():
        import psutil

        times = psutil.cpu_times()._asdict()
        idle = ("idle", "iowait", "guest", "guest_nice")  # guest is in user
        busy = sum(v for k, v in times.items() if k not in idle)
        me = psutil.Process()
        for process in (me, *me.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                busy -= sum(process.cpu_times()[:4])  # own and reaped ones
        return time.monotonic(), busy

    def cores(self):
        """Return the mean number of cores that others used so far."""
        (start, before), (now, after) = self._start, self._read()
        used = after - before - self.SLACK
        return max(0.0, used / max(now - start, 1e-9))


def record():
    """Return the machine record that travels with every result.

    A JSON-ready dict: slug, cpu, cores (usable, machine, threads_per_core),
    caches and memory in bytes, turbo, gpus, pools, python, packages, system,
    load (1 minute) and time (ISO 8601, UTC).
    """
    return {
        "slug": slug(),
        "cpu": cpu_model(),
        "cores": {
            "usable": usable_cores(),
            "machine": os.cpu_count(),
            "threads_per_core": threads_per_core(),
        },
        "caches": caches(),
        "memory": _memory(),
        "turbo": turbo(),
        "gpus": gpus(),
        "pools": pools(),
        "python": python_build(),
        "packages": libraries.versions(),
        "system": f"{platform.system()} {platform.release()}",
        "load": load(),
        "time": datetime.datetime.now(datetime.UTC).isoformat("T", "seconds"),
    }


def compiler(language):
    """Return the path of the compiler of "C" or "C++", or None.

    For C++ it is the one that torch.compile takes, too.
    """
    commands = {"C": ("cc", "gcc"), "C++": (os.environ.get("CXX", "g++"),)}
    return next(filter(None, map(shutil.which, commands[language])), None)


def available(need):
    """Tell whether a claim's need is met here.

    need  ``cpu``, ``none``, ``gpu``, ``compiler``, ``cores>=N``, a library
          of the table by its key, or that key with ``-gpu``: a build of it
          that may be for CUDA, and a device

    Returns True or False; what no machine of this kind has (``tpu``,
    ``mobile``) is False.
    """
    if need in ("cpu", "none"):
        return True
    if need == "gpu":
        return has_cuda()
    if need == "compiler":
        return compiler("C") is not None
    if need.startswith("cores>="):
        return usable_cores() >= int(need[7:])
    key = need.removesuffix("-gpu")
    library = libraries.LIBRARIES.get(key)
    if library is None:
        return False
    if need == key:
        return library.here()
    return has_cuda() and bool(libraries.version(*library.cuda))


def clock_resolution():
    """Return {clock name: seconds} of the smallest step of each clock."""
    return {
        name: time.get_clock_info(name).resolution
        for name in ("time", "monotonic", "perf_counter", "thread_time")
    }
