"""Sums by key: all versions return the same."""

import importlib

import pytest

from onthefly.measure.libraries import LIBRARIES
from onthefly.programs import grouping


@pytest.mark.parametrize("version", ["python", "numpy", "pandas", "polars"])
def test_every_version_sums_by_key(version):
    if version in LIBRARIES and not LIBRARIES[version].here():
        pytest.skip(f"{LIBRARIES[version].name} is missing")
    keys, values = grouping.data(5000)
    name = f"grouping_{version}"
    module = importlib.import_module(f"onthefly.programs.grouping.{name}")
    expected = {
        key: sum(v for k, v in zip(keys, values, strict=True) if k == key)
        for key in set(keys)
    }
    assert getattr(module, name)(keys, values) == expected
