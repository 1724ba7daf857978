// The calculator of "Which one should I choose?".  Its numbers stand in the
// page; its arithmetic is that of onthefly/experiments/choice/prediction.py.
(function () {
  "use strict";

  const form = document.getElementById("otf-choose");
  const data = JSON.parse(document.getElementById("otf-choices").textContent);
  const field = (name) => form.elements[name];
  const MOST = 1e15;

  // Arithmetic -------------------------------------------------------------

  function on(curve, n) {
    const [, a, b] = curve.pieces.find(([end]) => end === null || n <= end);
    return a + b * n;
  }

  // Seconds of a call and their spread, as Cost.call.
  function call(cost, n, workers) {
    const all = on(cost.curve, n);
    if (!cost.one || workers === cost.workers) return [all, cost.curve.spread];
    const one = on(cost.one, n);
    if (cost.workers === 1 || workers === 1) return [one, cost.one.spread];
    const spread = cost.curve.spread + cost.one.spread;
    const gained = one - all;
    if (gained > 0) {
      const shared = gained / (1 - 1 / cost.workers);
      const found = one - shared * (1 - 1 / workers);
      return [Math.max(found, one / workers), spread];
    }
    return [one - (gained * (workers - 1)) / (cost.workers - 1), spread];
  }

  // A sum of [seconds, spread] with independent errors.
  function total(parts) {
    const value = parts.reduce((sum, [s]) => sum + s, 0);
    if (!value) return { value: 0, low: 0, high: 0 };
    const off = Math.hypot(...parts.map(([s, spread]) => s * spread)) / value;
    return { value, low: value / (1 + off), high: value * (1 + off) };
  }

  function cost(model, way, asked) {
    const found = model.costs[way];
    const each = [call(found, asked.size, asked.cores)];
    for (const name of found.converting[asked.data]) {
      const curve = model.conversions[name];
      each.push([on(curve, asked.size), curve.spread]);
    }
    return total([
      [asked.loaded ? 0 : found.loads, data.once],
      [found.first, data.once],
      ...each.map(([s, spread]) => [asked.calls * s, spread]),
    ]);
  }

  // The ways, the cheapest first, each with what it gains over Python.
  function ranked(model, asked) {
    const rows = Object.keys(model.costs)
      .filter((way) => asked.device || !model.costs[way].device)
      .map((way) => {
        const { name } = model.costs[way];
        return { way, name, ...cost(model, way, asked) };
      })
      .sort((a, b) => a.value - b.value);
    const python = rows.find((row) => row.way === "Python");
    for (const row of rows) {
      row.beyond = asked.size > data.reach * model.costs[row.way].curve.upto;
      row.rival =
        row !== rows[0] && row.low <= rows[0].high &&
        longer(model, row, rows[0], asked).low <= 1;
      if (python) row.gain = row === python ? exactly(1) : over(python, row);
    }
    return rows;
  }

  const exactly = (value) => ({ value, low: value, high: value });

  // A result of two numbers with intervals, as Quantity: each is moved to its
  // ends while the other stays, and what that changes adds up in squares.
  function combined(operation, a, b) {
    const value = operation(a.value, b.value);
    const moved = [
      [a.low, a.high].map((end) => operation(end, b.value) - value),
      [b.low, b.high].map((end) => operation(a.value, end) - value),
    ];
    const reach = (pick) =>
      Math.hypot(...moved.map((pair) => pick(0, ...pair)));
    return {
      value,
      low: value - reach(Math.min),
      high: value + reach(Math.max),
    };
  }

  const over = (a, b) => combined((x, y) => x / y, a, b);
  const less = (a, b) => combined((x, y) => x - y, a, b);

  // How many times as long another way takes, as Choices.longer.
  function longer(model, other, best, asked) {
    if (model.costs[other.way].module !== model.costs[best.way].module) {
      return over(other, best);
    }
    const loaded = { ...asked, loaded: true };
    const [worse, own] = [other, best].map((row) =>
      cost(model, row.way, loaded));
    const { value, low, high } = over(less(worse, own), best);
    return { value: value + 1, low: low + 1, high: high + 1 };
  }

  // Words ------------------------------------------------------------------

  const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];

  function digits(value) {
    if (value === 0) return "0";
    if (value >= 1e5 || value < 1e-3) {
      return value.toExponential(2).replace("e+", "e");
    }
    const places = Math.max(0, 2 - Math.floor(Math.log10(value)));
    return value.toFixed(places);
  }

  function written(q, [factor, unit]) {
    const [value, low, high] = [q.value, q.low, q.high].map((x) =>
      digits(x / factor));
    const ends = q.low === q.high ? "" : ` (${low} to ${high})`;
    return `${value}${unit}${ends}`;
  }

  function seconds(q) {
    const size = Math.max(q.value, q.high / 10);
    const [factor, unit] =
      UNITS.find(([least]) => size >= least) || UNITS[UNITS.length - 1];
    return written(q, [factor, ` ${unit}`]);
  }

  const ratio = (q) => written(q, [1, "×"]);
  const joined = (names, word) =>
    names.length > 1
      ? `${names.slice(0, -1).join(", ")} ${word} ${names[names.length - 1]}`
      : names[0];

  // What the cheapest takes; where others may be ahead, that comes first.
  function lead(machine, best, rivals) {
    const python = best.way === "Python";
    const name = python ? "Python's own loop" : best.name;
    const gain =
      best.gain && !python
        ? `, ${ratio(best.gain)} as fast as Python's loop`
        : "";
    const cost = `${seconds(best)}${gain}`;
    if (!rivals.length) {
      return `${name} is predicted to take the least: ${cost}.`;
    }
    const open = [best, ...rivals].map((row) => row.name);
    if (open.length > data.few + 1) {
      open.splice(data.few, MOST, `${open.length - data.few} others`);
    }
    return (
      `${joined(open, "and")} cannot be told apart: ${machine.again}. ` +
      `Of these ${name} is predicted to come first: ${cost}.`);
  }

  function answer(machine, model, asked, rows) {
    const [best, second] = rows;
    const rivals = rows.slice(1).filter((row) => row.rival);
    const told = [lead(machine, best, rivals)];
    if (second && !rivals.length) {
      told.push(
        `The next, ${second.name}, takes ` +
          `${ratio(longer(model, second, best, asked))} as long.`);
    }
    const far = [best, ...rivals].filter((row) => row.beyond);
    if (far.length) {
      told.push(
        `This size is more than ${data.reach} times the largest that was ` +
          `measured of ${joined(far.map((row) => row.name), "or")}: ` +
          `${machine.further}.`);
    }
    if (asked.cores > machine.cores) {
      told.push(
        `Measured were ${machine.cores} core${machine.cores > 1 ? "s" : ""}; ` +
          `what ${asked.cores.toLocaleString("en-US")} do is the model's ` +
          "prediction.");
    }
    return told.join(" ");
  }

  // The page ---------------------------------------------------------------

  function whole(name) {
    const input = field(name);
    const value = Number(input.value);
    const good =
      input.value.trim() !== "" &&
      Number.isInteger(value) && value >= 1 && value <= MOST;
    input.setAttribute("aria-invalid", String(!good));
    return good ? value : null;
  }

  function options(name, pairs) {
    const select = field(name);
    const before = select.value;
    select.replaceChildren(
      ...pairs.map(([value, text]) => new Option(text, value)));
    if (pairs.some(([value]) => value === before)) select.value = before;
  }

  const machine = () => data.machines[field("machine").value];

  // Offer what the machine has measured; return its cores.
  function offer() {
    const { problems, cores } = machine();
    options("problem", Object.keys(problems).map((name) =>
      [name, `${name}: ${problems[name].title}`]));
    const model = problems[field("problem").value];
    const device = Object.values(model.costs).some((found) => found.device);
    field("device").disabled = !device;
    form.querySelector("[data-unit]").textContent = model.unit;
    form.querySelector("[data-device]").textContent = device
      ? "a GPU may be used"
      : "no GPU was measured there";
    return cores;
  }

  function cell(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function line(row) {
    const made = document.createElement("tr");
    for (const key of ["value", "low", "high"]) made.dataset[key] = row[key];
    made.dataset.way = row.way;
    made.dataset.rival = row.rival;
    const name = cell("th", row.name);
    name.scope = "row";
    made.append(
      name,
      cell("td", seconds(row)),
      cell("td", row.gain ? ratio(row.gain) : "–"),
      cell("td", row.beyond ? "beyond what was measured" : ""));
    return made;
  }

  function show() {
    offer();
    const found = machine();
    const name = field("problem").value;
    const model = found.problems[name];
    const asked = {
      size: whole("size"),
      calls: whole("calls"),
      cores: whole("cores"),
      data: field("data").value,
      device: field("device").checked && !field("device").disabled,
      loaded: field("loaded").checked,
    };
    const body = form.querySelector("tbody");
    const bad = ["size", "calls", "cores"].find((k) => asked[k] === null);
    if (bad) {
      field("answer").value =
        `${bad}: give a whole number from 1 to 1e15, as 1000 or 1e3.`;
      body.replaceChildren();
      return;
    }
    const rows = ranked(model, asked);
    field("answer").value = answer(found, model, asked, rows);
    body.replaceChildren(...rows.map(line));
    form.querySelector("[data-command]").textContent =
      `scripts/choose.py --problem ${name} --size ${asked.size} ` +
      `--calls ${asked.calls} --cores ${asked.cores} --data ${asked.data} ` +
      `${asked.loaded ? "--loaded " : ""}` +
      `${asked.device ? "--device " : ""}--machine ${field("machine").value}`;
    form.querySelector("[data-link]").href = state();
  }

  // The form's state is the address's hash, so that an answer has a link.
  const NAMES = ["machine", "problem", "size", "calls", "cores", "data"];
  const CHECKS = ["loaded", "device"];

  function state() {
    const pairs = NAMES.map((name) => [name, field(name).value]);
    for (const name of CHECKS) {
      if (field(name).checked) pairs.push([name, "1"]);
    }
    return `#${new URLSearchParams(pairs)}`;
  }

  // Take what a hash says; one that says nothing of this is a heading's.
  function take() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (!given.has("problem")) return false;
    if (given.has("machine")) field("machine").value = given.get("machine");
    if (!field("machine").value) field("machine").selectedIndex = 0;
    offer();
    for (const name of NAMES) {
      if (given.has(name) && name !== "machine") {
        field(name).value = given.get(name);
      }
    }
    for (const name of ["problem", "data"]) {
      if (!field(name).value) field(name).selectedIndex = 0;
    }
    for (const name of CHECKS) field(name).checked = given.has(name);
    return true;
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target === field("machine")) field("cores").value = offer();
    show();
    history.replaceState(null, "", state());
  });
  window.addEventListener("hashchange", () => {
    if (!take()) return;
    show();
    form.scrollIntoView();
  });
  field("cores").value = offer();
  const asked = take();
  show();
  form.hidden = false;
  if (asked) form.scrollIntoView();
})();
