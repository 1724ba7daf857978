// The calculator of "Which one should I choose?".  It looks up what the build
// wrote beside it (lines, starts, errors, limits, sentences) and adds up.
(function () {
  "use strict";

  const form = document.getElementById("otf-choose");
  const data = JSON.parse(document.getElementById("otf-choices").textContent);
  const field = (name) => form.elements[name];
  const part = (name) => form.querySelector(`[data-${name}]`);
  const fill = (sentence, values) =>
    data.sentences[sentence].replace(/\{(\w+)\}/g, (_, key) => values[key]);

  // Numbers with intervals, as quantity.py has them.

  // A sum of [seconds, spread] with independent errors.
  function total(terms) {
    const value = terms.reduce((sum, [s]) => sum + s, 0);
    const errors = Math.hypot(...terms.map(([s, spread]) => s * spread));
    const factor = 1 + errors / value;
    return { value, low: value / factor, high: value * factor };
  }

  // Each is moved to its ends while the other stays; changes add in squares.
  function combined(operation, a, b) {
    const value = operation(a.value, b.value);
    const changes = [
      [a.low, a.high].map((end) => operation(end, b.value) - value),
      [b.low, b.high].map((end) => operation(a.value, end) - value),
    ];
    const [low, high] = [Math.min, Math.max].map((pick) =>
      Math.hypot(...changes.map((ends) => pick(0, ...ends))));
    return { value, low: value - low, high: value + high };
  }

  const over = (a, b) => combined((x, y) => x / y, a, b);

  function digits(value) {
    const rounded = Number(value.toPrecision(3));
    const size = Math.abs(rounded);
    const places = Math.max(0, 2 - Math.floor(Math.log10(size)));
    const text = size >= 1e-3 && size < 1e5
      ? rounded.toFixed(places)
      : value.toExponential(2).replace("e+", "e");
    return text.replaceAll("-", "\u2212");
  }

  function written(q, [factor, unit]) {
    const noise = q.value < q.high / 1000;
    const [value, low, high] = [q.value, q.low, q.high].map(
      (x) => digits(x / factor));
    return `${noise ? 0 : value}${unit} (${low} to ${high})`;
  }

  const UNITS = [[1, " s"], [1e-3, " ms"], [1e-6, " µs"], [1e-9, " ns"]];
  const seconds = (q) => written(q, UNITS.find(
    ([least]) => Math.max(q.value, q.high / 10) >= least) || UNITS[3]);
  const ratio = (q) => written(q, [1, "×"]);

  // What each variant costs.

  function cost(variant, asked, loaded = asked.loaded) {
    const moves = variant.data[asked.data].conversions.map(
      (name) => asked.model.conversions[name]);
    const call = variant.calls[asked.cores] || variant.calls.measured;
    const calls = [call, ...moves].map(({ pieces, spread }) => {
      const [, a, b] = pieces.find(([end]) => asked.size <= end);
      return [asked.calls * (a + b * asked.size), spread];
    });
    const starts = [loaded ? 0 : variant.loads, variant.first];
    return total([...starts.map((s) => [s, data.once]), ...calls]);
  }

  // How many times as long another takes; a common start is no difference.
  function longer(other, best, asked) {
    if (other.starts !== best.starts) return over(other, best);
    const [slow, fast] = [other, best].map((row) => cost(row, asked, true));
    const q = over(combined((x, y) => x - y, slow, fast), best);
    return { value: 1 + q.value, low: 1 + q.low, high: 1 + q.high };
  }

  // The variants, the cheapest first, each with its gain and its doubts.
  function ranked(asked) {
    const rows = asked.model.variants
      .filter((variant) => asked.data in variant.data)
      .filter((variant) => asked.device || !variant.device)
      .map((variant) => ({ ...variant, ...cost(variant, asked) }))
      .sort((a, b) => a.value - b.value);
    const python = rows.find(({ key }) => key === "Python");
    const mark = asked.size > python?.data.own.limit ? data.mark : "";
    for (const row of rows) {
      const { own, [asked.data]: needed } = row.data;
      const whose = asked.size > own.limit ? row.name : fill("conversion", row);
      row.far = asked.size > needed.limit && whose;
      row.lone = asked.cores !== asked.teller.cores && !row.scales && row.name;
      row.gain = row === python ? data.one
        : python && ratio(over(python, row)) + mark;
    }
    return rows;
  }

  function listed(names, word) {
    const more = names.length - data.few;
    if (more > 1) names.splice(data.few, more, fill("others", { count: more }));
    const last = names.pop();
    return names.length ? `${names.join(", ")} ${word} ${last}` : last;
  }

  // Who wins, what that gains, and what was not measured.
  function answer(asked, [best, ...others]) {
    const { teller, size } = asked;
    const rivals = others.filter((row) =>
      row.low <= best.high && longer(row, best, asked).low <= 1);
    const names = (key, word = "or") => listed(
      [best, ...rivals].map((row) => row[key]).filter(Boolean), word);
    const python = best.key === "Python";
    const values = { ...best, cost: seconds(best), again: teller.again };
    if (python) values.name = fill("Python");
    else if (best.gain) values.cost = fill("gain", values);
    values.names = names("name", "and");
    const text = [fill(rivals.length ? "open" : "least", values)];
    if (others.length && !rivals.length) {
      const times = ratio(longer(others[0], best, asked));
      text.push(fill("next", { ...others[0], ratio: times }));
    }
    const [, further] = teller.further.find(([most]) => size <= most);
    for (const key of ["far", "lone"]) {
      const lacking = { ...data, ...teller, ...asked, further };
      lacking.names = names(key);
      if (lacking.names) text.push(fill(key, lacking));
    }
    return [...text, asked.about].join(" ").trim();
  }

  // Return what is asked; `model` has the numbers, where it was measured.
  function read() {
    const asked = Object.fromEntries(new FormData(form));
    for (const key of ["size", "calls", "cores"]) asked[key] = +asked[key];
    const here = data.machines[asked.machine].problems[asked.problem];
    if (!here) return asked;
    const [name, about] = here.cores[asked.cores]; // who knows most of them
    const teller = data.machines[name];
    const model = teller.problems[asked.problem];
    const { checked } = field("device");
    const gpu = model.variants.some(({ device }) => device);
    field("device").disabled = !gpu;
    part("unit").textContent = model.unit;
    return { ...asked, device: gpu && checked, teller, model, about };
  }

  function line(row) {
    const made = document.createElement("tr");
    made.innerHTML = '<th scope="row"></th><td></td><td></td><td></td>';
    const beyond = row.far || row.lone ? fill("beyond") : "";
    [row.name, seconds(row), row.gain || "–", beyond].forEach(
      (text, k) => { made.cells[k].textContent = text; });
    return made;
  }

  function show() {
    const asked = read();
    const wrong = form.querySelector("input:invalid");
    const rows = asked.model && !wrong ? ranked(asked) : [];
    field("answer").value = rows.length ? answer(asked, rows)
      : wrong ? fill(`wrong ${wrong.name}`) : fill("unmeasured", asked);
    form.querySelector("tbody").replaceChildren(...rows.map(line));
    const guess = rows.some(({ gain }) => gain?.endsWith(data.mark));
    part("legend").textContent = guess ? asked.model.legend : "";
    const [loaded, device] = ["loaded", "device"].map(
      (name) => (asked[name] ? ` --${name}` : ""));
    part("command").textContent = fill("command", { ...asked, loaded, device });
    part("link").href = `#${new URLSearchParams(new FormData(form))}`;
  }

  // Take what the address asks; a heading's asks nothing.
  function take() {
    const given = new URLSearchParams(location.hash.slice(1));
    const asks = given.has("problem");
    for (const input of asks ? form.querySelectorAll("input, select") : []) {
      const [before, value] = [input.value, given.get(input.name)];
      if (input.type === "checkbox") input.checked = value !== null;
      else if (value !== null) input.value = value;
      if (input.selectedIndex === -1) input.value = before;
    }
    show();
    form.hidden = false;
    if (asks) form.scrollIntoView();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    const { cores } = data.machines[field("machine").value];
    if (target === field("machine")) field("cores").value = cores;
    show();
    history.replaceState(null, "", part("link").href);
  });
  window.addEventListener("hashchange", take);
  take();
})();
