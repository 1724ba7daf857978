"""Instructions of a listing, counted and assigned to units."""

import json

import pytest

from cases import skip_if
from onthefly.experiments.gpu import device_roofs, sass
from onthefly.kernels.pi import pi_device_limit as limit

SASS = skip_if(sass.missing())


LISTING = """\
.text.hits:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   IMAD R3, R3, R2, RZ ;
        /*0020*/              @!P0 LOP3.LUT R4, R3, R5, RZ, 0x3c, !PT ;
        /*0030*/                   IMAD.WIDE.U32 R4, R4, R5, R6 ;
        /*0040*/               @P1 BRA `(.L_x_1) ;
.L_x_2:
        /*0050*/                   BRA `(.L_x_2);
"""


def test_a_loop_of_the_listing_is_found_and_counted():
    assert sass.loops(LISTING) == [
        ["IMAD", "LOP3.LUT", "IMAD.WIDE.U32", "BRA"], ["BRA"]]  # fmt: skip
    units = [sass.unit(name) for name in sass.hot_loop(LISTING)]
    assert units == ["multiply-add", "shift and logic", "wide product",
                     "flow"]  # fmt: skip
    with pytest.raises(ValueError, match="no loop"):
        sass.hot_loop("")


@pytest.mark.parametrize(
    ("name", "unit"),
    [("IMAD.HI.U32", "wide product"), ("IMAD.MOV.U32", "multiply-add"),
     ("DSETP.GEU.AND", "float64"), ("I2F.F64.S16", "to float64"),
     ("I2FP.F32.S32", "to float32"), ("FFMA", "float32"),
     ("FSETP.GEU.AND", "shift and logic"), ("UIADD3", "uniform"),
     ("XMAD.MRG", "part of a product"), ("LDG.E", "memory"),
     ("LEA.HI", "shift and logic")],
)  # fmt: skip
def test_each_instruction_has_its_unit(name, unit):
    assert sass.unit(name) == unit


@SASS
def test_the_recorded_counts_are_those_of_todays_text():
    recorded = json.loads(sass.RECORDED.read_text("utf-8"))
    if recorded["compiler"] != sass.compiler():
        pytest.skip(f"recorded by {recorded['compiler']}")
    for way in (limit.TUNED, "SplitMix64"):
        key = sass.key(limit.source(way, 8))
        assert recorded["counts"][key] == sass.per_turn(
            lambda n, way=way: limit.source(way, n)
        )


@SASS
@pytest.mark.parametrize("name", sorted(set(device_roofs.ROOFS) - {
    "any", "64-bit multiply-add"}))  # fmt: skip
def test_a_roofs_loop_is_of_its_kind(name):
    listing = sass.disassembled(device_roofs.source(name))
    units = [sass.unit(n) for n in sass.hot_loop(listing)]
    steps = device_roofs.REPEATS * device_roofs.CHAINS
    results = device_roofs.ROOFS[name].results
    passes = round(units.count(name) / (steps * results))
    assert passes >= 1
    assert abs(units.count(name) - passes * steps * results) <= 4
