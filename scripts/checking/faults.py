"""The usual faults of a GPU box: told from a library's own words, repaired.

The words are what CUDA, its driver and the libraries print.  Nothing here
touches a device, so that each message can be tested without one.
"""

import re
from dataclasses import dataclass

# A library and its own display need some room; a measurement needs more.
ROOM = 2 * 2**30  # bytes that must be free
SHARE = 0.5  # of the memory that must be free, whatever the card
OLDEST = {12: (5, 0), 13: (7, 5)}  # compute capability by CUDA's version


@dataclass(frozen=True)
class Fault:
    """A fault, the words that tell it, and how it is repaired."""

    name: str
    repair: str
    words: str = ""

    def __str__(self):
        return f"{self.name}; repair: {self.repair}"


INSTALL = "install the extra gpu into this environment"
# The first that matches is told: a cause stands before what follows of it.
FAULTS = (
    Fault(
        "no permission to use the device",
        "let this user read and write /dev/nvidia* (group video or render)",
        r"Insufficient Permissions|NoPermission|"
        r"/dev/nvidia\S*.{0,40}Permission denied|"
        r"Permission denied.{0,40}/dev/nvidia",
    ),
    Fault(
        "the driver was updated, but its old kernel module still runs",
        "restart the machine, or reload the nvidia kernel modules",
        r"Driver/library version mismatch|NVML/RM version mismatch|"
        r"unsupported display driver / cuda driver combination|"
        r"SYSTEM_DRIVER_MISMATCH|SystemDriverMismatch",
    ),
    Fault(
        "the GPUs of this server are not linked up yet",
        "start nvidia-fabricmanager, of the driver's very version",
        r"system not yet initialized|SYSTEM_NOT_READY|SystemNotReady|"
        r"\[802\]",
    ),
    Fault(
        "the compiled code (PTX) is too new for the driver",
        "a driver as new as the toolkit, or the toolkit of the driver's "
        "CUDA version",
        r"UNSUPPORTED_PTX_VERSION|UnsupportedPtxVersion|"
        r"compiled with an unsupported toolchain|Unsupported \.version \d",
    ),
    Fault(
        "the driver is older than the CUDA runtime",
        "a driver of series 525 or newer for CUDA 12 (the extra gpu), 580 "
        "or newer for CUDA 13 (gpu-cuda13)",
        r"driver on your system is too old|driver version is insufficient|"
        r"InsufficientDriver",
    ),
    Fault(
        "another process holds the device or its memory",
        "nvidia-smi names it: end it, or choose another device with "
        "CUDA_VISIBLE_DEVICES",
        r"[Oo]ut of memory|OutOfMemory|OUT_OF_MEMORY|MemoryAllocation|"
        r"busy or unavailable|DEVICE_UNAVAILABLE|DevicesUnavailable",
    ),
    Fault(
        "libraries of two CUDA versions are mixed",
        "unset LD_LIBRARY_PATH, and one extra (gpu or gpu-cuda13) an "
        "environment",
        r"undefined symbol: \w*(nvJitLink|nccl|cudnn|cublas|cusparse)|"
        r"cuDNN version incompatibility|Loaded runtime CuDNN library|"
        r"Outdated \w+ installation found",
    ),
    Fault(
        "the library has no code for this card",
        "for CUDA 13 a card of compute capability 7.5 or newer; with the "
        "extra gpu (CUDA 12) PyTorch needs 7.0, TensorFlow 6.0, the rest 5.0",
        r"no kernel image is available|NoKernelImage|NO_BINARY_FOR_GPU|"
        r"CUDA capability sm_\d+ is not compatible",
    ),
    Fault(
        "the driver's own library is missing",
        "install NVIDIA's driver; in a container, start it with the GPU "
        "(docker run --gpus all)",
        r"libcuda\.so|CUDA driver library cannot be found|"
        r"Could not find cuda drivers|NVML Shared Library Not Found|"
        r"Found no NVIDIA driver",
    ),
    Fault(
        "a library of the CUDA toolkit is missing",
        INSTALL,
        r"lib\w+\.so[.\d]*: cannot open shared object file|"
        r"failed to load lib\w+\.so|libNVVM cannot be found|"
        r"library \w+ not found|Cannot dlopen some GPU libraries|"
        r"[Ff]ailed to find CUDA headers|cannot open source file .cuda|"
        r"failed to open libnvrtc-builtins|failed to load builtins|"
        r"libdevice not found",
    ),
    Fault(
        "torch.compile finds no C compiler or Python's headers",
        "install gcc and the package python3-dev of this Python",
        r"Failed to find C compiler|Python\.h: No such file",
    ),
    Fault(
        "CUDA sees no device",
        "unset CUDA_VISIBLE_DEVICES; in a container, start it with the GPU "
        "(docker run --gpus all)",
        r"no CUDA-capable device|CUDA_ERROR_NO_DEVICE|ErrorNoDevice|"
        r"No CUDA GPUs are available|No devices were found",
    ),
    Fault(
        "the driver is not running",
        "modprobe nvidia, or install the driver for this kernel",
        r"Driver Not Loaded|couldn't communicate with the NVIDIA driver",
    ),
    Fault(
        "the device is lost or damaged",
        "restart the machine; if it comes back, the card is to be replaced",
        r"uncorrectable ECC|GPU is lost|fallen off the bus|"
        r"GPU requires restart",
    ),
    Fault(
        "the driver is in a bad state",
        "rmmod nvidia_uvm; modprobe nvidia_uvm, or restart the machine",
        r"CUDA unknown error|CUDA_ERROR_UNKNOWN|cudaErrorUnknown",
    ),
    Fault(
        "this NumPy is too new for numba-cuda",
        "install NumPy as requirements-gpu.lock has it",
        r"does not work with NumPy",
    ),
    Fault(
        "TensorFlow sees no GPU",
        "the extra gpu in an environment of its own; LD_LIBRARY_PATH unset",
        r"TensorFlow sees no GPU",
    ),
    Fault(
        "it hangs",
        "nvidia-smi shows who uses the device; then restart the machine",
        r"no answer in \d+ s",
    ),
)


def of_text(text):
    """Return the Fault that a library's words tell of, or None."""
    return next((f for f in FAULTS if re.search(f.words, text, re.S)), None)


def of_device(device, toolkit):
    """Return the Faults of one device, before any library is tried.

    device   dict: name, driver ("580.65.06"), cuda (of the driver, (13, 0)),
             capability ((9, 0)), total and free (bytes, or None where the
             device shares the processor's memory), others ([pid])
    toolkit  the toolkit's version ("13.0.3"), or "" where none is found
    """
    found = []
    wanted = int(toolkit.partition(".")[0]) if toolkit else 0
    if device["cuda"][0] < wanted:
        cuda = ".".join(map(str, device["cuda"]))
        found.append(
            Fault(
                f"the driver {device['driver']} knows CUDA {cuda}, the "
                f"toolkit here is {toolkit}",
                of_text("InsufficientDriver").repair,
            )
        )
    if device["capability"] < OLDEST.get(wanted, (0, 0)):
        capability = ".".join(map(str, device["capability"]))
        found.append(
            Fault(
                f"{device['name']} is of compute capability {capability}, "
                f"which CUDA {wanted} leaves out",
                of_text("NoKernelImage").repair,
            )
        )
    total, free = device["total"], device["free"]
    if total and free < max(ROOM, SHARE * total):
        pids = ", ".join(map(str, device["others"])) or "not visible here"
        found.append(
            Fault(
                f"of {device['total'] / 2**30:.0f} GiB only "
                f"{device['free'] / 2**30:.1f} are free (processes: {pids})",
                of_text("Out of memory").repair,
            )
        )
    return found
