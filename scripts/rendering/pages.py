"""The pages that the build writes from what the run recorded."""

from onthefly.refused import Refused


def generated(stamps, documents, kept):
    """Return {path in the stage: bytes} of the pages made from the run.

    stamps     {chapter stem: stamp}, in the book's order
    documents  those of the table of contents; what takes seconds is made
               where it is one of them
    kept       the Store of runs that the page of trends shows, or None

    Raises Refused where the ledger or a results file cannot be read.
    """
    # Late: the ledger's schema library takes a second to load.
    from rendering import (
        answer,
        changes,
        cost,
        regression,
        scoreboard,
        status,
        sweeps,
        verdicts,
        which_one,
    )
    from rendering.trends import page as trends

    try:
        judged = verdicts.every(stamps)
    except ValueError as error:
        raise Refused(str(error)) from None
    here = verdicts.here(judged)
    texts = {
        "book/status.md": status.status(stamps, here),
        "book/cost_model.md": cost.page(stamps),
        "book/regression.md": regression.page(),
        "book/scoreboard.md": scoreboard.page(stamps, judged),
        "book/what_changed.md": changes.page(stamps, judged),
        "book/answer.md": answer.answer(stamps, here),
        "book/presets.md": status.budgets(),
        "book/sweeps.md": sweeps.page(),
    }
    if "book/which_one" in documents:
        texts["book/which_one.md"] = which_one.page(stamps)
    if "book/trends" in documents:
        texts["book/trends.md"] = trends.page(stamps, kept)
    return {name: text.encode() for name, text in texts.items()}
