"""Environments in which a library is really absent, and who uses them."""

import subprocess
import sys

import pytest
from planting import environments

import without
from onthefly.libraries import LIBRARIES


@pytest.mark.parametrize("library", ["dask", "tensorflow"])
def test_an_environment_lacks_one_library(tmp_path, library):
    python = environments.without(library, tmp_path)
    code = (
        "from onthefly.libraries import LIBRARIES;"
        "print(*(k for k, entry in LIBRARIES.items() if entry.here()))"
    )
    found, own = (
        subprocess.run(
            [path, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
        for path in (python, sys.executable)
    )
    assert library in own and set(own) - set(found) == {library}


@pytest.mark.parametrize(
    "name", ["no-library", *(k for k, e in LIBRARIES.items() if e.needed)]
)
def test_what_the_book_cannot_do_without_is_refused(capsys, name):
    assert without.main([name]) == 2
    assert name in capsys.readouterr().err
