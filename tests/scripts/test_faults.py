"""Every fault of the registry, planted; and what is said of one."""

import pytest

import faults
from planting.every import FAULTS
from planting.registry import Fault


def marked(fault):
    """One that takes long may go to another worker than its neighbours."""
    own = [pytest.mark.slow, pytest.mark.xdist_group(fault.name)]
    return pytest.param(fault, id=fault.name, marks=own if fault.slow else [])


@pytest.mark.parametrize("fault", [marked(f) for f in FAULTS.values()])
def test_what_is_planted_holds(fault, tmp_path):
    fault.plant(tmp_path)


def test_a_fault_that_does_not_hold_is_named(monkeypatch, capsys):
    def falls(folder):
        """The book falls.

        In a folder of its own.
        """
        assert list(folder.iterdir()), "nothing is left"

    monkeypatch.setitem(FAULTS, "falls", Fault("falls", falls, False))
    assert faults.main(["--only", "falls"]) == 1
    said = capsys.readouterr().out
    assert "NO" in said and "nothing is left" in said
    assert faults.main(["--list", "--only", "falls"]) == 0
    assert capsys.readouterr().out == "falls  The book falls\n"
    assert faults.main(["--only", "fals"]) == 2
    assert "did you mean falls?" in capsys.readouterr().err
