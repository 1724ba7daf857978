"""Facts that the lab knows and the prose names, as ``{{ name }}``."""

from onthefly import clock, timings
from onthefly.figures import percent
from onthefly.quantity import CONFIDENCE

FACTS = {
    "confidence": percent(CONFIDENCE),
    "noisy_spread": percent(timings.NOISY_SPREAD),
    "elsewhere": percent(timings.OTHER_THREADS),
    "busy": percent(timings.BACKGROUND),
    "least_sample": f"{clock.MIN_SAMPLE * 1000:g} ms",
    "most_rounds": clock.MAX_ROUNDS,
}


def tell(app, config):
    """Hand the facts to MyST, before it reads its settings."""
    config.myst_substitutions = {**config.myst_substitutions, **FACTS}


def setup(app):
    """Register the facts with Sphinx."""
    app.connect("config-inited", tell, priority=1)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
