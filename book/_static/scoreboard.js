// The scoreboard's filters, and the order of its rows.  What is chosen stands
// in the address, behind the #, so that a view can be linked.
(function () {
  "use strict";
  const form = document.querySelector(".otf-filter");
  const table = document.querySelector(".otf-score");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const fields = [...form.elements].filter((field) => field.name);
  const heads = [...table.tHead.rows[0].cells];
  const count = form.querySelector("output");

  // A slide of a talk has claims, too, that another talk makes first.
  function stands(row, source, slide) {
    const places = row.dataset.places.split(" ");
    return slide
      ? places.some((place) => place === `${source || place.split(":")[0]}:${slide}`)
      : !source || row.dataset.source === source;
  }

  function show() {
    const { text, slide, source, ...chosen } = Object.fromEntries(
      fields.map((field) => [field.name, field.value.trim()])
    );
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, k) => {
      row.hidden = !(
        stands(row, source, slide) &&
        Object.entries(chosen).every(
          ([name, value]) => !value || row.dataset[name] === value
        ) &&
        words.every((word) => texts[k].includes(word))
      );
      shown += !row.hidden;
    });
    count.value = `${shown} of ${rows.length} rows`;
  }

  // What a cell is sorted by: its key where it has one, else its text.
  function key(row, column) {
    const cell = row.cells[column];
    return cell.dataset.key ?? cell.textContent.trim();
  }

  function compare(a, b) {
    const difference = a - b;
    return Number.isNaN(difference) ? a.localeCompare(b) : difference;
  }

  // Sort by a column, or, without one, as the pages come.  Rows without a
  // value come last either way.
  function sort(head, direction) {
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    const sorted = [...rows];
    if (head) {
      head.setAttribute("aria-sort", direction);
      const turn = direction === "ascending" ? 1 : -1;
      const keys = new Map(rows.map((row) => [row, key(row, head.cellIndex)]));
      sorted.sort((one, other) => {
        const [a, b] = [keys.get(one), keys.get(other)];
        return a === "" || b === ""
          ? (a === "") - (b === "")
          : turn * compare(a, b);
      });
    }
    body.append(...sorted);
  }

  function order() {
    const head = heads.find((one) => one.hasAttribute("aria-sort"));
    const sign = head?.getAttribute("aria-sort") === "descending" ? "-" : "";
    return head ? [["sort", sign + head.dataset.name]] : [];
  }

  function keep() {
    const chosen = fields
      .filter((field) => field.value)
      .map((field) => [field.name, field.value])
      .concat(order());
    const hash = new URLSearchParams(chosen);
    // A change of location.hash would be a step back in the history for each
    // letter that is typed.
    history.replaceState(null, "", chosen.length ? `#${hash}` : "#");
  }

  // Take what the address chooses; tell whether it chooses anything.  A hash
  // that names no field is a heading's, and leaves all as it is.
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    const names = ["sort", ...fields.map((field) => field.name)];
    if (location.hash.length > 1 && !names.some((name) => given.has(name))) {
      show();
      return false;
    }
    fields.forEach((field) => {
      field.value = given.get(field.name) || "";
      // What no row has leaves a choice empty.
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    });
    const [, sign, name] = (given.get("sort") || "").match(/^(-?)(\w*)$/) || [];
    const head = heads.find((one) => one.dataset.name === name);
    sort(head, sign ? "descending" : "ascending");
    show();
    return Boolean(head) || fields.some((field) => field.value);
  }

  heads.forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const other = now === "ascending" ? "descending" : "ascending";
      sort(head, now ? other : head.dataset.first);
      keep();
    });
    head.append(button);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    show();
    keep();
  });
  form.addEventListener("reset", () =>
    // The fields are empty after the event.
    setTimeout(() => {
      sort();
      show();
      keep();
    })
  );
  addEventListener("hashchange", () => {
    if (read()) form.scrollIntoView();
  });
  form.hidden = false;
  // What loads later moves the form.
  if (read()) addEventListener("load", () => form.scrollIntoView());
})();
