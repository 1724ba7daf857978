// The calculator of "Which one should I choose?".  It works out nothing: it
// looks up, and shows, the answers that the build wrote into the page.
(function () {
  "use strict";

  const form = document.getElementById("otf-choose");
  const part = (name) => form.querySelector(`[data-${name}]`);
  const loaded = new Promise((done) => {
    if (document.readyState === "complete") done();
    else window.addEventListener("load", done);
  });
  const unpacked = {}; // {problem: a promise of its answers}
  if (!("DecompressionStream" in window)) return;

  // Return a promise of a problem's answers, as calculator.py has them.
  function answersOf(problem) {
    unpacked[problem] ??= (async () => {
      const packed = document.querySelector(`[data-choices="${problem}"]`);
      const bytes = Uint8Array.from(
        atob(packed.textContent), (letter) => letter.charCodeAt(0));
      const stream = new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream("deflate"));
      return new Response(stream).json();
    })();
    return unpacked[problem];
  }

  const asked = () => Object.fromEntries(new FormData(form));

  // Return what answers: a sentence, notes, and the cells of the table.
  function lookUp({ axes, texts, answers, cells }) {
    const values = asked();
    let place = 0;
    for (const [name, known] of Object.entries(axes)) {
      const index = known.indexOf(values[name] ?? "");
      place = place * known.length + Math.max(0, index);
    }
    const [sentence, notes, table] = answers[cells[place]];
    const text = (number) => texts[number];
    return [text(sentence), notes.map(text), table.map(text)];
  }

  function element(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function line([name, ...cells]) {
    const made = document.createElement("tr");
    const head = element("th", name);
    head.scope = "row";
    made.append(head, ...cells.map((text) => element("td", text)));
    return made;
  }

  function fill([sentence, notes, cells]) {
    const rows = [];
    for (let k = 0; k < cells.length; k += 4) rows.push(cells.slice(k, k + 4));
    form.elements.answer.value = sentence;
    form.querySelector("tbody").replaceChildren(...rows.map(line));
    part("notes").replaceChildren(...notes.map((note) => element("li", note)));
  }

  // Write the command that answers the same, and the link that asks it.
  function address() {
    const words = Object.entries(asked()).map(([name, value]) =>
      form.elements[name].type === "checkbox" ? `--${name}`
        : `--${name} ${value}`);
    const { machine } = part("command").dataset;
    part("command").textContent =
      `onthefly choose ${words.join(" ")} --machine ${machine}`;
    part("link").href = `#${new URLSearchParams(asked())}`;
  }

  async function show() {
    form.ariaBusy = "true";
    const { problem } = asked();
    const data = await answersOf(problem);
    if (problem !== asked().problem) return; // another was chosen meanwhile
    for (const name of ["data", "device"]) {
      const field = form.elements[name];
      if (field) field.disabled = data.axes[name].length === 1;
    }
    part("unit").textContent = data.unit;
    fill(lookUp(data));
    address();
    form.ariaBusy = "false";
  }

  // Take what the address asks; a heading's asks nothing.
  async function take() {
    const given = new URLSearchParams(location.hash.slice(1));
    const asks = given.has("problem");
    for (const input of asks ? form.querySelectorAll("input, select") : []) {
      const [before, value] = [input.value, given.get(input.name)];
      if (input.type === "checkbox") input.checked = value !== null;
      else if (value !== null) input.value = value;
      if (input.selectedIndex === -1) input.value = before;
    }
    await show();
    await loaded; // what lies above has its height then
    if (asks) form.scrollIntoView();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", async () => {
    await show();
    history.replaceState(null, "", part("link").href);
  });
  window.addEventListener("hashchange", take);
  document.getElementById("otf-no-choose").remove();
  form.hidden = false;
  take();
})();
