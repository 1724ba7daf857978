"""The problems: a folder each, and a line here."""

import importlib

NAMES = (
    "pi",
    "polynomial",
    "dot",
    "filter",
    "stencil",
    "histogram",
    "collatz",
    "words",
)

PROBLEMS = {
    name: importlib.import_module(f"onthefly.kernels.{name}.problem").PROBLEM
    for name in NAMES
}
