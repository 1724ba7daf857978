"""The usual faults of a GPU box: known by a library's words, and repaired."""

import re

INSTALL = "install the extra gpu into this environment"
MEMORY = "end what nvidia-smi shows, or set CUDA_VISIBLE_DEVICES"
# (what CUDA, its driver or a library prints, the fault, its repair).  The
# first that matches counts: a cause stands before what follows of it.
FAULTS = (
    (
        r"Insufficient Permissions|NoPermission|/dev/nvidia.*denied",
        "no permission to use the device",
        "let this user read and write /dev/nvidia* (group video or render)",
    ),
    (
        r"version mismatch|unsupported display driver|DRIVER_?MISMATCH",
        "the driver was updated, but its old kernel module still runs",
        "restart the machine",
    ),
    (
        r"system not yet initialized|SYSTEM_?NOT_?READY|\[802\]",
        "the GPUs of this server are not linked up yet",
        "start nvidia-fabricmanager, of the driver's very version",
    ),
    (
        r"UNSUPPORTED_?PTX|unsupported toolchain|Unsupported \.version \d",
        "the compiled code (PTX) is too new for the driver",
        "a driver as new as the toolkit, or a toolkit as old as the driver",
    ),
    (
        r"system is too old|driver version is insuf|InsufficientDriver",
        "the driver is older than the CUDA runtime",
        "install a driver of series 525 or newer (CUDA 12), 580 (CUDA 13)",
    ),
    (
        r"out of memory|OUT_?OF_?MEMORY|MemoryAllocation|"
        r"busy or unavailable|DEVICES?_?UNAVAILABLE",
        "another process holds the device or its memory",
        MEMORY,
    ),
    (
        r"undefined symbol: \w*(nvJitLink|nccl|cudnn|cublas|cusparse)|"
        r"cuDNN version incompatib|CuDNN library: .* compiled with|Outdated",
        "libraries of two CUDA versions are mixed",
        "unset LD_LIBRARY_PATH; one extra (gpu, gpu-cuda13) an environment",
    ),
    (
        r"no kernel image|NoKernelImage|NO_BINARY_FOR_GPU|is not compatible",
        "the library has no code for this card",
        'see the book\'s page "Run the book on your GPU"',
    ),
    (
        r"libcuda\.so|CUDA driver library cannot be found|NVML Shared|"
        r"find cuda drivers|no NVIDIA driver|Driver Not Loaded",
        "the driver is missing, or does not run",
        "install it, or modprobe nvidia; docker run --gpus all",
    ),
    (
        r"lib\w+\.so[.\d]*: cannot open|libNVVM cannot|library \w+ not found|"
        r"failed to load lib|Cannot dlopen|failed to find CUDA headers|"
        r"cannot open source file .cuda|libnvrtc-builtins|libdevice not",
        "a library of the CUDA toolkit is missing",
        INSTALL,
    ),
    (
        r"no CUDA-capable device|NO_?DEVICE|No (CUDA GPUs|devices)|sees no",
        "the library sees no device",
        "unset CUDA_VISIBLE_DEVICES and LD_LIBRARY_PATH; the extra gpu in an "
        "environment of its own; docker run --gpus all",
    ),
    (
        r"module 'numpy' has no attribute",
        "this NumPy is too new for numba-cuda",
        "install NumPy as requirements-gpu.lock has it",
    ),
    (
        r"CUDA unknown error|ERROR_?UNKNOWN|GPU is lost|no answer in \d+ s",
        "the driver or the device is in a bad state",
        "restart the machine",
    ),
)
# The same of a compiler's words, or of the system's where it builds.
BUILDS = (
    (
        r"Python\.h: No such file",
        "the headers of Python are missing",
        "install them by your system's packages, as python3-dev",
    ),
    (
        r"No space left on device",
        "the folder for temporary files is full",
        "make room there, or set TMPDIR to another one",
    ),
    (
        r"failed to map segment from shared object",
        "the folder for temporary files allows no programs (noexec)",
        "set TMPDIR to another one",
    ),
)


def of_build(text):
    """Return what a build that failed says, and its repair if it is known.

    text  the compiler's words
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((x for x in lines if "error" in x.lower()), "")
    return ": ".join(
        filter(None, (said or (lines or [""])[-1], of_place(text)))
    )


def of_place(text):
    """Return "FAULT; repair: WHAT" where files cannot be built, or "".

    text  a compiler's words, or the system's
    """
    for words, fault, repair in BUILDS:
        if re.search(words, text):
            return f"{fault}; repair: {repair}"
    return ""


def of_text(text):
    """Return "FAULT; repair: WHAT" for a library's words, or ""."""
    for words, fault, repair in FAULTS:
        if re.search(words, text, re.I):
            return f"{fault}; repair: {repair}"
    return ""
