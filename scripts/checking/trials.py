"""All trials, and the one function that a process of their own runs."""

from checking import on_device, on_processor, tools
from checking.trial import Missing

TRIALS = on_processor.TRIALS | tools.TRIALS | on_device.TRIALS


def attempt(name):
    """Run a trial in this process; return (state, detail)."""
    try:
        return "OK", TRIALS[name].use()
    except (Missing, ModuleNotFoundError) as error:
        return "missing", str(error)
    except Exception as error:
        return "FAIL", f"{type(error).__name__}: {error}".rstrip(": ")
