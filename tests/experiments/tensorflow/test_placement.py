"""Where operations run: a process of its own with two devices."""

import pytest

from onthefly.experiments.tensorflow import placement_child
from onthefly.tools import processes

pytest.importorskip("tensorflow")


@pytest.mark.slow
def test_an_operation_runs_where_it_is_placed():
    with processes.Program(placement_child.__name__) as child:
        known = child.ask("devices")
        assert known[:2] == ["CPU:0", "CPU:1"]
        assert child.ask("product", "CPU:1") == "CPU:1, CPU:1"
        assert child.ask("product", "GPU:99") in {
            f"{name}, {name}" for name in known
        }
        assert "Could not" in child.ask("product", "GPU:99", False)
        assert child.ask("beyond", "CPU:0") == "InvalidArgumentError"
