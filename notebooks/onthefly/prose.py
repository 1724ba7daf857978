"""Numbers in the prose: a run stores what each {eval}`expression` says.

The values stand in the metadata of the prose's own cells, in the form of
jupyterlab-myst, so that JupyterLab and the built book show the same.  An
expression is asked when the run reaches its cell.  What has no value then,
as in the summary at a page's top, is asked again at the page's end.

By hand: ``papermill --engine onthefly PAGE.ipynb out.ipynb``.
"""

import re

from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.log import logger

ROLE = re.compile(r"(?<![\\`])\{eval\}(`+)(.+?)\1", re.DOTALL)
STORED = "user_expressions"  # jupyterlab-myst's name


class Unanswered(PapermillException):
    """An expression of the prose that has no value at a page's end.

    cell  the notebook's cell that it stands in
    """

    def __init__(self, cell, expression, result):
        why = " ".join(f"{result['ename']}: {result['evalue']}".split())
        super().__init__(f"{{eval}}`{expression}`: {why}")
        self.cell = cell


def expressions(source):
    """Return the expressions of a Markdown text, each once, in its order."""
    found = (match[2].replace("\n", " ") for match in ROLE.finditer(source))
    return list(dict.fromkeys(found))


def stored(cell):
    """Return {expression: its result} of a cell, in Jupyter's form."""
    kept = cell["metadata"].get(STORED, [])
    return {each["expression"]: each["result"] for each in kept}


def _unanswered(cell):
    """Return {expression: its error} of a cell."""
    return {k: v for k, v in stored(cell).items() if v["status"] != "ok"}


class Client(PapermillNotebookClient):
    """papermill's client, which also asks what stands in the prose."""

    def execute_cell(self, cell, cell_index, **options):
        """Execute a cell of code; ask what one of prose asks."""
        done = super().execute_cell(cell, cell_index, **options)
        if cell.cell_type == "markdown":
            cell.metadata.pop(STORED, None)  # an editor may have left it
            self._ask(cell, expressions(cell.source))
        return done

    def papermill_execute_cells(self):
        """Execute all cells; then ask again what had no value.

        Raises Unanswered where it has none yet.
        """
        super().papermill_execute_cells()
        if self.nb.metadata.papermill.get("exception"):
            return  # a cell failed: what comes of that says nothing new
        waiting = [cell for cell in self.nb.cells if _unanswered(cell)]
        for cell in waiting:
            self._ask(cell, _unanswered(cell))
        for cell in waiting:
            for expression, result in _unanswered(cell).items():
                raise Unanswered(cell, expression, result)

    def _ask(self, cell, asked):
        """Store in a cell what the kernel says of some expressions."""
        if not asked:
            return
        message = self.kc.execute(
            "",
            silent=True,
            store_history=False,
            user_expressions={expression: expression for expression in asked},
        )
        reply = self.wait_for_reply(message, cell)
        results = stored(cell) | reply["content"]["user_expressions"]
        cell.metadata[STORED] = [
            {"expression": expression, "result": result}
            for expression, result in results.items()
        ]


class Engine(NBClientEngine):
    """papermill's own engine, with our client."""

    @classmethod
    def execute_managed_notebook(
        cls,
        nb_man,
        kernel_name,
        *,
        start_timeout=60,
        execution_timeout=None,
        log_output=False,
        stdout_file=None,
        stderr_file=None,
        **_,
    ):
        """Execute the cells; called by papermill with its command's options.

        Raises Unanswered.
        """
        Client(
            nb_man,
            kernel_name=kernel_name,
            startup_timeout=start_timeout,
            timeout=execution_timeout,
            log=logger,
            log_output=log_output,
            stdout_file=stdout_file,
            stderr_file=stderr_file,
        ).execute()
