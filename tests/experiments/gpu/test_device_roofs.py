"""Kernels of one kind of instruction, and the roof that they make."""

from cases import exact
from onthefly.experiments.gpu import device_roofs


def test_the_roof_is_the_unit_that_needs_longest():
    times = exact(**{name: 1.0 for name in device_roofs.ROOFS}
                  | {"wide product": 4.0, "any": 0.5})  # fmt: skip
    counts = {"shift and logic": 9, "multiply-add": 5, "wide product": 2}
    need = device_roofs.needs(counts, times)
    assert {k: q.value for k, q in need.items()} == {
        "shift and logic": 9.0, "multiplier": 13.0, "any instruction": 8.0,
    }  # fmt: skip
    assert device_roofs.roof(need)[0] == "multiplier"


def test_a_roof_by_the_guide_is_known_only_with_all_its_rates():
    counts = {"shift and logic": 16, "multiply-add": 32, "float32": 16}
    assert device_roofs.documented(counts, "9.0") == {
        "shift and logic": 0.25, "multiplier": 0.5, "float32": 0.125,
        "any instruction": 0.5,
    }  # fmt: skip
    assert device_roofs.documented(counts | {"wide product": 1}, "9.0") == {}
    assert device_roofs.documented(counts, "1.0") == {}
