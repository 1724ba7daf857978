"""Graphs run through TensorFlow's C API, by ctypes.

The library that the wheel brings is asked directly: no line of TensorFlow's
Python is imported.  Functions as in tensorflow/c/c_api.h of the wheel.
"""

import contextlib
import ctypes
import importlib.util
from ctypes import (
    POINTER,
    byref,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_void_p,
)
from pathlib import Path

import numpy as np

FLOAT = 1  # TF_FLOAT
_ONE_THREAD = b"\x10\x01\x28\x01"  # ConfigProto: intra_op and inter_op at 1


_POINTERS = """NewStatus NewGraph NewSession NewSessionOptions TensorData
NewBufferFromString NewImportGraphDefOptions AllocateTensor
LoadSessionFromSavedModel GraphOperationByName"""


class _Output(ctypes.Structure):
    """TF_Output: the index-th result of an operation."""

    _fields_ = [("operation", c_void_p), ("index", c_int)]


def library():
    """Return TensorFlow's C++ library, loaded.

    Raises ImportError, with the module's name, where TensorFlow is not here.
    """
    spec = importlib.util.find_spec("tensorflow")  # does not import it
    if spec is None:
        raise ImportError("TensorFlow is not here", name="tensorflow")
    lib = ctypes.CDLL(Path(spec.origin).with_name("libtensorflow_cc.so.2"))
    for name in _POINTERS.split():
        getattr(lib, f"TF_{name}").restype = c_void_p
    lib.TF_Message.restype = lib.TF_Version.restype = c_char_p
    lib.TF_Dim.restype = c_int64
    lib.TF_TensorByteSize.restype = c_size_t
    lib.TF_AllocateTensor.argtypes = [
        c_int, POINTER(c_int64), c_int, c_size_t,
    ]  # fmt: skip
    for name in "Message", "GetCode", "TensorData", "TensorByteSize":
        getattr(lib, f"TF_{name}").argtypes = [c_void_p]
    for name in "DeleteTensor", "NumDims", "DeleteStatus":
        getattr(lib, f"TF_{name}").argtypes = [c_void_p]
    lib.TF_Dim.argtypes = [c_void_p, c_int]
    lib.TF_GraphOperationByName.argtypes = [c_void_p, c_char_p]
    lib.TF_NewBufferFromString.argtypes = [c_char_p, c_size_t]
    lib.TF_GraphImportGraphDef.argtypes = [c_void_p] * 4
    lib.TF_NewSession.argtypes = [c_void_p] * 3
    lib.TF_SetConfig.argtypes = [c_void_p, c_char_p, c_size_t, c_void_p]
    lib.TF_LoadSessionFromSavedModel.argtypes = [
        c_void_p, c_void_p, c_char_p, POINTER(c_char_p), c_int, c_void_p,
        c_void_p, c_void_p,
    ]  # fmt: skip
    lib.TF_SessionRun.argtypes = [
        c_void_p, c_void_p, POINTER(_Output), POINTER(c_void_p), c_int,
        POINTER(_Output), POINTER(c_void_p), c_int, c_void_p, c_int,
        c_void_p, c_void_p,
    ]  # fmt: skip
    return lib


class Session:
    """A graph, loaded by C; several threads may call it.

    file            folder of a SavedModel, or file of a frozen GraphDef
    source, target  names of the operations that take the images and give
                    the scores

    Raises RuntimeError with TensorFlow's own words.
    """

    def __init__(self, file, source, target):
        self._lib = lib = library()
        graph, options = lib.TF_NewGraph(), lib.TF_NewSessionOptions()
        with self._checked() as status:
            lib.TF_SetConfig(options, _ONE_THREAD, 4, status)
        load = self._saved if Path(file).is_dir() else self._frozen
        self._session = load(file, graph, options)
        self._source, self._target = (
            _Output(lib.TF_GraphOperationByName(graph, name.encode()), 0)
            for name in (source, target)
        )
        if not (self._source.operation and self._target.operation):
            raise RuntimeError(f"{file}: no {source} or no {target}")

    def _saved(self, folder, graph, options):
        tags = (c_char_p * 1)(b"serve")
        with self._checked() as status:
            return self._lib.TF_LoadSessionFromSavedModel(
                options, None, str(folder).encode(), tags, 1, graph, None,
                status,
            )  # fmt: skip

    def _frozen(self, file, graph, options):
        lib, data = self._lib, Path(file).read_bytes()
        buffer = lib.TF_NewBufferFromString(data, len(data))
        how = lib.TF_NewImportGraphDefOptions()
        with self._checked() as status:
            lib.TF_GraphImportGraphDef(graph, buffer, how, status)
        with self._checked() as status:
            return lib.TF_NewSession(graph, options, status)

    @contextlib.contextmanager
    def _checked(self):
        """Give a TF_Status; raise what it says behind the block."""
        status = self._lib.TF_NewStatus()
        try:
            yield status
            if self._lib.TF_GetCode(status):
                said = self._lib.TF_Message(status)
                raise RuntimeError(said.decode(errors="replace"))
        finally:
            self._lib.TF_DeleteStatus(status)

    def __call__(self, images):
        """Return the scores of float32 images, a float32 array."""
        lib, output = self._lib, c_void_p()
        fed = self._tensor(np.ascontiguousarray(images, np.float32))
        try:
            with self._checked() as status:
                lib.TF_SessionRun(
                    self._session, None,
                    byref(self._source), byref(c_void_p(fed)), 1,
                    byref(self._target), byref(output), 1,
                    None, 0, None, status,
                )  # fmt: skip
            return self._array(output)
        finally:
            lib.TF_DeleteTensor(fed)
            lib.TF_DeleteTensor(output)

    def _tensor(self, array):
        shape = (c_int64 * array.ndim)(*array.shape)
        tensor = self._lib.TF_AllocateTensor(
            FLOAT, shape, array.ndim, array.nbytes
        )
        data = self._lib.TF_TensorData(tensor)
        ctypes.memmove(data, array.ctypes.data, array.nbytes)
        return tensor

    def _array(self, tensor):
        lib = self._lib
        shape = [lib.TF_Dim(tensor, k) for k in range(lib.TF_NumDims(tensor))]
        size = lib.TF_TensorByteSize(tensor)
        data = ctypes.string_at(lib.TF_TensorData(tensor), size)
        return np.frombuffer(data, np.float32).reshape(shape)
