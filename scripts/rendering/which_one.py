"""Two pages on choosing, from what machines measured.

"Find your case" has the decision tree and the calculator, and "How good are
the predictions?" what tests them.
"""

import templates
from onthefly import figures
from onthefly.predict import (
    kinds,
    left_out,
    measurements,
    prediction,
    tree,
)
from rendering.choice import calculator, questions, tested


def page(copy):
    """Return "Find your case" as Markdown.

    copy  a rendering.copy.Copy
    """
    found = measured(copy)
    if not found:
        return _render("which_one", tree="")
    machines, here, every = found
    return _render(
        "which_one",
        tree=questions.drawn(every[here]),
        about=tree.about_gains(machines[here]),
        workers=machines[here].machine["cores"]["usable"],
        calculator=calculator.form(machines, every, here),
    )


def predictions(copy):
    """Return "How good are the predictions?" as Markdown.

    copy  a rendering.copy.Copy
    """
    found = measured(copy)
    if not found:
        return _render("predictions", tested={})
    machines, here, every = found
    others = kinds.elsewhere(here)
    return _render(
        "predictions",
        tested=tested.values(every[here], kinds.kinds(every[here], others)),
        origin=machines[here].origin,
        farthest=prediction.FARTHEST,
        reach=prediction.REACH,
        least=left_out.LEAST,
        negligible=figures.percent(prediction.NEGLIGIBLE),
    )


def _render(name, **values):
    path = f"book/{name}.md"
    return templates.render(path, page=prediction.PAGE, **values)


def measured(copy):
    """Return (machines, the one of this copy, their Choices), or ().

    copy  a rendering.copy.Copy
    """
    machines = measurements.usable()
    if not machines:
        return ()
    run = copy.runs.get(prediction.PAGE)
    here = measurements.default(machines, run and run.machine["slug"])
    every = {
        name: prediction.choices(results)
        for name, results in machines.items()
    }
    return machines, here, every
