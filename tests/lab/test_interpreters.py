"""The Python interpreters of this machine."""

import sys

from onthefly.tools import interpreters


def test_this_interpreter_is_among_them():
    here = ".".join(map(str, sys.version_info[:3]))
    assert here in {i["version"] for i in interpreters.find()}


def test_what_is_no_interpreter_is_left_out(tmp_path, monkeypatch):
    silent, broken = tmp_path / "python3.30", tmp_path / "python3.31"
    silent.write_text("#!/bin/sh\nexit 0\n")
    broken.write_text("no program")
    for path in (silent, broken):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    found = interpreters.find.__wrapped__()
    assert sys.version_info[1] in {i["minor"] for i in found}
    assert not any(i["path"].startswith(str(tmp_path)) for i in found)


def test_the_newest_of_each_kind_stands_for_the_others():
    minors = [8, 9, 11, 12, 13, 14]
    found = [{"minor": n, "free_threaded": False} for n in minors]
    found.append({"minor": 14, "free_threaded": True})
    newest = interpreters.newest(found, since=12)
    assert [(i["minor"], i["free_threaded"]) for i in newest] == [
        (11, False), (14, False), (14, True)
    ]  # fmt: skip
    assert interpreters.newest(found[:1], since=12) == found[:1]
