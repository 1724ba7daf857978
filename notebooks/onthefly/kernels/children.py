"""A process that answers questions: one line of JSON each way."""

import json
import subprocess


class Child:
    """A process that reads a line of JSON and answers with one.

    command      its command line, a list
    environment  its environment variables, all of them

    A context manager, which ends it.
    """

    def __init__(self, command, environment):
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *question):
        """Return the answer; raises RuntimeError if the process has ended."""
        print(json.dumps(question), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            status = self._process.wait()
            raise RuntimeError(f"{type(self).__name__} ended: {status}")
        return json.loads(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
