"""The calculator: a form, the numbers behind it, and its script's place."""

import html
import json
import math

from choosing import words
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.problems import KINDS
from onthefly.quantity import INTERVAL

SCRIPT = "../_static/choose.js"
ASKED = {"problem": "polynomial", "size": 100_000, "calls": 1000}

FORM = """\
<form id="otf-choose" class="otf-choose" hidden>
<div class="otf-asked">
<label>Problem <select name="problem"></select></label>
<label><span>Size, <span data-unit>elements</span></span>
<input name="size" value="{size}" inputmode="decimal" required></label>
<label>Calls
<input name="calls" value="{calls}" inputmode="decimal" required></label>
<label>Cores
<input name="cores" value="" inputmode="decimal" required></label>
<label>Data <select name="data">{data}</select></label>
<label>Machine <select name="machine">{machines}</select></label>
<label class="otf-check"><input type="checkbox" name="loaded">
libraries are loaded already</label>
<label class="otf-check"><input type="checkbox" name="device">
<span data-device>a GPU may be used</span></label>
</div>
<output name="answer" aria-live="polite"
for="machine problem size calls cores data loaded device"></output>
<div class="otf-scroll" tabindex="0" role="region" aria-label="Each way">
<table class="otf-table"><thead><tr><th scope="col">Way</th>
<th scope="col">Predicted ({interval})</th>
<th scope="col">As fast as Python</th><td></td></tr></thead>
<tbody></tbody></table></div>
<p class="otf-machine"><a data-link href="#">A link to this answer</a>.
In the terminal: <code data-command></code></p>
</form>
<noscript><p>The calculator needs JavaScript; in the terminal,
<code>scripts/choose.py</code> gives the same answers.</p></noscript>
<script type="application/json" id="otf-choices">{numbers}</script>
<script src="{script}"></script>"""


def form(found, here):
    """Return the calculator as HTML.

    found  {machine: Results}, as kept.kept returns it
    here   name of the machine that comes first
    """
    names = [here, *(name for name in found if name != here)]
    every = {name: _machine(found[name]) for name in names}
    text = json.dumps(
        {
            "once": prediction.ONCE,
            "reach": prediction.REACH,
            "few": words.FEW,
            "machines": every,
        },
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )
    return FORM.format(
        **ASKED,
        data=_options(words.DATA),
        machines=_options({name: found[name].origin for name in names}),
        interval=INTERVAL,
        numbers=text.replace("<", "\\u003c"),
        script=SCRIPT,
    )


def _options(pairs):
    """Return {value: text} as the options of a select."""
    return "".join(
        f'<option value="{html.escape(value)}">{html.escape(text)}</option>'
        for value, text in pairs.items()
    )


def _machine(found):
    """Return what the script needs of a machine, JSON-ready."""
    return {
        "cores": found.machine["cores"]["usable"],
        "again": words.again(found.preset),
        "further": words.further(found.preset),
        "problems": {
            name: _problem(choices)
            for name, choices in prediction.choices(found).items()
        },
    }


def _problem(choices):
    return {
        "title": choices.problem.title,
        "unit": choices.problem.unit,
        "costs": {
            way: _cost(choices, way, cost)
            for way, cost in choices.costs.items()
        },
        "conversions": {
            name: _curve(curve) for name, curve in choices.conversions.items()
        },
    }


def _cost(choices, way, cost):
    return {
        "name": words.name(choices, way),
        "module": choices.problem.start(way),
        "loads": cost.loads,
        "first": cost.first,
        "curve": _curve(cost.curve),
        "one": _curve(cost.one),
        "workers": cost.workers,
        "device": bool(KINDS[way].library),
        "converting": {
            data: choices.converting(way, data) for data in prediction.DATA
        },
    }


def _curve(curve):
    """Return a models.Curve, JSON-ready; its last piece ends at null."""
    return curve and {
        "pieces": [
            [end if math.isfinite(end) else None, a, b]
            for end, a, b in curve.pieces
        ],
        "spread": curve.spread,
        "upto": curve.upto,
    }
