// What a report can do where scripts run: filter, sort, look at a point. Foreign text enters by textContent alone.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const columns = new Map(data.columns.map((column) => [column.name, expand(column)]));
  const names = [...columns.keys()];
  const state = {dwarf: "", device: "", status: "", kernel: "total", q: "", sort: "", dir: "", point: "", all: ""};
  const mostDrawn = 250; // more rows take a browser longer to lay out than opening the page may take
  const initial = {...state};
  const shown = ["dwarf", "device", "size", "kernel", "variant", "status", "median_ns", "ci_low_ns", "ci_high_ns",
    "speedup", "speedup_low", "speedup_high", "verdict", "peak_fraction", "bound", "setting", "problem"];
  const axes = ["variant", "work_group", "granularity", "vector_width", "unroll", "padding"];

  // "7*44,3" is 44 times 7, then 3; 2e3 is 2000. Texts are numbered by their place in `words`.
  function expand(column) {
    const cells = [];
    for (const run of column.cells.split(",")) {
      const [text, times] = run.split("*");
      const value = column.words ? column.words[Number(text)] : /e\d/.test(text) ? String(Number(text)) : text;
      for (let i = 0; i < Number(times || 1); ++i) cells.push(value);
    }
    return cells;
  }

  const cell = (name, row) => name === "setting" ? setting(row) : columns.get(name)[row];
  const isNumber = (name) => /_ns$|speedup|fraction/.test(name);

  function setting(row) {
    const parts = axes.filter((axis) => cell(axis, row) !== "").map((axis) => axis + "=" + cell(axis, row));
    if (cell("options", row)) parts.push(...cell("options", row).split(";"));
    return parts.join(",");
  }

  function make(tag, text = "", attributes = {}) {
    const node = document.createElement(tag);
    node.textContent = text;
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  }

  // --- filters ---
  function matches(row) {
    for (const name of ["dwarf", "device", "status", "kernel"]) {
      if (state[name] && cell(name, row) !== state[name]) return false;
    }
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return true;
    const text = [...["dwarf", "device", "size", "problem", "kernel", "status", "reason", "verdict"].map((name) => cell(name, row)),
      setting(row)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  }

  function chosenRows() {
    const rows = [];
    for (let row = 0; row < data.count; ++row) if (matches(row)) rows.push(row);
    if (state.sort && (columns.has(state.sort) || state.sort === "setting")) {
      const sign = state.dir === "down" ? -1 : 1;
      const number = isNumber(state.sort);
      rows.sort((a, b) => {
        const x = cell(state.sort, a), y = cell(state.sort, b);
        if (x === "" || y === "") return (x === "") - (y === "") || a - b;
        return sign * (number ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0) || a - b;
      });
    }
    return rows;
  }

  function select(name, label) {
    const box = make("label", label + " ");
    const list = make("select", "", {name});
    list.append(make("option", "all", {value: ""}));
    for (const value of new Set(columns.get(name))) list.append(make("option", value, {value}));
    list.addEventListener("change", () => set({[name]: list.value}));
    box.append(list);
    return box;
  }

  function makeBar() {
    const bar = make("form", "", {id: "bar", role: "search", "aria-label": "filters"});
    bar.append(select("dwarf", "dwarf"), select("device", "device"), select("status", "status"), select("kernel", "kernel"));
    const search = make("label", "search ");
    const field = make("input", "", {name: "q", type: "search", size: "12"});
    field.addEventListener("input", () => set({q: field.value}));
    search.append(field);
    const reset = make("button", "reset", {type: "button"});
    reset.addEventListener("click", () => set({...initial}));
    bar.append(search, reset, make("output", "", {id: "count"}));
    bar.addEventListener("submit", (event) => event.preventDefault());
    document.querySelector("main").prepend(bar);
  }

  // --- the table of all rows ---
  function heading(name) {
    const th = make("th", "", {scope: "col", "aria-sort": state.sort !== name ? "none" : state.dir === "down" ? "descending" : "ascending"});
    const mark = state.sort !== name ? "" : state.dir === "down" ? " ↓" : " ↑";
    const button = make("button", name + mark, {type: "button", "data-sort": name});
    button.addEventListener("click", () => {
      set({sort: name, dir: state.sort === name && state.dir !== "down" ? "down" : "up"});
      document.querySelector(`#all-rows button[data-sort="${name}"]`).focus();
    });
    th.append(button);
    return th;
  }

  function line(row) {
    const tr = make("tr", "", {"data-row": row});
    for (const name of shown) {
      const text = cell(name, row);
      const td = make("td", name === "variant" ? "" : text, isNumber(name) ? {class: "n"} : {});
      if (name === "variant") td.append(make("a", text, {class: "pt", href: "#r" + row}));
      tr.append(td);
    }
    return tr;
  }

  function csvText(rows) {
    const quoted = (text) => /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    return [names.join(","), ...rows.map((row) => names.map((name) => quoted(cell(name, row))).join(","))].join("\n") + "\n";
  }

  function download(rows) {
    const link = make("a", "", {download: "rows.csv"});
    link.href = URL.createObjectURL(new Blob([csvText(rows)], {type: "text/csv"}));
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function showRows(rows) {
    const place = document.getElementById("all-rows");
    const table = make("table");
    const head = make("tr");
    head.append(...shown.map(heading));
    const thead = make("thead");
    thead.append(head);
    const body = make("tbody");
    const drawn = state.all ? rows : rows.slice(0, mostDrawn);
    body.append(...drawn.map(line));
    table.append(thead, body);
    const wide = make("div", "", {class: "wide", tabindex: "0", role: "group", "aria-label": "all rows"});
    wide.append(table);
    const save = make("button", `these ${rows.length} rows as CSV`, {type: "button", id: "csv"});
    save.addEventListener("click", () => download(rows));
    place.replaceChildren(save, wide);
    if (drawn.length < rows.length) {
      const rest = make("button", `show all ${rows.length}`, {type: "button", id: "show-all"});
      rest.addEventListener("click", () => set({all: "1"}));
      place.append(make("p", `The first ${drawn.length} of ${rows.length} rows. `, {class: "note"}), rest);
    }
    if (data.digits) place.append(make("p", `Numbers to ${data.digits} significant digits; measurements.csv has them all.`, {class: "note"}));
  }

  function fade(rows) {
    const kept = new Set(rows.map(String));
    const filtered = ["dwarf", "device", "status", "q"].some((name) => state[name]);
    for (const link of document.querySelectorAll("svg a.pt")) {
      link.classList.toggle("faded", filtered && !kept.has(link.getAttribute("href").slice(2)));
    }
    for (const row of document.querySelectorAll("table.settings tbody tr")) {
      row.classList.toggle("hidden", filtered && !kept.has(row.id.slice(1)));
    }
    for (const article of document.querySelectorAll("article[data-dwarf]")) {
      article.classList.toggle("hidden", state.dwarf !== "" && article.dataset.dwarf !== state.dwarf);
    }
  }

  // --- one point ---
  function command(row) {
    const word = (text) => /^[-_=.,:\/+A-Za-z0-9]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
    const what = cell("size", row) === "file" ? "--input FILE" : "--problem " + word(cell("problem", row).replaceAll(";", ","));
    return `dwarfsweep run --dwarf ${word(cell("dwarf", row))} --device ${word(cell("device", row))} ${what} --set ${word(setting(row))}`;
  }

  function drawSamples(text) {
    const space = "http://www.w3.org/2000/svg";
    const blocks = text.split("|").map((block) => ({again: block[0] === "c", ns: block.replace("c", "").split(",").map(Number)}));
    const all = blocks.flatMap((block) => block.ns);
    const low = Math.min(...all), high = Math.max(...all);
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 460 90");
    svg.setAttribute("width", "460");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${all.length} samples from ${low} to ${high} ns`);
    let index = 0;
    blocks.forEach((block, number) => block.ns.forEach((ns) => {
      const dot = document.createElementNS(space, "circle");
      dot.setAttribute("cx", String(8 + 444 * (index++ + 0.5) / all.length));
      dot.setAttribute("cy", String(high > low ? 82 - 74 * (ns - low) / (high - low) : 45));
      dot.setAttribute("r", "2.5");
      dot.setAttribute("class", (block.again ? "o " : "") + (number % 2 ? "s1" : "s0"));
      svg.append(dot);
    }));
    return svg;
  }

  function showPanel() {
    let panel = document.getElementById("panel");
    const row = Number(state.point);
    if (state.point === "" || !(row >= 0 && row < data.count)) {
      if (panel) panel.remove();
      return;
    }
    if (!panel) {
      panel = make("aside", "", {id: "panel", "aria-label": "point", tabindex: "-1"});
      document.body.append(panel);
    }
    const close = make("button", "close", {type: "button", class: "close"});
    close.addEventListener("click", closePanel);
    const facts = make("dl");
    for (const name of names) if (cell(name, row) !== "") facts.append(make("dt", name), make("dd", cell(name, row), {"data-column": name}));
    panel.replaceChildren(make("h3", `${cell("dwarf", row)}: ${cell("variant", row)}, ${cell("kernel", row)}`), close, make("pre", command(row)));
    const samples = data.samples[state.point];
    if (samples) {
      panel.append(make("p", data.binned ? "samples of whole runs, as nine quantiles" : "samples of whole runs, block by block; hollow: re-measured", {class: "note"}), drawSamples(samples));
    }
    panel.append(facts);
  }

  function closePanel() {
    const row = state.point;
    set({point: ""});
    const link = document.querySelector(`a.pt[href="#r${row}"]`);
    if (link) link.focus();
  }

  // --- hover and focus ---
  function tipText(row) {
    const said = ["median_ns", "ci_low_ns", "ci_high_ns", "speedup", "speedup_low", "speedup_high", "verdict", "reference", "peak_fraction", "bound", "reason"];
    return [`${cell("dwarf", row)}, ${cell("problem", row)}, ${cell("device", row)}`, setting(row), "status: " + cell("status", row),
      ...said.filter((name) => cell(name, row) !== "").map((name) => `${name}: ${cell(name, row)}`)].join("\n");
  }

  function rowOf(target) {
    const link = target instanceof Element && target.closest("a.pt");
    return link ? Number(link.getAttribute("href").slice(2)) : -1;
  }

  function makeTip() {
    const tip = make("div", "", {id: "tip", role: "tooltip", class: "hidden"});
    document.body.append(tip);
    const show = (event) => {
      const row = rowOf(event.target);
      tip.classList.toggle("hidden", row < 0);
      if (row < 0) return;
      tip.textContent = tipText(row);
      const at = event.target.closest("a.pt").getBoundingClientRect();
      tip.style.left = Math.max(4, Math.min(at.left, innerWidth - tip.offsetWidth - 4)) + "px";
      tip.style.top = (at.bottom + tip.offsetHeight + 8 < innerHeight ? at.bottom + 6 : Math.max(4, at.top - tip.offsetHeight - 6)) + "px";
    };
    document.addEventListener("mouseover", show);
    document.addEventListener("focusin", show);
    // A point that the keyboard reaches may scroll into view by that: its tip goes with it.
    document.addEventListener("scroll", () => show({target: document.activeElement}), {passive: true});
    // The script's own words replace the browser's.
    for (const title of document.querySelectorAll("a.pt > title")) {
      title.parentNode.setAttribute("aria-label", title.textContent);
      title.remove();
    }
  }

  // --- state and the address ---
  function set(change) {
    Object.assign(state, change);
    const parts = Object.keys(state).filter((name) => state[name] !== initial[name]);
    const hash = parts.map((name) => name + "=" + encodeURIComponent(state[name])).join("&");
    history.replaceState(null, "", "#" + hash);
    render();
  }

  function readHash() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return;
    Object.assign(state, initial);
    for (const part of hash.split("&")) {
      const [name, value] = part.split("=");
      if (name in state && value !== undefined) {
        try { state[name] = decodeURIComponent(value); } catch { /* not of our making: left out */ }
      }
    }
  }

  function render() {
    const rows = chosenRows();
    showRows(rows);
    fade(rows);
    for (const field of document.querySelectorAll("#bar [name]")) if (field.value !== state[field.name]) field.value = state[field.name];
    document.getElementById("count").textContent = `${rows.length} of ${data.count} rows`;
    showPanel();
  }

  document.addEventListener("click", (event) => {
    const row = rowOf(event.target);
    const link = event.target instanceof Element && event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    if (row >= 0) {
      set({point: String(row)});
      document.getElementById("panel").focus({preventScroll: true});
    } else {
      const target = document.getElementById(link.getAttribute("href").slice(1));
      if (target) target.scrollIntoView();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.point !== "") closePanel();
  });
  addEventListener("beforeprint", () => { for (const each of document.querySelectorAll("details")) each.open = true; });
  addEventListener("hashchange", () => { readHash(); render(); });
  document.documentElement.classList.add("scripted");
  makeBar();
  makeTip();
  readHash();
  render();
})();
