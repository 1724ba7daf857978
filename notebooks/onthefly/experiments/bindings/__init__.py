"""One loop, built for Python by pybind11 and its rivals."""
