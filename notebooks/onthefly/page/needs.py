"""What a claim needs, as the ledger names it, and whether it is here."""

from onthefly.measure import machine
from onthefly.measure.libraries import LIBRARIES
from onthefly.tools import devices

# What no machine of this kind has, as it is written in a sentence.
ELSEWHERE = {"tpu": "a TPU", "amd-gpu": "an AMD GPU", "mobile": "a phone"}
DEVICE = "a CUDA device"


def named(unmet, device):
    """Return in plain words what is missing, each thing once, a device first.

    unmet   needs that are not met
    device  whether there is a CUDA device: then it is a library that misses
            it
    """
    first = sorted(unmet, key=lambda need: not on_device(need))
    return list(dict.fromkeys(_named(need, device) for need in first))


def _named(need, device):
    if need.startswith("cores>="):
        return f"{need.removeprefix('cores>=')} cores"
    if need == "compiler":
        return "a C compiler"
    if need in ELSEWHERE:
        return ELSEWHERE[need]
    library = LIBRARIES.get(need.removesuffix("-gpu"))
    if not on_device(need):
        return f"{library.name}, which is missing" if library else need
    if not (device and library):
        return DEVICE
    return f"{DEVICE} that {library.name} sees"


def on_device(need):
    """Tell whether only a CUDA device meets a need."""
    entry = LIBRARIES.get(need)
    asked = need.endswith("gpu") and need not in ELSEWHERE
    return asked or bool(entry and not entry.alone)


def met(need):
    """Tell whether a claim's need is met here.

    need  ``cpu``, ``none``, ``compiler``, ``cores>=N``, or a library by its
          key in the table; ``gpu``, that any library sees a CUDA device, or
          a key with ``-gpu``, that this one does.  A library that works on
          nothing else needs no ``-gpu``.

    Returns True or False; what no machine of this kind has (``tpu``,
    ``amd-gpu``, ``mobile``) is False.  Loads no library.
    """
    if need in ("cpu", "none"):
        return True
    if need == "compiler":
        return machine.compiler("C") is not None
    if need.startswith("cores>="):
        return machine.usable_cores() >= int(need.removeprefix("cores>="))
    if need == "gpu":
        return devices.has_cuda()
    key = need.removesuffix("-gpu")
    if key not in LIBRARIES:
        return False
    if on_device(need):
        return devices.would_see(key)
    return LIBRARIES[key].here()


def was_met(need, record):
    """Tell whether a claim's need was met on a machine, by its record.

    need    as of `met`
    record  as `machine.record` makes it
    """
    if need in ("cpu", "none", "compiler"):
        return True
    if need.startswith("cores>="):
        least = int(need.removeprefix("cores>="))
        return record["cores"]["usable"] >= least
    key = need.removesuffix("-gpu")
    if key not in LIBRARIES:
        return need == "gpu" and bool(record["gpus"])
    if on_device(need) and not record["gpus"]:
        return False
    return any(p in record["packages"] for p in LIBRARIES[key].packages)
