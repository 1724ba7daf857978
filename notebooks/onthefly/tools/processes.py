"""Processes that answer: line by line (`Child`), or once (`answer`)."""

import contextlib
import json
import os
import pathlib
import select
import subprocess
import sys

NOTEBOOKS = str(pathlib.Path(__file__).parents[2])
LIMIT = 600  # seconds to wait for an answer: more than any takes
END = 10  # seconds that a process has to end, before it is killed


class Ended(RuntimeError):
    """A process ended without an answer.

    `status` is that of the process: below zero the signal that ended it.
    """

    def __init__(self, name, status, errors=""):
        words = (errors.strip().splitlines() or [""])[-1][:200]
        super().__init__(f"{name} ended: {status}; {words}".rstrip("; "))
        self.status = status


def answer(module, *question, environment=None, limit=LIMIT):
    """Run a module in a process of its own, once; return its answer.

    module       its full name; it finds the question as a list in JSON on
                 its command line, and prints JSON
    environment  variables that it gets beside this process's own
    limit        seconds to wait

    Raises Ended where it fails, RuntimeError where it does not answer.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, json.dumps(question)],
            env=os.environ | {"PYTHONPATH": NOTEBOOKS} | (environment or {}),
            capture_output=True,
            text=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        error = f"{module} gave no answer in {limit:g} s"
        raise RuntimeError(error) from None
    if done.returncode:
        raise Ended(module, done.returncode, done.stderr)
    return json.loads(done.stdout)


class Child:
    """A process that reads a line of JSON and answers with one.

    command      its command line, a list
    environment  its environment variables, all of them
    errors       file for its standard error; None: where this process's goes

    A context manager, which ends it.
    """

    def __init__(self, command, environment, errors=None):
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )

    def ask(self, *question, limit=LIMIT):
        """Return the answer.

        limit  seconds to wait for it

        Raises Ended if the process has ended, RuntimeError if it does not
        answer.
        """
        name = type(self).__name__
        with contextlib.suppress(BrokenPipeError):  # ended: said below
            print(json.dumps(question), file=self._process.stdin, flush=True)
        # One answer a question: nothing of it waits in Python's buffer.
        if not select.select([self._process.stdout], [], [], limit)[0]:
            raise RuntimeError(f"{name} gave no answer in {limit:g} s")
        answer = self._process.stdout.readline()
        if not answer:
            raise Ended(name, self._process.wait())
        return json.loads(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):  # a question never read
            self._process.stdin.close()
        try:
            self._process.wait(END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
