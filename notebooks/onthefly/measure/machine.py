"""What this machine is: processor, cores, memory, GPU, Python, versions.

Standard library only at import, so that worker processes start fast.
"""

import contextlib
import datetime
import functools
import hmac
import itertools
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sysconfig
import time

from onthefly.measure import libraries, nvml


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


def _cgroups(controller):
    """Yield the folders of the control groups that this process is in.

    controller  as "cpu" or "memory", of a system with version 1

    Its own group comes first, then those around it, each of which may set a
    limit.  Where a container sees only its own, that is the root.
    """
    root = pathlib.Path("/sys/fs/cgroup")
    for line in (_read("/proc/self/cgroup") or "0::/").splitlines():
        _, names, path = line.split(":", 2)
        if names and controller not in names.split(","):
            continue
        top = root / controller if names else root
        group = top / path.strip("/")
        yield from itertools.takewhile(
            lambda one, top=top: one != top.parent, (group, *group.parents)
        )


def _cgroup_cores():
    """Return the cores that the control groups allow, or None (no limit)."""
    limits = []
    for group in _cgroups("cpu"):
        quota, _, period = (_read(f"{group}/cpu.max") or "").partition(" ")
        quota = quota or _read(f"{group}/cpu.cfs_quota_us")
        period = period or _read(f"{group}/cpu.cfs_period_us")
        if quota and quota.isdigit() and period:  # not "max", not -1
            limits.append(int(quota) / int(period))
    return min(limits, default=None)


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
    sizes = {}
    root = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
    for index in sorted(root.glob("index*")):
        kind, size = _read(index / "type"), _read(index / "size")
        if kind == "Instruction" or not size:
            continue
        unit = {"K": 1024, "M": 1024**2}.get(size[-1], 1)
        sizes["L" + _read(index / "level")] = int(size.rstrip("KM")) * unit
    return sizes


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
    """Return usable bytes of memory: the control groups' limits count."""
    import psutil

    limits = [psutil.virtual_memory().total]
    for group in _cgroups("memory"):
        limit = _read(f"{group}/memory.max") or _read(
            f"{group}/memory.limit_in_bytes"
        )
        if limit and limit.isdigit():
            limits.append(int(limit))
    return min(limits)


@functools.cache
def toolkit():
    """Return the version of the CUDA toolkit of this environment, or ""."""
    packages = "cuda-toolkit", "nvidia-cuda-runtime"
    if release := libraries.version(*packages, "nvidia-cuda-runtime-cu12"):
        return release
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        answer = subprocess.run(
            ["nvcc", "--version"], capture_output=True, text=True, check=True
        )
        if release := re.search(r"release (\d+\.\d+)", answer.stdout):
            return release[1]
    return ""


def _of_each_gpu(question):
    """Return [question(handle)] of each device that CUDA may use."""
    with contextlib.suppress(libraries.Missing), nvml.devices() as handles:
        return [question(handle) for handle in handles]
    return []


@functools.cache
def gpus():
    """Return a list of the devices that CUDA may use, the first one first.

    Each is a dict as `nvml.facts` returns it, and `runtime`, the version of
    the CUDA toolkit here.  [] where there is none.
    """
    facts = _of_each_gpu(nvml.facts)
    return [about | {"runtime": toolkit()} for about in facts]


def gpu_states():
    """Return what each of `gpus` does now, as `nvml.state` returns it."""
    return _of_each_gpu(nvml.state)


def gpu_link():
    """Return the link of the first of `gpus`, as `nvml.link`, or None."""
    return next(iter(_of_each_gpu(nvml.link)), None)


def has_cuda():
    """Return True where the driver shows a device that CUDA may use.

    A cheap question.  What a library sees is for `tools.devices` to tell.
    """
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


# Only this book makes these digits of a machine's secret number.
_KEYED = b"python-on-the-fly"


def _digits(path):
    """Return a keyed hash of the number in a system file; "" without one."""
    number = (_read(path) or "").replace("-", "")
    if not re.fullmatch(r"[0-9a-f]{32}", number):
        return ""
    return hmac.new(number.encode(), _KEYED, "sha256").hexdigest()[:12]


def boot():
    """Return digits that tell this system's start from others, or "".

    Containers on one machine share them, as they share its processors.
    """
    return _digits("/proc/sys/kernel/random/boot_id")


def identity():
    """Return digits that tell this machine from all others, or "".

    A hash of its number that says nothing else of it: machine-id(5) asks
    for one where the number may be seen.  In a container without such a
    number, it is `boot`, and another one after the machine's next start.
    """
    return _digits("/etc/machine-id") or boot()


def unique_slug():
    """Return `slug` with six digits of `identity`, as machines may be alike.

    It is the machine's name on a cluster.
    """
    return "-".join(filter(None, (slug(), identity()[:6])))


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


@contextlib.contextmanager
def waiting():
    """Give a dict that tells, after the block, what all threads waited.

    "sleeps" are the voluntary context switches, "kernel" is the share of
    processor time, 0 to 1, that the kernel used.
    """
    import resource  # not on Windows

    spent = {}
    before = resource.getrusage(resource.RUSAGE_SELF)
    yield spent
    after = resource.getrusage(resource.RUSAGE_SELF)
    kernel = after.ru_stime - before.ru_stime
    total = kernel + after.ru_utime - before.ru_utime
    spent["sleeps"] = after.ru_nvcsw - before.ru_nvcsw
    share = kernel / total if total else 0.0
    spent["kernel"] = min(share, 1.0)  # rounding may add to it


def waits(call, calls=5):
    """Return what a call spends on waiting, as the kernel counts it.

    The sleeps of a call (voluntary context switches, of all threads) and
    the share of processor time that the kernel used, from 0 to 1.
    """
    with waiting() as spent:
        for _ in range(calls):
            call()
    return spent["sleeps"] / calls, spent["kernel"]


def processor_seconds():
    """Return the processor seconds of this thread, and of all of us.

    All of us are the threads of this process, and the children that have
    ended: another process is counted when it is waited for.
    """
    import resource  # not on Windows

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    every = time.process_time() + ended.ru_utime + ended.ru_stime
    return time.thread_time(), every


def queued_seconds():
    """Return the seconds that this thread waited for a core, up to now."""
    try:
        with open("/proc/thread-self/schedstat") as file:
            return int(file.read().split()[1]) / 1e9
    except OSError:  # another system
        return 0.0


def descendants():
    """Return {process id: processor seconds} of all that live of ours."""
    import psutil

    seconds = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            # its own, and of those that it has waited for
            seconds[process.pid] = sum(process.cpu_times()[:4])
    return seconds


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
        busy -= sum(psutil.Process().cpu_times()[:4])  # own and reaped ones
        return time.monotonic(), busy - sum(descendants().values())

    def cores(self):
        """Return the mean number of cores that others used so far."""
        (start, before), (now, after) = self._start, self._read()
        used = after - before - self.SLACK
        return max(0.0, used / max(now - start, 1e-9))


def record():
    """Return the machine record that travels with every result.

    A JSON-ready dict: slug, id (as `identity`), cpu, cores (usable, machine,
    threads_per_core), caches and memory in bytes, turbo, gpus, pools, python,
    packages, system, load (1 minute) and time (ISO 8601, UTC).  Each of gpus
    has its state now as `before`; `end` adds that of the end.
    """
    states = gpu_states()
    return {
        "slug": slug(),
        "id": identity(),
        "cpu": cpu_model(),
        "cores": {
            "usable": usable_cores(),
            "machine": os.cpu_count(),
            "threads_per_core": threads_per_core(),
        },
        "caches": caches(),
        "memory": _memory(),
        "turbo": turbo(),
        "gpus": [
            about | {"before": state}
            for about, state in itertools.zip_longest(gpus(), states)
        ],
        "pools": pools(),
        "python": python_build(),
        "packages": libraries.versions(),
        "system": f"{platform.system()} {platform.release()}",
        "load": load(),
        "time": datetime.datetime.now(datetime.UTC).isoformat("T", "seconds"),
    }


def end(record):
    """Note in a machine record what its GPUs do now, as `after`."""
    for about, state in zip(record["gpus"], gpu_states(), strict=False):
        about["after"] = state


def compiler(language):
    """Return the path of the compiler of "C" or "C++", or None.

    For C++ it is the one that torch.compile takes, too.
    """
    commands = {"C": ("cc", "gcc"), "C++": (os.environ.get("CXX", "g++"),)}
    return next(filter(None, map(shutil.which, commands[language])), None)


def line(record):
    """Return the machine record as one line of text."""
    cores = record["cores"]["usable"]
    python = record["python"]
    kind = " free-threaded" if python["free_threaded"] else ""
    build = "" if python["pgo"] else ", no profile-guided build stated"
    gpu = ", ".join(map(_gpu, record["gpus"])) or "no GPU"
    return (
        f"{record['cpu']}, {cores} usable cores, "
        f"{record['memory'] / 1e9:.0f} GB, {gpu}; "
        f"CPython {python['version']}{kind} ({python['compiler']}{build}); "
        f"{record['system']}; load {record['load']:.2f}; "
        f"{record['time'][:10]}"
    )


def _gpu(about):
    """Return a GPU's name, with its power limit where that is lowered."""
    limit, most = (about.get(f"power_{k}") for k in ("limit", "default"))
    lowered = limit and most and limit < most
    tail = f" (power limit {limit:.0f} of {most:.0f} W)" if lowered else ""
    return about["name"] + tail
