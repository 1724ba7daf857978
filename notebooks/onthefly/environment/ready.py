"""Is this machine ready: its libraries, or its CUDA device and theirs?"""

import dataclasses
import tempfile

from onthefly.environment import devices, repairs, trials
from onthefly.folders import CHECKOUT
from onthefly.tools import processes
from onthefly.tools.programs import program

LIMIT = 120  # seconds that one library may take
OK, MISSING, FAIL = "OK", "missing", "FAIL"


@dataclasses.dataclass(frozen=True)
class Tried:
    """A library that was tried.

    name     as trials.TRIALS has it
    version  of its distribution, or ""
    state    OK, MISSING or FAIL
    detail   why it is not OK, or ""
    loss     what needs it, in words
    """

    name: str
    version: str
    state: str
    detail: str
    loss: str

    @property
    def line(self):
        """It in one line."""
        label = f"{self.state:8}{self.name} {self.version}".rstrip()
        if self.state == OK:
            return label
        return f"{label:40}{self.detail}; needed by: {self.loss}"


def check(names, say=print):
    """Return ([Tried], lines of faults) of libraries, by their names.

    `say` takes a line on each as soon as it is known.
    """
    tried = [_try(name, say) for name in names]
    wrong = [one.name for one in tried if _is_fault(one)]
    if not wrong:
        return tried, []
    repair = "rm -r .venv; make env"
    if wrong == ["cc"]:  # which is no package of pip
        repair = "install a C compiler (gcc), by your system's packages"
    elif not CHECKOUT:
        packages = trials.distributions(wrong)
        repair = f"pip install --force-reinstall {' '.join(packages)}"
    return tried, [f"not working: {', '.join(wrong)}; repair: {repair}"]


def _is_fault(tried):
    """Tell whether a library must be here and work, and does not.

    A checkout has all of them.
    """
    needed = CHECKOUT or trials.TRIALS[tried.name].needed
    return tried.state == FAIL or (tried.state == MISSING and bool(needed))


def check_gpu(say=print, trusted=()):
    """Check the device, then each library on it.

    `say` takes each line as soon as it is known.  Without a device no
    library is tried.  Returns ([Tried], lines of faults).

    trusted  names of trials that went well before, and are not repeated
    """
    lines, wrong = devices.check()
    for line in lines:
        say(line)
    if not lines:
        return [], wrong
    tried = [_try(name, say, name in trusted) for name in trials.GPU_TRIALS]
    wrong += [f"{x.name}: {x.detail}" for x in tried if x.state == FAIL]
    if not any(one.state == OK for one in tried):
        wrong.append(f"no library uses the GPU; repair: {repairs.INSTALL}")
    return tried, wrong


def _try(name, say, trusted=False):
    """Try a library, or trust it; say the line on it; return the Tried."""
    trial = trials.TRIALS.get(name) or trials.GPU_TRIALS[name]
    state, detail = (OK, "") if trusted else try_alone(name)
    tried = Tried(name, trials.version(name), state, detail, trial.loss)
    say(tried.line)
    return tried


def try_alone(name):
    """Try a library in a process of its own, as `trials.attempt`.

    One that crashes, hangs or floods its standard error harms no other.
    """
    # TensorFlow tells only in its log why it sees no GPU.
    environment = {"TF_CPP_MIN_LOG_LEVEL": "0"}
    with tempfile.NamedTemporaryFile() as log:
        try:
            with program(
                trials.__name__, environment=environment, log=log.name
            ) as trial:
                state, text = trial.ask("attempt", name, limit=LIMIT)
        except processes.Late:
            state, text = FAIL, f"no answer in {LIMIT} s"
        except processes.Ended as error:
            signal = error.status is not None and error.status < 0
            text = f"ended by {error.how}" if signal else error.words
            state, text = FAIL, text or "it ended without a message"
        words = f"{text}\n{log.read().decode(errors='replace')}"
    detail = (text.splitlines() or [""])[0].rstrip(" :")
    if state == FAIL and name in trials.GPU_TRIALS:
        detail += f": {fault}" if (fault := repairs.of_text(words)) else ""
    return state, detail
