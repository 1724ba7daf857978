"""The other end of `processes.Program`: answer questions, in a process.

Runs under any Python from 3.6, and loads as little as it can: what a process
has loaded, and how its memory lies, is part of some experiments.
"""

import contextlib
import fcntl
import importlib
import os
import pickle
import signal
import struct
import sys
import traceback

PROTOCOL = 4  # of pickle: the newest that Python 3.6 knows
HEAD = struct.Struct("!Q")  # before each message: its bytes
FORK = "<fork>"  # asks for a copy; no function has this name


def read(channel, size):
    """Return so many bytes of a socket; EOFError at its end."""
    parts = []
    while size:
        part = os.read(channel, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def receive(channel):
    """Return the next message."""
    (size,) = HEAD.unpack(read(channel, HEAD.size))
    return pickle.loads(read(channel, size))


def send(channel, message):
    """Send a message."""
    data = pickle.dumps(message, PROTOCOL)
    data = memoryview(HEAD.pack(len(data)) + data)
    while data:
        data = data[os.write(channel, data) :]


def end_with_parent(lifeline, group=None):
    """End a group of processes when its parent ends, however that does.

    lifeline  a pipe whose other end the parent alone holds: the system sends
              the group a signal when that end closes (Linux)
    group     its number; by default the group of this process
    """
    if sys.platform == "linux":
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -(group or os.getpgrp()))
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
        asked = flags | os.O_ASYNC | os.O_NONBLOCK
        fcntl.fcntl(lifeline, fcntl.F_SETFL, asked)
        try:
            os.read(lifeline, 1)
        except BlockingIOError:
            return
        os._exit(1)  # it had ended before


def fork(channel, module, environment, log):
    """Answer in a copy of this process, too; return its number.

    The socket for the copy comes with the question.
    """
    import array
    import socket

    with socket.socket(fileno=os.dup(channel)) as mine:
        _, ((_, _, data),), _, _ = mine.recvmsg(1, socket.CMSG_LEN(4))
    theirs = array.array("i", data)[0]
    child = os.fork()
    if child:
        os.close(theirs)
        return child
    os.close(channel)
    os.environ.update(environment)
    with open(log, "ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    return serve(theirs, module)


def answered(question, channel, module):
    """Return ("answer", what a function returns), or ("error", …)."""
    home, name, arguments, options = question
    try:
        if name == FORK:
            return "answer", fork(channel, module, *arguments)
        found = importlib.import_module(home or module)
        for part in name.split("."):
            found = getattr(found, part)
        return "answer", found(*arguments, **options)
    except (Exception, SystemExit) as error:
        text = "%s: %s" % (type(error).__name__, error)
        module = error.name if isinstance(error, ImportError) else None
        return "error", (text.rstrip(": "), traceback.format_exc(), module)


def serve(channel, module):
    """Answer until the parent closes the channel."""
    forks = []
    while True:
        try:
            question = receive(channel)
        except EOFError:
            os._exit(0)  # at once: some libraries take long to end
        forks = [f for f in forks if not os.waitpid(f, os.WNOHANG)[0]]
        kind, value = answered(question, channel, module)
        if question[1] == FORK and kind == "answer":
            forks.append(value)
        sys.stdout.flush()
        try:
            send(channel, (kind, value))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            send(channel, ("error", (str(error), "", None)))


def main(module, channel, lifeline):
    """Load the module, then answer; an error of its import is an answer."""
    end_with_parent(int(lifeline))
    # The first question meets the same error again, and is told.
    with contextlib.suppress(Exception, SystemExit):
        importlib.import_module(module)
    serve(int(channel), module)


if __name__ == "__main__":
    main(*sys.argv[1:])
