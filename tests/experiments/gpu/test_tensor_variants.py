"""The ways of π by tensors, a group at a time."""

import pytest

from cases import tensorflow_or_skip
from onthefly.experiments.gpu import tensor_variants

NONE = dict.fromkeys(("tensorflow", "torch", "cupy"), False)


@pytest.mark.parametrize("group", ["device", "loops", "fed"])
def test_a_group_is_measured_by_a_library_alone(monkeypatch, group):
    """TensorFlow's ways take the processor for a device here."""
    tensorflow_or_skip()
    monkeypatch.setattr(tensor_variants, "GPU", "/CPU:0")
    monkeypatch.setattr(tensor_variants, "SIZES", (100, 1000))
    monkeypatch.setattr(tensor_variants, "LOOP", 3)
    sees = NONE | {"tensorflow": True}
    times = tensor_variants.measured(group, sees, budget=0.01)
    assert times.sizes() == [100, 1000]
    assert set(times.names) == {
        "device": {"NumPy", "TensorFlow graph, CPU", "TensorFlow eager",
                   "TensorFlow graph"},
        "loops": {"TensorFlow graph", "TensorFlow loop"},
        "fed": {"NumPy", "fed", "drawn"},
    }[group]  # fmt: skip
