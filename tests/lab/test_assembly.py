"""Assembly: its functions, their loops, and what they hold."""

import pytest

from onthefly.tools import assembly

LISTING = """\
twice:
\t.cfi_startproc
.LBB0_1:
\tmovl\t$3, %eax
.LBB0_2:
\tvpaddd\t%ymm0, %ymm1, %ymm2 # a comment
\tvpcmpgtd\t32(%rsp), %ymm2, %ymm3
\tvmovdqu\t%ymm3, (%rdx)
\taddl\t$8, %ecx
\tjne\t.LBB0_2
\tdecl\t%eax
\tjne\t.LBB0_1
\tretq
\t.size\ttwice, .-twice
"""
NESTED = assembly.function(LISTING, "twice")


def test_the_instructions_of_the_innermost_loop():
    assert len(NESTED.loops()) == 1
    loop = NESTED.hot_loop("vpcmpgt")
    assert loop.label == ".LBB0_2"
    assert loop.kinds() == {"vpaddd": 1, "vpcmpgtd": 1, "vmovdqu": 1}
    assert loop.lanes("vpcmpgtd", 32) == 8
    assert len(loop.scalar) == 2
    lines = loop.text.splitlines()
    assert lines[0] == ".LBB0_2:" and lines[-1] == "jne\t.LBB0_2"


def test_a_function_is_counted():
    assert NESTED.bits() == 256
    code = "f:\n\tvmulpd %xmm1, %xmm2, %xmm3\n\tvmovapd %xmm3, (%rax)\n"
    packed = assembly.function(code + "\tcallq g\n\tvxorps %xmm0\n")
    assert packed.counts() == {"instructions": 4, "calls": 1, "packed": 1}
    assert packed.bits() == 128


def test_a_listing_is_split_into_its_functions():
    code = (
        '\t.file "x"\ndata:\n\t.quad 1\nfirst:\n\tnop\n.L1:\n'
        "\tjmp .L1\n\t.size first, .-first\n\tnop\nsecond:\n\tretq # end\n"
        "third:\n\tretq\n.Lfunc_end2:\n"
    )
    functions = assembly.functions(code)
    assert {name: f.instructions for name, f in functions.items()} == {
        "first": ["nop", "jmp .L1"],
        "second": ["retq"],
        "third": ["retq"],
    }
    assert assembly.function(code).name == "first"
    assert [loop.label for loop in functions["first"].loops()] == [".L1"]


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (lambda: NESTED.hot_loop("vmulps"), "no loop with 'vmulps'"),
        (lambda: assembly.function(LISTING, "thrice"), "'thrice'"),
        (lambda: assembly.function(""), "no function"),
    ],
)
def test_what_is_not_there_is_refused(look, message):
    with pytest.raises(ValueError, match=message):
        look()
