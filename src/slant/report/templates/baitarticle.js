"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = Array.from(data.text);
  const at = (id) => document.getElementById(id);
  const lanes = data.lanes;

  // The same rules as slant.report.baitpassages: what it draws for the first run is drawn for all.
  const visible = (part) => part
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\r\n|\r/g, "\n")
    .replace(/\x7f/g, "\u2421")
    .replace(/[\x80-\x9f\ud800-\udfff\ufffe\uffff]/gu, "\ufffd");
  const piece = (start, end) => {
    const cut = end > start && text[end - 1] === "\r" && text[end] === "\n";
    return visible(text.slice(start, cut ? end - 1 : end).join(""));
  };
  const made = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  };
  const words = (fate, side) => side === "g" && fate === 0 ? data.found : data.words[fate];

  const passages = (spans, side) => {
    const size = text.length;
    const kept = spans.map((one, i) => [Math.min(one[0], size), Math.min(one[1], size), one[2], i]);
    kept.sort((a, b) => a[0] - b[0] || b[1] - a[1] || a[2] - b[2] || a[3] - b[3]);
    const cuts = [...new Set([0, size, ...kept.flatMap((one) => [one[0], one[1]])])];
    cuts.sort((a, b) => a - b);
    const parts = document.createDocumentFragment();
    let on = Array(lanes.length).fill(null), next = 0;
    cuts.forEach((cut, i) => {
      const until = i + 1 < cuts.length ? cuts[i + 1] : cut;
      on = on.map((one) => one && one[1] > cut ? one : null);
      for (; next < kept.length && kept[next][0] === cut; next++) {
        const one = spans[kept[next][3]];
        parts.append(tag(one, side));
        const free = on.indexOf(null);
        if (free >= 0 && one[1] > cut) on[free] = one;
      }
      if (until > cut) parts.append(underlined(piece(cut, until), on));
    });
    return parts;
  };
  const tag = ([, , trigger, bias, fate], side) => {
    const [short, label] = data.biases[bias];
    const said = `${label}, trigger ${trigger}: ${words(fate, side)}`;
    return made("a", {
      class: `tag f${fate}`, href: `#${side}${trigger}`, "data-t": trigger, title: said,
      "aria-label": said,
    }, `${short}·${trigger} ${data.signs[fate]}`);
  };
  const underlined = (part, on) => {
    const lines = on.flatMap((one, i) => one ? [lanes[i] + one[4]] : []);
    if (!lines.length) return part;
    const triggers = new Set(on.flatMap((one) => one ? [one[2]] : []));
    return made("span", {class: `s ${lines.join(" ")}`, "data-t": [...triggers].join(" ")}, part);
  };
  const height = (spans) => {
    const turns = spans.flatMap((one) => one[1] > one[0] ? [[one[0], 1], [one[1], -1]] : []);
    turns.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let most = 0, now = 0;
    for (const [, step] of turns) most = Math.max(most, now += step);
    return Math.min(most, lanes.length);
  };

  const quoted = (points) => points.length <= data.long ? visible(points.join(""))
    : `${visible(points.slice(0, data.lead).join(""))} … ${visible(points.slice(-data.tail).join(""))}`;
  const entry = (side, i, bias, said, spans, strings) => {
    const [short, label] = data.biases[bias];
    const lines = [
      ...spans.map(([start, end, fate, how]) => [fate, text.slice(start, end), how]),
      ...strings.map((string) => [data.signs.length - 1, Array.from(string), ""]),
    ].map(([fate, points, how]) => made("li", {},
      made("span", {class: `fate f${fate}`}, `${data.signs[fate]} ${words(fate, side)}`), " ",
      made("q", {dir: "auto"}, quoted(points)), ...(how ? [" ", made("span", {class: "said"}, how)] : [])));
    return made("li", {id: `${side}${i}`, tabindex: "-1"},
      made("strong", {}, `${short}·${i}`), " ", made("bdi", {}, label), " ",
      made("span", {class: "said"}, said), made("ul", {}, ...lines));
  };
  const filled = (name, spans, entries, side) => {
    const box = at(`${name}-text`);
    box.style.setProperty("--lanes", height(spans));
    box.replaceChildren(passages(spans, side));
    at(`${name}-list`).replaceChildren(...entries);
    at(`${name}-none`).hidden = entries.length > 0;
  };

  const shown = (run) => {
    const missed = new Set(run.missed);
    let order = 0;
    const gold = data.gold.map(([bias, spans, strings]) => [bias,
      spans.map(([start, end]) => [start, end, missed.has(order++) ? data.missed : 0, ""]), strings]);
    const flat = (marks) => marks.flatMap(([bias, spans], i) =>
      spans.map(([start, end, fate]) => [start, end, i + 1, bias, fate]));
    filled("gold", flat(gold), gold.map(([bias, spans, strings], i) => entry("g", i + 1, bias,
      `${data.spansFound} ${spans.filter((one) => one[2] === 0).length} of ${spans.length}`, spans, strings)), "g");
    filled("answer", flat(run.marks), run.marks.map(([bias, spans, strings, matched], i) =>
      entry("p", i + 1, bias, data.triggerSaid[matched], spans, strings)), "p");
    at("told").textContent = run.told;
    at("which").textContent = run.label;
  };

  const systems = at("system"), runs = at("run");
  const option = (value, label) => made("option", {value}, label);
  const chosen = () => data.runs[Number(runs.value)];
  const offer = (name) => {
    runs.replaceChildren(...data.runs.flatMap((run, i) =>
      run.system === Number(systems.value) ? [option(i, run.name)] : []));
    const same = [...runs.options].find((one) => one.textContent === name);
    if (same) runs.value = same.value;
  };
  const show = () => {
    shown(chosen());
    const kept = new URLSearchParams({system: data.systems[chosen().system], run: chosen().name});
    for (const link of document.querySelectorAll("a.step")) {
      link.href = `${link.getAttribute("href").split("?")[0]}?${kept}`;
    }
  };
  if (data.runs.length) {
    systems.replaceChildren(...data.systems.map((name, i) => option(i, name)));
    const asked = new URLSearchParams(location.search);
    const known = data.systems.indexOf(asked.get("system"));
    if (known >= 0) systems.value = known;
    offer(asked.get("run"));
    if (known >= 0) show();
    systems.addEventListener("change", () => { offer(chosen().name); show(); });
    runs.addEventListener("change", show);
    at("choice").hidden = false;
  }

  const lit = (event) => {
    for (const one of document.querySelectorAll(".on")) one.classList.remove("on");
    const target = event.target.closest && event.target.closest("[data-t]");
    if (!target || event.type === "mouseout" || event.type === "focusout") return;
    const triggers = target.dataset.t.split(" ");
    for (const one of target.closest(".article").querySelectorAll("[data-t]")) {
      if (one.dataset.t.split(" ").some((t) => triggers.includes(t))) one.classList.add("on");
    }
  };
  for (const kind of ["mouseover", "mouseout", "focusin", "focusout"]) {
    for (const box of document.querySelectorAll(".article")) box.addEventListener(kind, lit);
  }
})();
