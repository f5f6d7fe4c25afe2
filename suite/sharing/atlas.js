// Sorts a table by a column, and filters its lines. Without scripts the tables are whole.
"use strict";
const units = {ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9};
const value = (row, column) => {
  const text = row.cells[column].textContent.trim();
  const found = /^([0-9.e+-]+) ?(ns|us|µs|ms|s|%|x)?( |$)/.exec(text);
  return found ? Number(found[1]) * (units[found[2]] || 1) : text.toLowerCase();
};
// Numbers before words, and empty cells last in both directions.
const order = ([a], [b], sign) => {
  if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return (a < b ? -1 : a > b ? 1 : 0) * sign;
};
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], heads = table.tHead ? [...table.tHead.rows[0].cells] : [];
  if (!body || body.rows.length < 3) continue;
  const rows = [...body.rows];
  const label = document.createElement("label"), field = document.createElement("input");
  field.type = "search";
  label.append("Filter " + (table.caption ? table.caption.textContent.split(":")[0] : "") + ": ", field);
  (table.closest(".wide") || table).before(label);
  field.addEventListener("input", () => {
    const sought = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(sought);
  });
  heads.forEach((head, column) => {
    const button = document.createElement("button"), mark = document.createElement("span");
    button.type = "button";
    mark.setAttribute("aria-hidden", "true");
    button.append(...head.childNodes, mark);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of heads) {
        each.removeAttribute("aria-sort");
        each.querySelector("button span").textContent = "";
      }
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      mark.textContent = down ? " ▼" : " ▲";
      const sorted = rows.map((row) => [value(row, column), row]);
      sorted.sort((a, b) => order(a, b, down ? -1 : 1));
      body.append(...sorted.map(([, row]) => row));
    });
  });
}
