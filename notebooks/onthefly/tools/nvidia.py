"""NVIDIA's command line tools, where there are some."""

import importlib.util
import os
import pathlib
import shutil


def tool(name):
    """Return the path of one of NVIDIA's tools, or None.

    Looked for on the PATH, in CUDA's folder, and in Triton, which PyTorch's
    CUDA build brings.
    """
    homes = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"]
    places = [os.environ.get("PATH", "")]
    places += [str(pathlib.Path(home, "bin")) for home in homes if home]
    if found := importlib.util.find_spec("triton"):
        folder = pathlib.Path(found.origin).parent
        places.append(str(folder / "backends" / "nvidia" / "bin"))
    return shutil.which(name, path=os.pathsep.join(places))
