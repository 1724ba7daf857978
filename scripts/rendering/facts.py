"""Facts that the lab knows and the pages of book/ name, as ``{{ name }}``.

``{{ diagram("gil") }}`` shows a diagram.
"""

from onthefly.figures import percent
from onthefly.figures.diagrams import diagram
from onthefly.measure import clock, presets, samples, timings
from onthefly.measure.quantity import CONFIDENCE
from rendering.formats import duration

FACTS = {
    "diagram": diagram,
    "confidence": percent(CONFIDENCE),
    "noisy_spread": percent(timings.NOISY_SPREAD),
    "other_threads": percent(samples.OTHER_THREADS),
    "background": percent(samples.BACKGROUND),
    "least_sample": f"{clock.MIN_SAMPLE * 1000:g} ms",
    "presets": [
        (
            name,
            f"{presets.BUDGET[name]:g} s",
            presets.ROUNDS[name],
            duration(presets.LIMIT[name]),
        )
        for name in presets.NAMES
    ],
}
