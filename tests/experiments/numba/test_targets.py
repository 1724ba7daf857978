"""Vector units for which Numba compiles, and what it requires."""

from cases import skip_if
from onthefly.experiments.numba import targets


@skip_if(targets.missing())
def test_each_unit_has_its_width():
    want = {unit: bits for unit, (*_, bits) in targets.UNITS.items()}
    assert targets.vector_units() == want


def test_what_numba_requires_is_read_from_its_metadata(monkeypatch):
    lines = ["llvmlite<0.50,>=0.49", "numpy!=1.2; python_version>'3'",
             'mkl_fft; extra == "mkl"', "Some-Package"]  # fmt: skip
    monkeypatch.setattr(
        targets.importlib.metadata, "requires", lambda name: lines
    )
    assert targets.required() == ["llvmlite", "numpy", "some_package"]
