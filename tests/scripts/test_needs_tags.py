"""The tags needs-LIB, held against what a cell imports."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from linting import needs


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ("import numpy as np\nimport json", set()),
        ("import torch.nn as nn", {"torch"}),
        ("from numba import cuda, njit", {"numba", "numba-cuda"}),
        ("def f():\n    import dask.array as da", set()),
        ("%matplotlib inline\nfrom ai_edge_litert import x", {"litert"}),
        ("from onthefly import page", set()),
        ("from onthefly.kernels.pi import pi_torch", {"torch"}),
        ("from onthefly.kernels.pi.pi_torch import pi", {"torch"}),
        ("import onthefly.kernels.pi.pi_numba", {"numba"}),
        # At its top level, in an if and a with.
        ("from onthefly.tools.quiet_tensorflow import tf", {"tensorflow"}),
        # Within a function, which asks for it when it is called.
        ("from onthefly.experiments.gpu import device_calls", set()),
        ("def f(:", set()),
    ],
)
def test_a_cell_rests_on_what_it_imports(source, keys):
    assert needs.required(source) == keys


@pytest.mark.parametrize(
    ("tags", "wrong"),
    [
        (["needs-torch"], []),
        (["hide-input"], ["it rests on PyTorch, which may be missing"]),
        (["needs-torch", "needs-dask"], []),  # by what it uses
        (["needs-torch", "needs-toruch"], ["tag needs-toruch of no library"]),
    ],
)
def test_a_cell_has_the_tags_of_its_imports(tags, wrong):
    cell = new_code_cell("import torch", metadata={"tags": tags})
    reports = list(needs.broken(new_notebook(cells=[cell])))
    assert [what for _, what, _ in reports] == wrong
    assert all(repair for *_, repair in reports)
