"""The devices that CUDA may use, as NVIDIA's management library (NVML) tells.

NVML counts all devices of a machine.  CUDA takes those that the variable
CUDA_VISIBLE_DEVICES names, in its order, and the first of them is the one
that is measured.  `devices` is the one place that knows.

Sources: NVIDIA's CUDA programming guide, on environment variables; NVIDIA's
NVML reference.
"""

import contextlib
import os
import re

from onthefly.measure.libraries import Missing

# Why a device's clocks are lower than they could be: the bits of NVML's
# answer, by the ends of their constants' names.
REASONS = {
    "GpuIdle": "idle",
    "ApplicationsClocksSetting": "clocks set by hand",
    "SwPowerCap": "power limit",
    "HwSlowdown": "slowdown by the hardware",
    "SyncBoost": "slowest of a group",
    "SwThermalSlowdown": "heat",
    "HwThermalSlowdown": "heat, by the hardware",
    "HwPowerBrakeSlowdown": "power brake",
    "DisplayClockSetting": "display",
}


def visible(names, uuids):
    """Return which devices CUDA may use, the first one first.

    names  what CUDA_VISIBLE_DEVICES holds, or None where it is not set:
           numbers, UUIDs or their beginnings, UUIDs of parts of a device
    uuids  those of all devices, in NVML's order

    Returns a list of places in `uuids`; a part of a device (MIG) is given
    by its own UUID.  As CUDA does, it ends the list at a name that is none,
    and takes no device at all where one is named twice.
    """
    if names is None:
        return list(range(len(uuids)))
    places = []
    for name in map(str.strip, names.split(",")):
        place = _place(name, uuids)
        if place is None:
            break
        if place in places:
            return []
        places.append(place)
    return places


def _place(name, uuids):
    """Return the device that one name means, or None."""
    if name.startswith("MIG-"):
        return name
    if name.startswith("GPU-"):
        places = [k for k, uuid in enumerate(uuids) if uuid.startswith(name)]
        return places[0] if len(places) == 1 else None
    number = re.match(r"\+?\d+", name)
    place = int(number[0]) if number else len(uuids)
    return place if place < len(uuids) else None


@contextlib.contextmanager
def devices():
    """Yield the handles of the devices that CUDA may use.

    Raises libraries.Missing where there is no NVML, no driver, or where a
    device does not answer.
    """
    try:
        import pynvml
    except ModuleNotFoundError as error:
        raise Missing(f"NVML ({error})") from None
    try:
        pynvml.nvmlInit()
        try:
            yield _handles(pynvml)
        finally:
            pynvml.nvmlShutdown()
    except pynvml.NVMLError as error:
        raise Missing(f"NVML ({error})") from None


def _handles(nvml):
    every = [
        nvml.nvmlDeviceGetHandleByIndex(k)
        for k in range(nvml.nvmlDeviceGetCount())
    ]
    names = os.environ.get("CUDA_VISIBLE_DEVICES")
    uuids = map(nvml.nvmlDeviceGetUUID, every)
    handles = []
    for place in visible(names, list(uuids)):
        if isinstance(place, int):
            handles.append(every[place])
            continue
        try:
            handles.append(nvml.nvmlDeviceGetHandleByUUID(place))
        except nvml.NVMLError:  # CUDA knows no such part either
            break
    return handles


def ask(question, *arguments):
    """Return what NVML answers, or None where this device does not tell.

    question  the end of a function's name, after "nvml"
    """
    import pynvml

    with contextlib.suppress(pynvml.NVMLError):
        return getattr(pynvml, f"nvml{question}")(*arguments)
    return None


def cuda():
    """Return the CUDA version that the driver knows: (major, minor)."""
    number = ask("SystemGetCudaDriverVersion") or 0
    return number // 1000, number % 1000 // 10


def facts(handle):
    """Return what does not change while a page runs.

    A JSON-ready dict: name, memory (bytes), driver, cuda (the newest version
    that the driver knows), power_limit and power_default (watts), ecc ("on"
    or "off").  What the device does not tell is None.
    """
    import pynvml

    limits = (
        ask(f"DeviceGet{name}", handle)
        for name in ("EnforcedPowerLimit", "PowerManagementDefaultLimit")
    )
    limit, default = (n and n / 1000 for n in limits)
    ecc = ask("DeviceGetEccMode", handle)
    memory = ask("DeviceGetMemoryInfo", handle)
    return {
        "name": pynvml.nvmlDeviceGetName(handle),
        "memory": memory and memory.total,
        "driver": pynvml.nvmlSystemGetDriverVersion(),
        "cuda": "{}.{}".format(*cuda()),
        "power_limit": limit,
        "power_default": default,
        "ecc": ecc and ("on" if ecc[0] else "off"),
    }


def state(handle):
    """Return what a device does now: its clocks, and what holds them back.

    A JSON-ready dict: sm and memory (MHz), held_back (list of words, as in
    REASONS); None for what the device does not tell.
    """
    import pynvml

    bits = ask("DeviceGetCurrentClocksEventReasons", handle)
    known = {
        words: getattr(pynvml, f"nvmlClocksEventReason{name}", 0)
        for name, words in REASONS.items()
    }
    return {
        "sm": ask("DeviceGetClockInfo", handle, pynvml.NVML_CLOCK_SM),
        "memory": ask("DeviceGetClockInfo", handle, pynvml.NVML_CLOCK_MEM),
        "held_back": None
        if bits is None
        else [words for words, bit in known.items() if bits & bit],
    }


def link(handle):
    """Return {generation, width} of a device's PCI Express link.

    Both are the most that device and system can do together: an idle link
    is slowed down to save power.
    """
    return {
        "generation": ask("DeviceGetMaxPcieLinkGeneration", handle),
        "width": ask("DeviceGetMaxPcieLinkWidth", handle),
    }
