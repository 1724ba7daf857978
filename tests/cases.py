"""Cases that the tests of several folders share."""

import subprocess
import sys

import pytest

from onthefly.experiments.then import programs
from onthefly.kernels import z_score
from onthefly.measure import data, records
from onthefly.measure.samples import Series
from onthefly.measure.timings import Measured, Timings
from onthefly.tools import devices

# What no kernel takes for a number of shots, and how it refuses.
bad_shots = pytest.mark.parametrize(
    ("shots", "error"),
    [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("x", TypeError)],
)


def skip_if(lack):
    """Return the mark that skips a test where something is missing.

    lack  what is missing, as a text; an empty one where nothing is
    """
    return pytest.mark.skipif(bool(lack), reason=lack or "-")


def find_pi_and_take_time(child, version, forms):
    """Assert that a version of TensorFlow finds π by each form of a module.

    child  full name of the module, as `programs.started` takes it
    """
    pairs = [(version, form) for form in forms]
    with programs.started(child, pairs) as running:
        for program, form in zip(running, forms, strict=True):
            estimate = program.ask("estimate", 1000, 100)
            assert z_score(estimate, 100_000) < 5, form
            assert 0 < program.ask("seconds", 100, 10) < 10, form


def needs_gpu(*names):
    """Return the mark that skips a test unless libraries see a GPU."""
    blind = [name for name in names if not devices.sees_cuda(name)]
    return skip_if(blind and f"no GPU for {', '.join(blind)}")


def printed(code):
    """Return what a Python of its own prints for some code."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def exact(**seconds):
    """Return Timings without noise."""
    return Timings(Series(k, None, 1.0, (s,) * 8) for k, s in seconds.items())


def torch_or_skip():
    """Return PyTorch, or skip the test."""
    pytest.importorskip("torch", exc_type=ImportError)
    return devices.library("torch")


def tensorflow_or_skip():
    """Return TensorFlow, or skip the test."""
    pytest.importorskip("tensorflow", exc_type=ImportError)
    return devices.library("tensorflow")


# Seconds of a start, a call and an element, with all workers and with one.
LAWS = {
    "Python": (1e-6, 6e-7, 9e-8),
    "NumPy": (0.06, 5e-6, 1.4e-9),
    "Numba": (1.5, 1e-6, 2.5e-10),
    "Numba, prange": (0.7, 3e-5, 1.3e-10, 8e-6, 2.5e-10),
    "processes": (0.9, 8e-4, 2e-7, 3e-4, 2.4e-7),
    "TensorFlow": (4, 1.5e-5, 1e-9),
    "CuPy": (2, 2e-5, 1e-11),
}
CONVERSIONS = {
    "from lists": (7e-7, 3.8e-8),
    "to lists": (1.5e-6, 3.7e-8),
    "to TensorFlow": (4e-6, 2e-10),
    "to CuPy": (3e-5, 1e-9),
}
STARTS = {  # where it is next to nothing, the first call says it all
    "numpy": 0.1, "numba": 0.5, "numba.prange": 0.5, "processes": 1e-6,
    "tensorflow": 1e-6, "cupy": 1e-6,
}  # fmt: skip
SIZES = tuple(10**k for k in range(1, 7))


def eight_problems(slug="box", *, cores=2, off=1.0, **laws):
    """Return Data of the page "Eight problems" that follow laws.

    slug  of the machine; cores, of it
    off   how many times too long the sizes take that no fit has seen
    laws  of ways, in place of those of LAWS

    Polynomial has all ways, and words, without arrays, two of them.
    """
    from onthefly.measure import machine

    laws = LAWS | laws
    named = {"polynomial": list(laws), "words": ["Python", "NumPy"]}
    timings = {
        "starts": Timings(
            Series(name, None, None, (seconds,))
            for name, seconds in STARTS.items()
        ),
        "polynomial, conversion": _lawful(CONVERSIONS),
    }
    for problem, ways in named.items():
        own = {way: laws[way][1:3] for way in ways}
        ones = {f"{w}, one worker": laws[w][3:] for w in ways if laws[w][3:]}
        timings[problem] = _lawful(own | ones)
        timings[f"{problem}, first call"] = Timings(
            Series(way, None, None, (laws[way][0],)) for way in ways
        )
        timings[f"{problem}, unseen"] = _lawful(own, (300, 30_000), off)
    timings["polynomial, because"] = exact(loop=1.5e-3, copy=1e-3)
    record = machine.record()
    record |= {"slug": slug, "cores": {**record["cores"], "usable": cores}}
    own = data.Data("eight-problems", "S", machine=record)
    for name, times in timings.items():
        own.add(name, {}, times)
    return own


def measured_problems(slug="box", **options):
    """Return what `eight_problems` does as timings.Measured."""
    return Measured(eight_problems(slug, **options))


def keep(one, *, recorded=False):
    """Save Data as this build's, or as a recorded machine's."""
    slug = one.machine["slug"]
    path = records.path_of(one.page, one.preset, slug)
    if recorded:
        path = records.RECORDED / slug / path.name
    data.save(one, path)


def _lawful(laws, sizes=SIZES, off=1.0):
    """Return Timings of laws (a call, an element), a little off each time."""
    return Timings(
        Series(name, n, None, (off * wave * (a + b * n),) * 8)
        for name, (a, b) in laws.items()
        for n, wave in zip(
            sizes, (1, 1.03, 0.98, 1.02, 0.97, 1), strict=False
        )
    )
