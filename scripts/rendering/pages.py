"""The pages of book/: each is a template that this copy fills."""

from reading import toc


def written(copy, documents):
    """Return {path in the stage: text} of the pages that are no chapters.

    copy       a rendering.copy.Copy
    documents  those of the table of contents

    Raises UserError where a page, the ledger or results cannot be read.
    """
    # Late: the ledger's schema library takes a second to load.
    from rendering import (
        answer,
        changes,
        cost_model,
        paths,
        questions,
        regression,
        scoreboard,
        status,
        sweeps,
        which_one,
    )

    made = {
        "book/cost_model": cost_model.page,
        "book/index": answer.page,
        "book/questions": questions.page,
        "book/regression": regression.page,
        "book/scoreboard": scoreboard.page,
        "book/status": status.page,
        "book/sweeps": lambda copy: sweeps.page(),
        "book/what_changed": changes.page,
        "book/which_one": lambda copy: which_one.page(copy.stamps),
    }
    texts = {}
    for name in documents:
        if not name.startswith(toc.FOLDER):
            if name.startswith(paths.FOLDER):
                text = paths.page(copy, name)
            else:
                toc.check(copy.root, name)
                make = made.get(name)
                text = make(copy) if make else copy.render(name)
            texts[f"{name}.md"] = text
    return texts
