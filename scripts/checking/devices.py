"""The CUDA devices of this machine, and what is wrong with them."""

import contextlib
import glob
import os
import re
import subprocess

from checking import faults
from onthefly.libraries import version


def toolkit():
    """Return the version of the CUDA toolkit of this environment, or ""."""
    packages = "cuda-toolkit", "nvidia-cuda-runtime"
    if found := version(*packages, "nvidia-cuda-runtime-cu12"):
        return found
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        told = subprocess.run(
            ["nvcc", "--version"], capture_output=True, text=True, check=True
        )
        if found := re.search(r"release (\d+\.\d+)", told.stdout):
            return found[1]
    return ""


def look():
    """Return the devices as faults.of_device takes them.

    Raises NVMLError, or ModuleNotFoundError, where there is no looking.
    """
    import pynvml as nvml

    nvml.nvmlInit()
    version = nvml.nvmlSystemGetCudaDriverVersion()
    found = []
    for index in range(nvml.nvmlDeviceGetCount()):
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
        memory = nvml.nvmlDeviceGetMemoryInfo(handle)
        users = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
        found.append(
            {
                "name": nvml.nvmlDeviceGetName(handle),
                "driver": nvml.nvmlSystemGetDriverVersion(),
                "cuda": (version // 1000, version % 1000 // 10),
                "capability": nvml.nvmlDeviceGetCudaComputeCapability(handle),
                "total": memory.total,
                "free": memory.free,
                "others": [user.pid for user in users],
            }
        )
    return found


def device_line(device, toolkit):
    """Return one line on a device."""
    cuda, capability = (
        ".".join(map(str, device[key])) for key in ("cuda", "capability")
    )
    return (
        f"{device['name']}, {device['total'] / 2**30:.0f} GiB "
        f"({device['free'] / 2**30:.0f} free), compute capability "
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
        return [], ["no GPU here; recorded results are drawn"]
    version = toolkit()
    wrong = [f for d in found for f in faults.of_device(d, version)]
    return [device_line(d, version) for d in found], list(map(str, wrong))
