"""What the compiler makes of the CUDA kernels."""

import pytest
from numba import cuda, float64, void

from cases import skip_if
from onthefly.experiments.gpu import ptx
from onthefly.kernels.pi import pi_cuda, pi_cuda_float32

needs_nvvm = skip_if(ptx.missing())


@needs_nvvm
def test_the_compiler_counts_and_refuses():
    single = ptx.compiled(pi_cuda_float32.hits_single, ptx.HITS)
    counts = ptx.per_shot(single)
    assert counts["double"] == 0 and counts["single"] > 3
    double = ptx.compiled(pi_cuda.pi_each, ptx.PI)
    assert ptx.per_shot(double)["double"] >= 5
    vector = void(float64[::1])
    assert ptx.refusal(lambda x: x[0], (float64[::1],))
    assert not ptx.refusal(ptx.empty, vector)
    place = ptx.CAPABILITIES.index(ptx.lowest())
    accepted = [
        not ptx.refusal(ptx.empty, vector, cc)
        for cc in ptx.CAPABILITIES[: place + 1]
    ]
    assert accepted == [False] * place + [True]
    asked = ptx.dispatcher.get_current_device
    assert asked is cuda.get_current_device  # put back


LOOP = """\
$L__BB0_1:
\tld.u64 \t%rd1, [%rd2];
\t.reg .b64 %lhs;
\tcvt.rn.f64.u64 \t%fd1, %rd1;
\tcvt.rn.f32.f64 \t%f1, %fd1;
\tsetp.le.f32 \t%p1, %f1, 0f3F800000;
\tsetp.le.f32 \t%p3, %f1, 0f3F800000;
\tatom.global.add.u64 \t%rd3, [%rd4], 1;
\t@%p2 bra \t$L__BB0_1;
"""


def test_a_loop_is_counted_by_the_shot():
    assert ptx.per_shot(LOOP) == {
        "double": 1, "single": 1, "memory": 1, "integer": 0.5,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no loop"):
        ptx.per_shot("ret;")


@needs_nvvm
def test_registers_are_counted_without_a_word(capfd):
    text = ptx.compiled(pi_cuda.hits_stride, ptx.HITS)
    if (count := ptx.registers(text)) is None:
        pytest.skip("no assembler")
    assert 8 < count <= 255
    assert capfd.readouterr().err == ""
