"""What check_env.py does: trials of libraries, devices and their faults."""

# Before anything of the lab: it says in one line where the lab is missing.
import commandline

__all__ = ["commandline"]
