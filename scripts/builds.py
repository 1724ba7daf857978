#!/usr/bin/env python3
"""Look up what TensorFlow, PyTorch and CuPy are built for.

    python scripts/builds.py

Asks the package index which packages of CUDA each of them asks for today, and
looks into the source of CuPy 4.1.0, the talk's: which modules it has, and
which functions of CUDA it calls without the GIL.  Writes
book/history/builds.json.  It needs a network.

Exit code 0: written; 2: no answer, and nothing was written.
"""

import collections
import datetime
import http.client
import io
import json
import pathlib
import re
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request

from commandline import Parser, command
from onthefly import files
from onthefly.errors import UserError
from onthefly.experiments.history import builds
from onthefly.tools.uv import Impossible, uv
from releases import JSON, where_pip_looks

# Those who are asked for by a build for CUDA begin so.
CUDA = ("nvidia-", "cuda-")
LIBRARIES = "cuda|cublas|cudnn|cufft|curand|cusolver|cusparse|nccl|nvrtc"
# A call of one of them, or of the driver, in what Cython has written.
CALL = re.compile(rf"= ((?:{LIBRARIES}|cu(?=[A-Z]))\w+)\(")


def asked(requirement):
    """Return the version of a package, and what it asks for of CUDA."""
    name = re.match(r"[\w-]+", requirement)[0]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "requirements.in")
        path.write_text(requirement, encoding="utf-8")
        try:
            text = uv(
                "pip", "compile", "--python-platform", "linux",
                "--no-header", "--no-annotate", path,
            )  # fmt: skip
        except Impossible as error:
            raise UserError(f"{requirement}: {error}") from None
    pins = dict(x.split("==") for x in text.split() if "==" in x)
    return {
        "version": pins[name],
        "CUDA": [x for x in pins if x.startswith(CUDA)],
    }


def source(index):
    """Return {path: text} of CuPy's source, from a package index.

    index  its address
    """
    page, name = f"{index}/cupy/", f"cupy-{builds.CUPY}.tar.gz"
    request = urllib.request.Request(page, headers={"Accept": JSON})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            listed = json.load(answer)["files"]
        (url,) = (x["url"] for x in listed if x["filename"] == name)
        place = urllib.parse.urljoin(page, url)
        with urllib.request.urlopen(place, timeout=60) as answer:
            packed = io.BytesIO(answer.read())
        with tarfile.open(fileobj=packed) as archive:
            return {
                one.name.partition("/")[2]: archive.extractfile(one)
                .read()
                .decode("utf-8", "replace")
                for one in archive
                if one.isfile()
            }
    except (OSError, http.client.HTTPException, tarfile.TarError) as error:
        raise UserError(f"{name}: {error}") from None
    except (ValueError, LookupError, TypeError):  # a proxy's page, say
        raise UserError(f"{name}: not what the package index has") from None


def calls(text):
    """Return {function of CUDA: whether each call of it lets go of the GIL}.

    text  C or C++ that Cython has written
    """
    lets_go, free = collections.defaultdict(lambda: True), False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("*"):  # Cython's own source, as a comment
            continue
        if "Py_BLOCK_THREADS" in line or "Py_UNBLOCK_THREADS" in line:
            free = "Py_UNBLOCK_THREADS" in line
        for name in CALL.findall(line):
            lets_go[name] &= free
    return dict(lets_go)


def cupy(texts):
    """Return what the source of CuPy says, JSON-ready.

    texts  {path: text}
    """
    found = collections.defaultdict(lambda: True)
    for path, text in texts.items():
        if re.match(r"cupy/.*\.cpp$", path):
            for name, lets_go in calls(text).items():
                found[name] &= lets_go
    return {
        "version": builds.CUPY,
        "modules": [
            name
            for name in builds.MODULES
            if f"cupy/{name}/__init__.py" in texts
        ],
        "calls": dict(sorted(found.items())),
    }


@command
def main(argv=None):
    """Run the command; return its exit code."""
    Parser(__doc__, whole=True).parse_args(argv)
    packages = {name: asked(p) for name, p in builds.PACKAGES.items()}
    data = {
        "looked": str(datetime.date.today()),
        "packages": packages,
        "CuPy": cupy(source(where_pip_looks())),
    }
    files.write(builds.RECORDED, json.dumps(data, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
