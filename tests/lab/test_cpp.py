"""C and C++ compiled while a page runs."""

import ctypes
import subprocess

import pytest

from onthefly.measure import libraries
from onthefly.page import needs
from onthefly.tools import cpp

pytestmark = pytest.mark.skipif(
    bool(cpp.missing("C") or cpp.missing("C++")), reason="no compiler"
)


def test_a_function_takes_arrays_and_outlives_its_file():
    text = "double last(const double *x, long n) { return x[n - 1]; }"
    arguments = cpp.DOUBLES, ctypes.c_long
    last = cpp.function(text, "last", arguments, ctypes.c_double)
    numbers = (ctypes.c_double * 3)(1.0, 2.0, 0.5)
    assert last(numbers, 3) == 0.5
    with pytest.raises(ctypes.ArgumentError):
        last((ctypes.c_float * 3)(), 3)


def test_the_ending_of_a_file_is_its_language(tmp_path):
    source = tmp_path / "old.c"
    source.write_text("int class(void) { return 7; }")  # no name in C++
    library = cpp.build(source, tmp_path / "old.so", ["-O2"])
    assert ctypes.CDLL(str(library))["class"]() == 7


def test_what_the_compiler_refuses_is_said(tmp_path):
    with (
        pytest.raises(subprocess.CalledProcessError) as caught,
        cpp.built("no C++"),
    ):
        pass
    assert "error" in caught.value.stderr


@pytest.mark.parametrize("language", ["C", "C++"])
def test_without_a_compiler_it_is_said(monkeypatch, language):
    assert cpp.version(language)
    monkeypatch.setenv("PATH", "")
    assert cpp.missing(language) == f"no {language} compiler"
    assert needs.met("compiler") is False
    with (
        pytest.raises(ImportError, match="compiler is missing") as caught,
        cpp.built("anything", language=language),
    ):
        pass
    assert libraries.lacking(caught.value) == f"{language} compiler"
