"""papermill's engine for a page: it fills the prose, and leaves cells out.

It stores what each {eval}`expression` of the prose says in the metadata of
the prose's own cells, in the form of jupyterlab-myst, so that JupyterLab and
the built book show the same.  An expression is asked when the run reaches its
cell.  What has no value then, as in the summary at a page's top, is asked
again at the page's end.

A cell for which a library is missing is left out: see `missing`.

By hand: ``papermill --engine onthefly PAGE.ipynb out.ipynb``.  papermill
loads this module while it is being loaded itself: what imports both has to
import papermill first.
"""

import ast
import html

from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_output
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.log import logger

from onthefly.page import missing, prose

# What the kernel is told of a cell that was left out, and asked of one that
# failed: for want of what.
_TELL = "import onthefly.page.missing; onthefly.page.missing.skip({!r}, {!r})"
_HERE = "__import__('onthefly.page.missing').page.missing"
_WANT = f"{_HERE}.wanted(__import__('sys').last_value)"
_LACKS = f"{_HERE}.left_out"
_WHY = f"{_HERE}.explained(__import__('sys').last_value)"


class Unanswered(PapermillException):
    """An expression of the prose that has no value at a page's end.

    cell  the notebook's cell that it stands in
    """

    def __init__(self, cell, expression, result):
        why = " ".join(f"{result['ename']}: {result['evalue']}".split())
        super().__init__(f"{{eval}}`{expression}`: {why}")
        self.cell = cell


def _unanswered(cell):
    """Return {expression: its error} of a cell."""
    results = prose.stored(cell)
    return {k: v for k, v in results.items() if v["status"] != "ok"}


def _dash(lack):
    """Return the result of an expression that something is missing for."""
    data = {
        "text/plain": "–",
        "text/html": missing.DASH.format(html.escape(f"{lack} is missing")),
    }
    return {"status": "ok", "data": data, "metadata": {}}


def _unchecked():
    """Return the result of a condition that something is missing for."""
    data = {"text/plain": "", "text/html": ""}
    return {"status": "ok", "data": data, "metadata": {}}


class Client(PapermillNotebookClient):
    """papermill's client, which asks what stands in the prose.

    It leaves out what lacks a library.
    """

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._cells = missing.Cells()
        self.why = ""  # what the error of a cell does not say itself

    def execute_cell(self, cell, cell_index, **options):
        """Execute a cell of code, or leave it out; ask what prose asks."""
        if cell.cell_type == "code":
            return self._execute(cell, cell_index, **options)
        done = super().execute_cell(cell, cell_index, **options)
        if cell.cell_type == "markdown":
            cell.metadata.pop(prose.STORED, None)  # an editor's, perhaps
            self._ask(cell, prose.expressions(cell.source))
        return done

    def _execute(self, cell, cell_index, **options):
        source = cell.source
        lack = self._cells.lack(source, cell.metadata.get("tags", []))
        if lack:
            cell.source = ""  # the cell begins and ends, and nothing runs
        try:
            super().execute_cell(cell, cell_index, **options)
        except CellExecutionError:
            lack = self._say(cell, _WANT)
            if not lack:
                self.why = self._say(cell, _WHY) or ""
                raise
        finally:
            cell.source = source
        self._cells.done(source, lack)
        if lack:
            self._leave_out(cell, lack)
        return cell

    def _say(self, cell, expression):
        """Return the value of an expression; None where there is none.

        As in a notebook that is no page of the lab.
        """
        results = self._silent(cell, "", [expression])["user_expressions"]
        result = results[expression]
        if result["status"] != "ok":
            return None
        return ast.literal_eval(result["data"]["text/plain"])

    def _leave_out(self, cell, lack):
        """Put a line in the place of a cell's output; tell the kernel."""
        data = {
            "text/plain": f"Left out: {lack} is missing.",
            "text/html": missing.line(lack),
        }
        cell.outputs = [new_output("display_data", data)]
        self._silent(cell, _TELL.format(lack, self._cells.bound_by(cell)))

    def _silent(self, cell, source, expressions=()):
        """Return the kernel's reply to a source, which leaves no trace.

        Behind a cell that failed the kernel may refuse what follows, for a
        moment.
        """
        while True:
            message = self.kc.execute(
                source,
                silent=True,
                store_history=False,
                user_expressions={text: text for text in expressions},
            )
            reply = self.wait_for_reply(message, cell)["content"]
            if reply["status"] != "aborted":
                return reply

    def papermill_execute_cells(self):
        """Execute all cells; then ask again what had no value.

        What has none on a page that lacks something gets a dash.  Raises
        Unanswered where nothing is missing.
        """
        super().papermill_execute_cells()
        if self.nb.metadata.papermill.get("exception"):
            return  # a cell failed: what comes of that says nothing new
        waiting = [cell for cell in self.nb.cells if _unanswered(cell)]
        for cell in waiting:
            self._ask(cell, _unanswered(cell))
        for cell in waiting:
            for expression, result in _unanswered(cell).items():
                lacks = self._say(cell, _LACKS)
                if not lacks:
                    raise Unanswered(cell, expression, result)
                self._store(cell, {expression: _dash(lacks[0])})

    def _ask(self, cell, expressions):
        """Store in a cell what the kernel says of some expressions.

        Of one that reads a name of a cell left out, a dash: the kernel may
        know an older value.
        """
        lacks = {text: self._cells.lack(text.strip()) for text in expressions}
        asked = [text for text, lack in lacks.items() if not lack]
        if asked:
            reply = self._silent(cell, "", asked)
            self._store(cell, reply["user_expressions"])
        dashes = {
            text: _unchecked() if prose.is_condition(text) else _dash(lack)
            for text, lack in lacks.items()
            if lack
        }
        self._store(cell, dashes)

    def _store(self, cell, results):
        """Add {expression: result} to those of a cell, if there are any."""
        if results:
            cell.metadata[prose.STORED] = [
                {"expression": expression, "result": result}
                for expression, result in (
                    prose.stored(cell) | results
                ).items()
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


engine = Engine  # papermill finds it by its entry point (pyproject.toml)
