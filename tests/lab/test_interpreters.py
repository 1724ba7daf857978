"""The Python interpreters of this machine."""

import sys

from onthefly.tools import interpreters


def test_what_is_no_interpreter_is_left_out(tmp_path, monkeypatch):
    silent, broken = tmp_path / "python3.30", tmp_path / "python3.31"
    silent.write_text("#!/bin/sh\nexit 0\n")
    broken.write_text("no program")
    for path in (silent, broken):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    every = interpreters.find.__wrapped__()
    assert sys.version_info[1] in {i["minor"] for i in every}
    assert not any(i["path"].startswith(str(tmp_path)) for i in every)


def test_the_newest_of_each_kind_stands_for_the_others():
    minors = [8, 9, 11, 12, 13, 14]
    every = [{"minor": n, "free_threaded": False} for n in minors]
    every.append({"minor": 14, "free_threaded": True})
    newest = interpreters.newest(every, since=12)
    assert [(i["minor"], i["free_threaded"]) for i in newest] == [
        (11, False), (14, False), (14, True)
    ]  # fmt: skip
    assert interpreters.newest(every[:1], since=12) == every[:1]
