"""Look-ups in a dict, as look-ups in sorted arrays."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.axes import NoForm
from onthefly.diagnose.patterns.forms import Form


class Tables:
    """The part of an ArrayForm that knows dicts."""

    def _member(self, one, op, other):
        keys = self.of(one)
        if not isinstance(other, ast.Name) or other.id not in self.tables:
            raise NoForm("in")
        known, _values, at = self._table(other.id, keys.tree)
        sign = "==" if isinstance(op, ast.In) else "!="
        tree = trees.expression(f"{known}[{at}] {sign} keys_of")
        tree.comparators = [keys.tree]
        return Form(tree, keys.axes)

    def _table(self, name, keys):
        """Return the names of a dict's keys, values, and of the places."""
        words = trees.text(keys)
        for statement in self.before:
            if getattr(statement, "looks_up", None) == (name, words):
                return statement.names
        known, values, at = (
            trees.fresh(stem, self.used) for stem in ("known", "values", "at")
        )
        self.before += trees.statements(
            f"{known}, {values} = sorted_table({name})\n"
            f"{at} = np.searchsorted({known}, {words})\n"
            f"{at} = np.minimum({at}, len({known}) - 1)"
        )
        self.before[-1].looks_up = name, words
        self.before[-1].names = known, values, at
        self.note("np.searchsorted")
        return known, values, at

    def _get(self, node):
        """Return the form of `table.get(key, default)`."""
        found = trees.first_match(["d_.get(k_, v_)"], node)
        if not found or not isinstance(found["d"], ast.Name):
            return None
        if found["d"].id not in self.tables:
            return None
        keys = self.of(found["k"])
        known, values, at = self._table(found["d"].id, keys.tree)
        tree = trees.expression(f"np.where({known}[{at}] == 0, 0, 0)")
        tree.args[0].comparators = [keys.tree]
        tree.args[1] = trees.expression(f"{values}[{at}]")
        default = self.of(found["v"])
        tree.args[2] = default.tree
        return Form(tree, keys.axes | default.axes)
