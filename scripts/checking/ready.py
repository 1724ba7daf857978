"""Is this machine ready: its libraries, or its CUDA device and theirs?"""

import concurrent.futures
import sys

from checking import apart, devices, faults
from checking.trials import TRIALS


def check_gpu(say=print):
    """Check the device, then each GPU library; return (results, faults).

    `say` takes each line as soon as it is known.  Without a device no
    library is tried.
    """
    lines, wrong = devices.devices()
    for line in lines:
        say(line)
    if not lines:
        return [], wrong
    results = []
    for name in (n for n, entry in TRIALS.items() if entry.kind == "gpu"):
        results.append(apart.run(name))  # one at a time: they share memory
        say(results[-1])
    wrong += [
        f"{r.name}: {r.detail}{r.repair}"
        for r in results
        if r.state == "FAIL"
    ]
    if not any(r.state == "OK" for r in results):
        wrong.append(f"no library uses the GPU; repair: {faults.INSTALL}")
    return results, wrong


def check(names, say):
    """Try the libraries named, or all; return (results, faults)."""
    say(f"Python {sys.version.split()[0]}, {sys.executable}")
    names = names or [n for n, e in TRIALS.items() if e.kind != "gpu"]
    results = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            for result in pool.map(apart.run, names):
                results.append(result)
                say(result)
        except BaseException:  # Ctrl-C: wait for no trial that hangs
            pool.shutdown(wait=False, cancel_futures=True)
            apart.end()
            raise
    broken = [r.name for r in results if r.required and r.state != "OK"]
    if not broken:
        return results, []
    text = f"required, but not working: {', '.join(broken)}"
    return results, [f"{text}; repair: rm -r .venv; make env"]
