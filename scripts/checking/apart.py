"""A trial in a process of its own: what crashes or hangs harms no other."""

import tempfile
from dataclasses import dataclass

from checking import cost, faults, trials
from commandline.programs import program
from onthefly.tools import processes

TIME_LIMIT = 60  # seconds that one library may take
GPU_TIME_LIMIT = 120  # the same where kernels are compiled


@dataclass(frozen=True)
class Result:
    """What came of one trial; `repair` is there for a known fault."""

    name: str
    state: str  # OK, missing or FAIL
    version: str
    detail: str
    required: bool
    lost: str
    repair: str = ""

    def __str__(self):
        name = f"{self.name} {self.version}".strip()
        tail = self.repair or f"; lost: {self.lost}"
        return (
            f"{self.state:8}{name:32}{self.detail}"
            f"{'' if self.state == 'OK' else tail}"
        )


_running = set()  # Programs


def end():
    """End the trials that are running, for those who wait for them."""
    for trial in list(_running):
        trial.end()


def run(name):
    """Run one trial apart; return its Result."""
    entry = trials.TRIALS[name]
    gpu = entry.kind == "gpu"
    state, text, log = _asked(name, gpu)
    detail = (text.splitlines() or [""])[0].rstrip(" :")
    repair = ""
    if gpu and state == "FAIL":
        fault = faults.of_text(f"{text}\n{log}")
        repair = f": {fault}" if fault else ""
    lost = entry.lost
    if state != "OK" and (claims := cost.lost(name)):
        lost = f"{lost}; {claims}"
    return Result(
        name, state, entry.version, detail, entry.kind == "required",
        lost, repair,
    )  # fmt: skip


def _asked(name, gpu):
    """Return (state, text, log) of a trial's process."""
    limit = GPU_TIME_LIMIT if gpu else TIME_LIMIT
    # TensorFlow tells only in its log why it sees no GPU.
    environment = {"TF_CPP_MIN_LOG_LEVEL": "0"} if gpu else {}
    with tempfile.NamedTemporaryFile() as log:
        try:
            with program(
                trials.__name__, environment=environment, log=log.name
            ) as trial:
                _running.add(trial)
                state, text = trial.ask("attempt", name, limit=limit)
        except processes.Late:
            state, text = "FAIL", f"no answer in {limit} s"
        except processes.Ended as error:
            state, text = "FAIL", _ending(error)
        finally:
            _running.discard(trial)
        return state, text, log.read().decode(errors="replace")


def _ending(error):
    """Say how a process ended that gave no answer."""
    if error.status is not None and error.status < 0:
        return f"ended by {error.how}"
    return error.words or "it ended without a word"
