"""What check_env.py does: trials of libraries, devices and their faults."""

# Before anything of the lab: it says in one line where the lab is missing.
from commandline import ROOT

SCRIPTS = ROOT / "scripts"  # where a trial's process finds this package
