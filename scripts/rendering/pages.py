"""The pages of book/: each is a template that this copy fills."""

from reading import toc

FIRST = "book/index"


def written(copy, documents):
    """Return {path in the stage: text} of the pages that are no chapters.

    copy       a rendering.copy.Copy
    documents  those of the table of contents

    Raises UserError where a page, the ledger or results cannot be read.
    """
    # Late: the ledger's schema library takes a second to load.
    from rendering import (
        changes,
        cheat_sheet,
        cost_model,
        first_page,
        measuring,
        paths,
        questions,
        regression,
        scoreboard,
        status,
        sweeps,
        which_one,
    )

    made = {
        "book/cheat_sheet": cheat_sheet.page,
        "book/cost_model": cost_model.page,
        "book/measuring": measuring.page,
        "book/questions": questions.page,
        "book/regression": regression.page,
        "book/scoreboard": scoreboard.page,
        "book/status": status.page,
        "book/sweeps": lambda copy: sweeps.page(),
        "book/what_changed": changes.page,
        "book/predictions": which_one.predictions,
        "book/which_one": which_one.page,
    }
    texts = {}
    for name in documents:
        if name != FIRST and not name.startswith(toc.FOLDER):
            if name.startswith(paths.FOLDER):
                text = paths.page(copy, name)
            else:
                toc.check(copy.root, name)
                make = made.get(name)
                text = make(copy) if make else copy.render(name)
                text += f"\n\n{paths.signpost(name, documents)}"
            texts[f"{name}.md"] = text
    if FIRST in documents:  # it tells how long the others take
        texts[f"{FIRST}.md"] = first_page.page(copy, texts)
    return texts
