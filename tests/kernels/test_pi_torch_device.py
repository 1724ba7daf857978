"""What PyTorch compiles: for which sizes, and how fine its points are."""

import pytest

from cases import torch_or_skip


@pytest.fixture
def ways():
    """The module, which loads PyTorch."""
    torch_or_skip()
    from onthefly.kernels.pi import pi_torch_device

    pi_torch_device.compiled.cache_clear()
    yield pi_torch_device
    pi_torch_device.compiled.cache_clear()


@pytest.fixture
def made_for(ways, monkeypatch):
    """{shots: the shots whose program counted them}, by a stand-in.

    As Inductor does it, a program for any size is cut for its first.
    """
    programs_of = {}

    def compile(function, *, dynamic, options, fullgraph=False):
        programs = []

        def run(shots, device):
            if not dynamic:
                programs_of[shots] = shots
            else:
                programs.append(shots)
                programs_of[shots] = programs[0]
            return 0

        return run

    monkeypatch.setattr(ways.torch, "compile", compile)
    return programs_of


SIZES = [1000, 10**5, 10**7]


def test_a_gpu_has_a_program_for_each_size(ways, made_for):
    for shots in SIZES:
        ways.pi_torch_compiled(shots, device="cuda")
    assert made_for == {n: n for n in SIZES}
    limit = ways.torch._dynamo.config.recompile_limit
    assert limit >= 10 * len(SIZES)  # beyond it nothing is compiled


def test_a_processors_program_is_not_cut_for_few_shots(ways, made_for):
    for shots in SIZES:
        ways.pi_torch_compiled(shots)
    assert {made_for[n] for n in SIZES} == {ways.LARGE}
    assert ways.LARGE >= 10**6


@pytest.mark.slow  # it compiles
def test_a_compiled_program_draws_53_bits(ways, monkeypatch, tmp_path):
    if why := ways.missing():
        pytest.skip(why)
    torch = ways.torch
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))

    def points(shots):
        x = ways.drawn(shots, "cpu")
        return x, x.float()

    draw = torch.compile(points, dynamic=False, options=ways.OPTIONS)
    drawn, single = draw(10_000)
    assert drawn.min() >= 0 and drawn.max() < 1
    assert (drawn != single).double().mean() > 0.9  # float32 has 24 bits
    whole = drawn * 2.0**53
    assert (whole == whole.floor()).all()
    assert ((whole / 2) != (whole / 2).floor()).double().mean() > 0.4
