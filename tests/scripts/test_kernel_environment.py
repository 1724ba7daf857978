"""The variables that a page's kernel is started with."""

import os
import pathlib
import pwd

from running import kernel


def variables(folder):
    """Return the variables of a kernel."""
    return kernel.environment(folder, folder, folder, folder / "onthefly")


def nobody(number):
    """As pwd.getpwuid, where the system does not know this user."""
    raise KeyError(number)


def test_who_has_no_home_gets_one(monkeypatch, tmp_path):
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    own = variables(tmp_path)
    monkeypatch.setenv("HOME", own["HOME"])
    assert pathlib.Path.home() == tmp_path


def test_another_users_pyenv_is_not_looked_through(monkeypatch, tmp_path):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert variables(tmp_path)["PYENV_ROOT"] == str(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "PYENV_ROOT" not in variables(tmp_path)
