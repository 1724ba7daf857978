"""The CUDA devices of this machine, and what is wrong with them."""

import os

from onthefly.environment import repairs
from onthefly.measure import machine, nvml

VISIBLE = "CUDA_VISIBLE_DEVICES"
# A library and its own display need some room; a measurement needs more.
ROOM = 2 * 2**30  # bytes that must be free
SHARE = 0.5  # of the memory that must be free, whatever the card


def look():
    """Return the devices that CUDA may use, each as a dict.

    That is what `nvml.facts` returns, and capability ((major, minor)), free
    (bytes, None where memory is shared) and processes ([pid]).  Raises
    nvml.Missing where there is no looking.
    """
    with nvml.devices() as handles:
        return [nvml.facts(handle) | _use_of(handle) for handle in handles]


def _use_of(handle):
    import pynvml

    memory = nvml.ask("DeviceGetMemoryInfo", handle)
    users = nvml.ask("DeviceGetComputeRunningProcesses", handle) or []
    return {
        "capability": pynvml.nvmlDeviceGetCudaComputeCapability(handle),
        "free": memory and memory.free,
        "processes": [user.pid for user in users],
    }


def line(device, toolkit):
    """Return one line on a device.

    toolkit  the CUDA toolkit's version, or "" where none is found
    """
    memory = "memory shared"
    if device["memory"]:
        total, free = (device[k] / 2**30 for k in ("memory", "free"))
        memory = f"{total:.0f} GiB ({free:.0f} free)"
    return (
        f"{device['name']}, {memory}, compute capability "
        f"{'{}.{}'.format(*device['capability'])}; driver "
        f"{device['driver']}, CUDA {device['cuda']}; toolkit "
        f"{toolkit or 'not found'}"
    )


def taken(device):
    """Say that too little of a device's memory is free, or return ""."""
    total, free = device["memory"], device["free"]
    if not total or free >= max(ROOM, SHARE * total):
        return ""
    pids = ", ".join(map(str, device["processes"])) or "not visible here"
    return (
        f"of {total / 2**30:.0f} GiB only {free / 2**30:.1f} are free "
        f"(processes: {pids}); repair: {repairs.MEMORY}"
    )


def check():
    """Return (lines that describe the devices, lines of faults)."""
    try:
        devices = look()
        why = f"CUDA_VISIBLE_DEVICES is {os.environ.get(VISIBLE)!r}"
    except nvml.Missing as error:
        devices, why = [], repairs.of_text(str(error)) or str(error)
    if not devices:
        return [], [f"no GPU here: {why}"]
    toolkit = machine.toolkit()
    wrong = [fault for device in devices if (fault := taken(device))]
    return [line(device, toolkit) for device in devices], wrong
