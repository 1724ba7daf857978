"""Libraries that are tried on the processor: those of the lab's table."""

import ctypes
import tempfile
from pathlib import Path

from checking.trial import entering

TRIALS = {}
trial = entering(TRIALS)


@trial("numpy", lost="every chapter")
def use_numpy():
    import numpy as np

    a = np.arange(6.0).reshape(2, 3)
    assert (a @ a.T).tolist() == [[5, 14], [14, 50]]
    return "a matrix product"


@trial("scipy", lost="the intervals of ratios and fits")
def use_scipy():
    import numpy as np
    from scipy import stats

    data = (np.arange(20.0),)
    low, high = stats.bootstrap(data, np.median).confidence_interval
    assert low < 9.5 < high
    return "a bootstrap interval"


@trial("numba", lost="the Numba measurements")
def use_numba():
    from numba import njit

    @njit
    def total(n):
        s = 0
        for i in range(n):
            s += i
        return s

    assert total(10) == 45 and total.signatures
    return "a compiled loop"


@trial("llvmlite", lost="the Numba measurements, and the assembly")
def use_llvmlite():
    import llvmlite.binding as llvm

    text = "define i32 @seven() { ret i32 7 }"
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine()
    module = llvm.parse_assembly(text)
    with llvm.create_mcjit_compiler(module, target) as engine:
        engine.finalize_object()
        address = engine.get_function_address("seven")
        assert ctypes.CFUNCTYPE(ctypes.c_int)(address)() == 7
    return "a function from its assembly"


@trial("numexpr", lost="a neighbour in the chapter on the speed limit")
def use_numexpr():
    import numexpr

    assert numexpr.evaluate("a * a", local_dict={"a": 3}) == 9
    return "an expression"


@trial("tensorflow", lost="the TensorFlow measurements")
def use_tensorflow():
    import tensorflow as tf

    @tf.function
    def square(x):
        return x * x

    assert float(square(tf.constant(3.0))) == 9
    return f"a graph; GPUs: {len(tf.config.list_physical_devices('GPU'))}"


@trial("keras", lost="the page on Keras' prefix")
def use_keras():
    import keras
    import numpy as np

    layer = keras.layers.Dense(1, kernel_initializer="ones")
    assert float(layer(np.ones((1, 3)))[0, 0]) == 3
    return f"a layer, on {keras.backend.backend()}"


@trial("torch", lost="the PyTorch measurements")
def use_torch():
    import torch

    x = torch.tensor(3.0, requires_grad=True)
    (x * x).backward()
    assert float(x.grad) == 6
    return f"a gradient; GPUs: {torch.cuda.device_count()}"


@trial("jax", lost="the JAX measurements")
def use_jax():
    import numpy as np

    from onthefly.tools.quiet_jax import jax

    a = np.arange(6.0).reshape(2, 3) / 7
    with jax.default_device(jax.devices("cpu")[0]):
        product = jax.jit(lambda a: a @ a.T)(a)
    assert product.dtype == a.dtype and np.allclose(product, a @ a.T)
    return f"a compiled matrix product, {product.dtype}"


@trial("litert", lost="the homes of a model on small devices")
def use_litert():
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter

    lite = Interpreter(model_content=_lite_square())
    lite.allocate_tensors()
    lite.set_tensor(0, np.array([3.0], "f4"))
    lite.invoke()
    assert lite.get_tensor(1) == 9
    return "a model of one operator"


def _lite_square():
    """Return a model that squares a number, a FlatBuffer."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as lite

    graph = lite.SubGraphT(tensors=[], operators=[], inputs=[0], outputs=[1])
    for name in b"x", b"y":
        graph.tensors.append(lite.TensorT(shape=[1], name=name))
    code = lite.BuiltinOperator.MUL
    options = {
        "builtinOptionsType": lite.BuiltinOptions.MulOptions,
        "builtinOptions": lite.MulOptionsT(),
    }
    graph.operators = [lite.OperatorT(inputs=[0, 0], outputs=[1], **options)]
    model = lite.ModelT(
        version=3,
        operatorCodes=[lite.OperatorCodeT(code, builtinCode=code)],
        subgraphs=[graph],
        buffers=[lite.BufferT()],
    )
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@trial("onnx", lost="the homes that read ONNX")
def use_onnx():
    import onnx

    model = _onnx_square()
    onnx.checker.check_model(model)
    return f"a checked graph of {len(model.graph.node)} node"


def _onnx_square():
    """Return a model that squares a number."""
    from onnx import TensorProto, helper

    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1])
        for name in "xy"
    )
    nodes = [helper.make_node("Mul", ["x", "x"], ["y"])]
    return helper.make_model(
        helper.make_graph(nodes, "square", [x], [y]),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )


@trial("onnxruntime", lost="a home that reads ONNX")
def use_onnxruntime():
    import numpy as np
    import onnxruntime

    model = _onnx_square().SerializeToString()
    session = onnxruntime.InferenceSession(
        model, providers=["CPUExecutionProvider"]
    )
    (found,) = session.run(None, {"x": np.array([3.0], "f4")})
    assert found == 9
    return "a graph"


@trial("tf2onnx", lost="the way from TensorFlow to ONNX")
def use_tf2onnx():
    import tf2onnx

    from onthefly.tools.quiet_tensorflow import tf

    signature = [tf.TensorSpec([1], tf.float32, "x")]
    square = tf.function(lambda x: x * x, input_signature=signature)
    model, _ = tf2onnx.convert.from_function(square, signature, opset=17)
    assert any(node.op_type == "Mul" for node in model.graph.node)
    return "a converted graph"


@trial("grpc", lost="the served models")
def use_grpc():
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    server = grpc.server(ThreadPoolExecutor(1))
    answer = grpc.unary_unary_rpc_method_handler(lambda asked, _: asked[::-1])
    methods = grpc.method_handlers_generic_handler("s", {"m": answer})
    server.add_generic_rpc_handlers([methods])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        assert channel.unary_unary("/s/m")(b"abc", timeout=30) == b"cba"
    server.stop(None).wait()
    return "a call on loopback"


@trial("grpc-tools", lost="the served models")
def use_grpc_tools():
    from grpc_tools import protoc

    with tempfile.TemporaryDirectory() as folder:
        file, to = Path(folder) / "a.proto", Path(folder) / "set"
        file.write_text('syntax = "proto3"; message A { int64 a = 1; }')
        options = [f"-I{folder}", f"--descriptor_set_out={to}", str(file)]
        assert protoc.main(["protoc", *options]) == 0 and to.stat().st_size
    return "a .proto, read by protoc"


@trial("dask", lost="the Dask measurements")
def use_dask():
    import dask

    parts = [dask.delayed(pow)(n, 2) for n in range(4)]
    assert dask.delayed(sum)(parts).compute(scheduler="threads") == 14
    return "a graph on threads"


@trial("distributed", lost="Dask's scheduler")
def use_distributed():
    from distributed import Client

    options = {"processes": False, "dashboard_address": None}
    with Client(n_workers=1, threads_per_worker=1, **options) as client:
        assert client.submit(pow, 3, 2).result(timeout=30) == 9
    return "a task on a local scheduler"


@trial("matplotlib", lost="every figure")
def use_matplotlib():
    import io

    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with mpl.rc_context({"svg.fonttype": "none"}):
        plt.plot([0, 1])
        plt.xlabel("shots")
        plt.savefig(page := io.StringIO(), format="svg")
    assert ">shots</text>" in page.getvalue()
    return "an SVG figure with text as text"


@trial("papermill", lost="running any chapter")
def use_papermill():
    import nbformat
    import papermill as pm

    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_code_cell("print(6 * 7)")]
    with tempfile.TemporaryDirectory() as folder:
        source = str(Path(folder, "in.ipynb"))
        nbformat.write(nb, source)
        done = pm.execute_notebook(
            source, None, kernel_name="python3", progress_bar=False
        )
    assert done.cells[0].outputs[0].text.strip() == "42"
    return "a notebook run by the kernel python3"


@trial("pyperf", lost="keeping results")
def use_pyperf():
    import pyperf as perf

    loops = perf.Run([0.2, 0.4], metadata={"name": "x"}, collect_metadata=0)
    assert abs(perf.Benchmark([loops]).median() - 0.3) < 1e-9
    return "a benchmark"
