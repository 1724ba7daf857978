"""The environments that scripts/old_stack.py makes: the software of then."""

from onthefly import folders

# {name: what it is}; scripts/pins/NAME.txt says what it holds.
NAMES = {
    "numba-2018": "NumPy 1.15 and Numba 0.38, of PyCon JP 2018",
    "dask-2018": "Dask 0.18 and TensorFlow 1.9, of PyCon JP 2018",
    "tensorflow-1.4": "TensorFlow of 2017, without eager execution",
    "tensorflow-1.5": "the first with eager execution, built without AVX",
    "tensorflow-1.6": "the first that is built with AVX",
    "tensorflow-1.9": "TensorFlow of PyCon JP 2018",
}


def folder(name):
    """Return where an environment is, made or not."""
    return folders.build_dir() / "old_stack" / name


def python(name):
    """Return the path of an environment's interpreter, made or not."""
    return folder(name) / "bin" / "python"


def made(prefix):
    """Return {version: path of its interpreter} of those that are made.

    prefix  what comes before the version in their names, as "tensorflow-"
    """
    return {
        name.removeprefix(prefix): str(python(name))
        for name in NAMES
        if name.startswith(prefix) and python(name).exists()
    }
