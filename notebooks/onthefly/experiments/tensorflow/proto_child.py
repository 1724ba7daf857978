"""protoc, in a process of its own: beside TensorFlow it ends the process.

The compiler of grpcio-tools and TensorFlow both bring a protobuf in C++; a
process that loads the compiler second crashes (grpcio-tools 1.85.1).
"""

import tempfile
from pathlib import Path

from grpc_tools import protoc


def described(file):
    """Return a .proto as a serialised FileDescriptorSet.

    Raises ValueError where protoc refuses the file; it prints why.
    """
    file = Path(file)
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder) / "set"
        options = [f"-I{file.parent}", f"--descriptor_set_out={to}"]
        if protoc.main(["protoc", *options, str(file)]):
            raise ValueError(f"{file}: protoc refuses it")
        return to.read_bytes()
