"""The CUDA devices of this machine, and what is wrong with them."""

import glob
import os

from checking import faults
from onthefly import machine, nvml


def look():
    """Return the devices that CUDA may use as faults.of_device takes them.

    Raises nvml.Missing where there is no looking.
    """
    with nvml.devices() as handles:
        return [_looked_at(handle) for handle in handles]


def _looked_at(handle):
    import pynvml

    memory = nvml.ask("DeviceGetMemoryInfo", handle)
    users = nvml.ask("DeviceGetComputeRunningProcesses", handle) or []
    return {
        "name": pynvml.nvmlDeviceGetName(handle),
        "driver": pynvml.nvmlSystemGetDriverVersion(),
        "cuda": nvml.cuda(),
        "capability": pynvml.nvmlDeviceGetCudaComputeCapability(handle),
        "total": memory and memory.total,
        "free": memory and memory.free,
        "others": [user.pid for user in users],
    }


def device_line(device, toolkit):
    """Return one line on a device."""
    cuda, capability = (
        ".".join(map(str, device[key])) for key in ("cuda", "capability")
    )
    total, free = (device[k] and device[k] / 2**30 for k in ("total", "free"))
    memory = (
        f"{total:.0f} GiB ({free:.0f} free)" if total else "memory shared"
    )
    return (
        f"{device['name']}, {memory}, compute capability "
        f"{capability}; driver {device['driver']}, CUDA {cuda}; "
        f"toolkit {toolkit or 'not found'}"
    )


def forbidden(nodes):
    """Return the device files that this user may not use."""
    return [n for n in nodes if not os.access(n, os.R_OK | os.W_OK)]


def devices():
    """Return (lines that describe the devices, lines of faults)."""
    nodes = sorted(glob.glob("/dev/nvidia[0-9]*"))
    if closed := forbidden(nodes):
        fault = faults.of_text("Insufficient Permissions")
        return [], [f"{', '.join(closed)}: {fault}"]
    try:
        found = look()
    except Exception as error:  # whatever NVML is, or is not
        fault = faults.of_text(str(error))
        if not nodes:
            return [], [f"no GPU here ({error}); recorded results are drawn"]
        return [], [str(fault or f"NVML: {error}")]
    if not found:
        names = os.environ.get("CUDA_VISIBLE_DEVICES")
        why = "" if names is None else f" (CUDA_VISIBLE_DEVICES is {names!r})"
        return [], [f"no GPU here{why}; recorded results are drawn"]
    version = machine.toolkit()
    wrong = [f for d in found for f in faults.of_device(d, version)]
    return [device_line(d, version) for d in found], list(map(str, wrong))
