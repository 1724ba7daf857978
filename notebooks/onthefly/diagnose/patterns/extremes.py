"""Running sums, minima and maxima of a loop, taken at once."""

import ast

from onthefly.diagnose.patterns import trees
from onthefly.diagnose.patterns.axes import NoForm, plus
from onthefly.diagnose.patterns.forms import filled
from onthefly.diagnose.patterns.turns import COMPARED


class Running:
    """The part of an ArrayLoop that knows what runs along."""

    def _scan(self, first, second, mask):
        """Take a running sum or extreme that each turn keeps."""
        if mask is not None or len(self.form.axes) != 1:
            return False
        i = self.form.axes[0].index
        kept = trees.first_match(
            [f"out_[{i}] = s_", "out_.append(s_)"], second
        )
        if not kept or not isinstance(kept["s"], ast.Name):
            return False
        name, out = kept["s"].id, getattr(kept["out"], "id", None)
        total = _growth(first, name)
        if total is None or out is None or name in self.own:
            return False
        kept_in_list = trees.match("out_.append(s_)", second)
        if kept_in_list and not self._is_empty_list(out):
            return False
        kind, value = total
        form = self._of(value)
        self._every(form)
        code = {
            "+": f"{name} + np.cumsum(VALUES)",
            "max": f"np.maximum({name}, np.maximum.accumulate(VALUES))",
            "min": f"np.minimum({name}, np.minimum.accumulate(VALUES))",
        }[kind]
        self.form.note(
            "np.cumsum" if kind == "+" else f"np.{kind}imum.accumulate"
        )
        tree = filled(code, VALUES=form.tree)
        if kept_in_list:
            self._emit(f"{out} = VALUES", VALUES=tree)
            self.replaced.add(out)
        else:
            self._only_there(out, [ast.Name(i, ast.Load())])
            self._into(out, self.form.axes, tree)
        if name in self.after:
            self._emit(f"{name} = {out}[-1]")
        self.totals |= {name, out}
        return True

    def _extreme(self, statement, mask):
        """Take a maximum or minimum, perhaps with its place."""
        place = None
        if isinstance(statement, ast.If) and not statement.orelse:
            statement, place = _without_place(
                statement, {a.index for a in self.form.axes}
            )
        name, kind, value = _extreme_of(statement)
        if name is None or name in self.own or name in trees.reads(value):
            return False
        if place is not None and len(self.form.axes) > 1:
            raise NoForm("a place in two loops")
        form = self._of(value)
        self._every(form)
        self.totals.add(name)
        tree = self._masked(form.tree, form.axes, mask)
        if place is None:
            self._emit_extreme(name, kind, tree, mask)
        else:
            self._emit_place(name, kind, tree, mask, place)
        return True

    def _emit_extreme(self, name, kind, tree, mask):
        self.form.note(f"np.{kind}")
        end = "" if mask is None else f", initial={name}"
        code = f"{name} = {kind}({name}, np.{kind}(VALUES{end}))"
        self._emit(code, VALUES=tree)

    def _emit_place(self, name, kind, tree, mask, place):
        used = self.form.used
        some, at = trees.fresh("some", used), trees.fresh("at", used)
        sign = ">" if kind == "max" else "<"
        first = self.form.axes[0].start
        found = trees.text(plus(ast.Name(at, ast.Load()), first))
        where = "" if mask is None else "np.flatnonzero(MASK)[AT]"
        lines = (
            f"{some} = VALUES\n"
            f"{at} = int(np.arg{kind}({some}))\n"
            f"if {some}[{at}] {sign} {name}:\n"
            f"    {name} = {some}[{at}]\n"
            f"    {place} = {where.replace('AT', at) or found}"
        )
        self.form.note(f"np.arg{kind}")
        mask_tree = mask.tree if mask is not None else ast.Constant(0)
        self._emit(lines, VALUES=tree, MASK=mask_tree)
        self.totals.add(place)


def _growth(statement, name):
    """Return ("+", "max" or "min", the value) of an accumulation."""
    for pattern in (f"{name} += v_", f"{name} = {name} + v_"):
        if found := trees.match(pattern, statement):
            return "+", found["v"]
    found, kind, value = _extreme_of(statement)
    return (kind, value) if found == name else None


def _extreme_of(statement):
    """Return the name, "max" or "min", and the value, or Nones."""
    for kind in ("max", "min"):
        for pattern in (f"m_ = {kind}(m_, v_)", f"m_ = {kind}(v_, m_)"):
            found = trees.match(pattern, statement)
            if found and isinstance(found["m"], ast.Name):
                return found["m"].id, kind, found["v"]
    for pattern, kind in COMPARED.items():
        found = trees.match(pattern.replace("NAME", "m_"), statement)
        if found and isinstance(found["m"], ast.Name):
            return found["m"].id, kind, found["value"]
    return None, None, None


def _without_place(statement, indices):
    """Return `if v > m: m = v`, and the name that gets the index, or None."""
    pairs = []
    for each in statement.body:
        target = getattr(each, "targets", [None])[0]
        value = getattr(each, "value", None)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs += zip(target.elts, value.elts, strict=False)
        else:
            pairs.append((target, value))
    if len(pairs) != 2:
        return statement, None
    places = [p for p in pairs if getattr(p[1], "id", "") in indices]
    others = [p for p in pairs if p not in places]
    if len(places) != 1 or not all(isinstance(p[0], ast.Name) for p in pairs):
        return statement, None
    new = ast.If(statement.test, [ast.Assign(*_listed(others[0]))], [])
    return new, places[0][0].id


def _listed(pair):
    return [pair[0]], pair[1]
