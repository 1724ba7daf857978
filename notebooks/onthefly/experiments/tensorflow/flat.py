"""What is in a LiteRT file, read as a FlatBuffer."""

import struct

IDENTIFIER = b"TFL3"  # of the third version of TensorFlow Lite's schema


def head(data):
    """Return (identifier, place of the root table) of a FlatBuffer.

    Its first four bytes are the place of the root table, little-endian; the
    next four may name the schema.
    Source: https://flatbuffers.dev/internals
    """
    (root,) = struct.unpack_from("<I", data)
    return data[4:8], root


def model(data):
    """Return the model's tables, read in place by the schema."""
    from ai_edge_litert import schema_py_generated as schema

    return schema.Model.GetRootAs(bytes(data), 0)


def types():
    """Return {name: number} of the types that a tensor may have."""
    from ai_edge_litert import schema_py_generated as schema

    return {k: v for k, v in vars(schema.TensorType).items() if k.isupper()}


def tensors(data):
    """Return a dict for each tensor of a model's graph.

    "name", "type", "shape", "bytes" (that lie in the file), "scale" and
    "zero" (of the whole tensor, or None)
    """
    names = {number: name for name, number in types().items()}
    flattened, tables = [], model(data)
    graph = tables.Subgraphs(0)
    for k in range(graph.TensorsLength()):
        tensor = graph.Tensors(k)
        steps = tensor.Quantization()
        whole = steps and steps.ScaleLength() == 1
        flattened.append(
            {
                "name": tensor.Name().decode(),
                "type": names[tensor.Type()],
                "shape": tuple(map(int, tensor.ShapeAsNumpy()))
                if tensor.ShapeLength()
                else (),
                "bytes": tables.Buffers(tensor.Buffer()).DataLength(),
                "scale": float(steps.Scale(0)) if whole else None,
                "zero": int(steps.ZeroPoint(0)) if whole else None,
            }
        )
    return flattened


def where_the_bytes_go(data):
    """Return {part: bytes} of a file; the parts are the whole of it."""
    parts = {"weights": 0, "biases": 0}
    for tensor in tensors(data):
        many = len(tensor["shape"]) > 1
        parts["weights" if many else "biases"] += tensor["bytes"]
    return parts | {"structure": len(data) - sum(parts.values())}
