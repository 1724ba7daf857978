// The scoreboard's filters.  What is chosen stands in the address, behind the
// #, so that a filtered view can be linked.
(function () {
  "use strict";
  const form = document.querySelector(".otf-filter");
  const rows = [...document.querySelectorAll(".otf-score tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const fields = [...form.elements].filter((field) => field.name);
  const count = form.querySelector("output");

  function show() {
    const { text, ...chosen } = Object.fromEntries(
      fields.map((field) => [field.name, field.value])
    );
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, k) => {
      row.hidden = !(
        Object.entries(chosen).every(
          ([name, value]) => !value || row.dataset[name] === value
        ) && words.every((word) => texts[k].includes(word))
      );
      shown += !row.hidden;
    });
    count.value = `${shown} of ${rows.length} rows`;
  }

  function keep() {
    const chosen = fields.filter((field) => field.value);
    const hash = new URLSearchParams(
      chosen.map((field) => [field.name, field.value])
    );
    // A change of location.hash would be a step back in the history for each
    // letter that is typed.
    history.replaceState(null, "", chosen.length ? `#${hash}` : "#");
  }

  // Take what the address chooses; tell whether it chooses anything.  A hash
  // that names no field is a heading's, and leaves the filters as they are.
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    const names = fields.some((field) => given.has(field.name));
    if (location.hash.length > 1 && !names) {
      show();
      return false;
    }
    fields.forEach((field) => {
      field.value = given.get(field.name) || "";
      // What no row has leaves a choice empty.
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    });
    show();
    return fields.some((field) => field.value);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    show();
    keep();
  });
  form.addEventListener("reset", () =>
    // The fields are empty after the event.
    setTimeout(() => {
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
