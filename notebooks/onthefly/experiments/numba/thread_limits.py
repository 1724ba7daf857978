"""Could the threads of a parallel loop be limited in 2018?

Source of the question: Okuda, PyCon JP 2018, slide 24.
"""

from onthefly.experiments.then import environments
from onthefly.tools.processes import Program

SETTINGS = {"nothing set": None, "NUMBA_NUM_THREADS=1": "1"}
CALL = "set_num_threads"


def in_2018():
    """Return how many threads share a loop of the talk's own Numba.

    {setting: count}, and under CALL whether it has this call; {} where
    scripts/old_stack.py has made no such Numba.
    """
    python = environments.made("numba-").get("2018")
    if python is None:
        return {}
    found = {}
    for setting, number in SETTINGS.items():
        with Program(
            f"{__package__}.thread_limits_child",
            python=python,
            environment={"NUMBA_NUM_THREADS": number},
        ) as program:
            found[setting] = program.ask("at_work")
            found[CALL] = program.ask("has", CALL)
    return found
