"""NVIDIA's nvidia-ml-py with other devices: those of the variable GPUS.

Put this folder before the others on the path.  GPUS is a JSON list with a
dict a device, of what differs from an H200; what is null there, the device
does not tell.  All names are the real module's, and so are the parameters of
the functions; one that is not replaced raises NVMLError_NotSupported.
"""

import importlib.machinery
import importlib.util
import inspect
import json
import os
import pathlib
import sys
import types

_FOLDER = pathlib.Path(__file__).resolve().parent
_others = [p for p in sys.path if pathlib.Path(p).resolve() != _FOLDER]
_spec = importlib.machinery.PathFinder.find_spec("pynvml", _others)
_spec.name = _spec.loader.name = "real_pynvml"
_real = sys.modules["real_pynvml"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_real)
globals().update(
    {k: v for k, v in vars(_real).items() if not k.startswith("__")}
)


def _not_supported(name):
    raise _real.NVMLError(_real.NVML_ERROR_NOT_SUPPORTED)


_real._nvmlGetFunctionPointer = _not_supported
_H200 = {
    "name": "NVIDIA H200",
    "uuid": "GPU-00000000-aaaa",
    "memory": 140 * 2**30,
    "free": 139 * 2**30,
    "capability": [9, 0],
    "driver": "580.65.06",
    "cuda": 13000,
    "sm": 1980,
    "memory_clock": 3201,
    "limit": 700_000,
    "default": 700_000,
    "ecc": [1, 1],
    "reasons": 1,
    "generation": 5,
    "width": 16,
}


def _devices():
    return [_H200 | own for own in json.loads(os.environ.get("GPUS", "[{}]"))]


def _told(handle, key):
    value = _devices()[handle][key]
    if value is None:
        raise _real.NVMLError(_real.NVML_ERROR_NOT_SUPPORTED)
    return value


def _nvmlInit():
    if not _devices():
        raise _real.NVMLError(_real.NVML_ERROR_DRIVER_NOT_LOADED)


def _nvmlShutdown():
    pass


def _nvmlSystemGetDriverVersion():
    return _told(0, "driver")


def _nvmlSystemGetCudaDriverVersion():
    return _told(0, "cuda")


def _nvmlDeviceGetCount():
    return len(_devices())


def _nvmlDeviceGetHandleByIndex(index):
    return index


def _nvmlDeviceGetIndex(handle):
    return handle


def _nvmlDeviceGetHandleByUUID(uuid):
    uuids = [device["uuid"] for device in _devices()]
    if uuid not in uuids:
        raise _real.NVMLError(_real.NVML_ERROR_NOT_FOUND)
    return uuids.index(uuid)


def _nvmlDeviceGetUUID(handle):
    return _told(handle, "uuid")


def _nvmlDeviceGetName(handle):
    return _told(handle, "name")


def _nvmlDeviceGetMemoryInfo(handle, version=None):
    total, free = (_told(handle, k) for k in ("memory", "free"))
    return types.SimpleNamespace(total=total, free=free, used=total - free)


def _nvmlDeviceGetCudaComputeCapability(handle):
    return tuple(_told(handle, "capability"))


def _nvmlDeviceGetComputeRunningProcesses(handle):
    return []


def _nvmlDeviceGetClockInfo(handle, type):
    clocks = {NVML_CLOCK_SM: "sm", NVML_CLOCK_MEM: "memory_clock"}  # noqa: F821
    return _told(handle, clocks[type])


def _nvmlDeviceGetEnforcedPowerLimit(handle):
    return _told(handle, "limit")


def _nvmlDeviceGetPowerManagementDefaultLimit(handle):
    return _told(handle, "default")


def _nvmlDeviceGetEccMode(handle):
    return _told(handle, "ecc")


def _nvmlDeviceGetCurrentClocksEventReasons(handle):
    return _told(handle, "reasons")


def _nvmlDeviceGetMaxPcieLinkGeneration(handle):
    return _told(handle, "generation")


def _nvmlDeviceGetMaxPcieLinkWidth(handle):
    return _told(handle, "width")


for _name, _own in list(globals().items()):
    if _name.startswith("_nvml") and getattr(_own, "__module__", "") == (
        __name__
    ):
        _theirs = getattr(_real, _name[1:])  # an unknown name ends here
        assert list(inspect.signature(_own).parameters) == list(
            inspect.signature(_theirs).parameters
        ), _name
        globals()[_name[1:]] = _own
