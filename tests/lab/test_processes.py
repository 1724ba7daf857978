"""Programs in processes of their own: what they answer, and how they end."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from conftest import gone
from onthefly.page import checkout
from onthefly.tools.processes import Ended, Failed, Late, Program, answer


def test_a_program_answers_with_what_its_functions_return():
    with Program("json") as program:
        assert program.ask("loads", '{"1": [2, null]}') == {"1": [2, None]}
        assert program.ask("dumps", {1: 2}, indent=None) == '{"1": 2}'
        assert program.ask(os.getpid) == program.pid != os.getpid()
        assert program.ended() is None


def test_large_questions_and_answers_fill_no_pipe():
    data = os.urandom(5_000_000)
    assert answer("builtins", "bytes", data) == data


def test_what_a_program_prints_is_no_answer(tmp_path):
    log = tmp_path / "log"
    with Program("builtins", log=log) as program:
        assert program.ask("print", "x" * 200_000) is None
        assert program.ask("len", "abc") == 3
    assert log.read_text() == "x" * 200_000 + "\n"


def test_an_error_comes_back_with_its_text_and_its_place():
    with Program("json") as program:
        with pytest.raises(Failed, match="JSONDecodeError") as caught:
            program.ask("loads", "{")
        assert "decoder.py" in caught.value.trace
        with pytest.raises(Failed, match="AttributeError"):
            program.ask("no_such_function")
        with pytest.raises(Failed, match="pickle"):
            program.ask(threading.Lock)  # no answer that can be sent
        assert program.ask("loads", "1") == 1  # none the worse


def test_a_program_that_cannot_be_imported_says_so():
    with pytest.raises(Failed, match="ModuleNotFoundError"):
        answer("no_such_module", "anything")


def test_a_program_that_hangs_is_ended():
    with Program("time") as program:
        with pytest.raises(Late, match="gave no answer"):
            program.ask("sleep", 600, limit=0.2)
        assert gone(program.pid)


@pytest.mark.parametrize("reap", [False, True])
@pytest.mark.parametrize(
    ("call", "status"), [(["_exit", 3], 3), (["abort"], -signal.SIGABRT)]
)
def test_a_program_that_dies_has_its_status_and_last_words(
    reap, call, status
):
    with Program("os", reap=reap) as program:
        program.ask("write", 2, b"one\nout of paper\n")
        with pytest.raises(Ended, match="out of paper") as caught:
            program.ask(*call)
        assert caught.value.status == program.ended().status == status
    assert program.ended().status == status  # closed by now


def test_variables_are_set_and_left_out(monkeypatch):
    monkeypatch.setenv("A_VARIABLE", "here")
    ask = ("getenv", "A_VARIABLE")
    assert answer("os", *ask) == "here"
    assert answer("os", *ask, environment={"A_VARIABLE": "there"}) == "there"
    assert answer("os", *ask, environment={"A_VARIABLE": None}) is None


def test_a_fork_has_what_was_loaded_and_variables_of_its_own(tmp_path):
    log = tmp_path / "log"
    with Program("os") as program:
        with program.fork({"OWN": "2"}, log=log) as fork:
            assert fork.ask("getppid") == program.pid
            assert fork.ask("getenv", "OWN") == "2"
            fork.ask("write", 1, b"said")
            assert program.ask("getenv", "OWN") is None
            with pytest.raises(Failed, match="FileNotFoundError"):
                fork.ask("stat", "/no/such/file")
            with pytest.raises(Ended):
                fork.ask("_exit", 1)
        assert program.ask("getpid") == program.pid
    assert log.read_bytes() == b"said"


def test_what_a_program_started_ends_with_it():
    command = "spawnlp", os.P_NOWAIT, "sleep", "sleep", "600"
    with Program("os") as program, program.fork() as fork:
        pids = [fork.pid, program.ask(*command), fork.ask(*command)]
    assert all(map(gone, pids))


def test_a_program_is_ended_while_its_answer_is_waited_for():
    for reap in (False, True):
        with Program("time", reap=reap) as program:
            program.ask("time")  # it has started
            threading.Timer(0.05, program.end).start()
            with pytest.raises(Ended):
                program.ask("sleep", 600)


def test_a_program_ends_with_a_killed_parent():
    code = """
import os, signal
from onthefly.tools.processes import Program
program = Program("time")
program.send("sleep", 600)
fork = Program("os").fork()
reaped = Program("os", reap=True)
own = reaped.ask("getpid")
print(program.pid, fork.pid, reaped.pid, own, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(checkout.NOTEBOOKS)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == -signal.SIGKILL
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 4 and all(map(gone, pids))
