"""What an interpreter says of itself: under any Python from 3.6."""

import sys
import sysconfig


def facts():
    """Return a dict: version, minor, implementation, free_threaded, gil, pgo.

    `pgo` tells whether the configure line asked for a profile-guided build.
    """
    config = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return {
        "version": ".".join(map(str, sys.version_info[:3])),
        "minor": sys.version_info[1],
        "implementation": sys.implementation.name,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "gil": getattr(sys, "_is_gil_enabled", lambda: True)(),
        "pgo": "--enable-optimizations" in config,
    }
