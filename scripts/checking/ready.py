"""Is this machine ready: its libraries, or its CUDA device and theirs?"""

import sys
import tempfile

from checking import devices, repairs, trials
from commandline import ROOT
from onthefly.tools import processes
from onthefly.tools.programs import program

LIMIT = 120  # seconds that one library may take


def check(names, say=print):
    """Try libraries, by their names in trials.TRIALS; return the faults.

    `say` takes a line on each as soon as it is known.
    """
    say(f"Python {sys.version.split()[0]}, {sys.executable}")
    states = {}
    for name in names:
        states[name], detail = try_alone(name)
        say(_line(name, states[name], detail))
    wrong = [name for name, state in states.items() if state != "OK"]
    if not wrong:
        return []
    return [f"not working: {', '.join(wrong)}; repair: rm -r .venv; make env"]


def check_gpu(say=print):
    """Check the device, then each library on it; return the faults.

    `say` takes each line as soon as it is known.  Without a device no
    library is tried.
    """
    lines, wrong = devices.check()
    for line in lines:
        say(line)
    if not lines:
        return wrong
    states = {}
    for name in trials.GPU_TRIALS:
        states[name], detail = try_alone(name)
        say(_line(name, states[name], detail))
        if states[name] == "FAIL":
            wrong.append(f"{name}: {detail}")
    if "OK" not in states.values():
        wrong.append(f"no library uses the GPU; repair: {repairs.INSTALL}")
    return wrong


def try_alone(name):
    """Try a library in a process of its own, as `trials.attempt`.

    One that crashes, hangs or floods its standard error harms no other.
    """
    # TensorFlow tells only in its log why it sees no GPU.
    environment = {"TF_CPP_MIN_LOG_LEVEL": "0"}
    with tempfile.NamedTemporaryFile() as log:
        try:
            with program(
                trials.__name__,
                folders=[ROOT / "scripts"],
                environment=environment,
                log=log.name,
            ) as trial:
                state, text = trial.ask("attempt", name, limit=LIMIT)
        except processes.Late:
            state, text = "FAIL", f"no answer in {LIMIT} s"
        except processes.Ended as error:
            signal = error.status is not None and error.status < 0
            text = f"ended by {error.how}" if signal else error.words
            state, text = "FAIL", text or "it ended without a word"
        words = f"{text}\n{log.read().decode(errors='replace')}"
    detail = (text.splitlines() or [""])[0].rstrip(" :")
    if state == "FAIL" and name in trials.GPU_TRIALS:
        detail += f": {fault}" if (fault := repairs.of_text(words)) else ""
    return state, detail


def _line(name, state, detail):
    """Return what is said of a library that was tried."""
    label = f"{state:8}{name} {trials.version(name)}"
    if state == "OK":
        return label.rstrip()
    trial = trials.TRIALS.get(name) or trials.GPU_TRIALS[name]
    return f"{label:40}{detail}; lost: {trial.loss}"
