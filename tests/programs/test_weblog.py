"""The worked program of a web server's log: all versions find the same."""

import importlib
import random

import pytest

from onthefly.measure.libraries import LIBRARIES
from onthefly.programs import weblog

VERSIONS = [
    "python", "dates", "split", "csv", "pool", "pandas", "numpy", "polars",
    "numba",
]  # fmt: skip
LINES = 3000


def expected(file):
    """Return the sums that the generator meant, by its own draws."""
    draw, sent = random.Random(2018), [0] * 24
    for k in range(LINES):
        second = 86_400 * 30 * k // LINES
        (status,) = draw.choices(weblog.STATUSES, weblog.SHARES)
        draw.randrange(256), draw.choice(weblog.PAGES)
        size = 0 if status == 304 else draw.randrange(1, 100_000)
        if status == 200:
            sent[second // 3600 % 24] += size
    return sent


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_finds_the_sums_of_the_generator(version):
    if version in LIBRARIES and not LIBRARIES[version].here():
        pytest.skip(f"{LIBRARIES[version].name} is missing")
    file = weblog.log(LINES)
    name = f"weblog_{version}"
    module = importlib.import_module(f"onthefly.programs.weblog.{name}")
    assert getattr(module, name)(file) == expected(file)
