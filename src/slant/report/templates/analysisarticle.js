"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const panel = at("evidence"), shown = at("shown"), box = document.querySelector(".article");
  let pinned = null, lit = null;

  const light = (one) => {
    if (lit) lit.classList.remove("on");
    lit = one;
    if (lit) lit.classList.add("on");
  };
  const show = (one) => {
    if (lit === one && !panel.hidden) return;
    const copies = [...at(`n${one.dataset.n}`).cloneNode(true).childNodes];
    for (const copy of copies) if (copy.removeAttribute) copy.removeAttribute("id");
    shown.replaceChildren(...copies);
    for (const link of shown.querySelectorAll("a.bias")) {
      const lines = [...document.querySelectorAll(`${link.getAttribute("href")} dd`)].map((dd) => {
        const line = document.createElement("span");
        line.className = "line";
        line.append(...dd.cloneNode(true).childNodes);
        return line;
      });
      link.replaceWith(...lines);
    }
    panel.hidden = false;
    panel.scrollTop = 0;
    light(one);
  };
  const close = () => {
    panel.hidden = true;
    pinned = null;
    light(null);
  };
  const sentence = (event) => event.target.closest(".s");

  box.addEventListener("focusin", (event) => {
    pinned = sentence(event);
    if (!pinned) return;
    show(pinned);
    pinned.scrollIntoView({block: "nearest"});
  });
  box.addEventListener("focusout", () => { pinned = null; });
  box.addEventListener("mouseover", (event) => {
    const one = sentence(event);
    if (one && !pinned) show(one);
  });
  box.addEventListener("click", (event) => {
    const one = sentence(event);
    // A key press has no detail: it follows the link to the note.
    if (!one || event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (document.activeElement === one) show(one); else one.focus();
    pinned = one;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      const last = lit;
      const inside = panel.contains(document.activeElement);
      close();
      if (inside && last) { last.focus(); close(); }
    }
  });
  at("close").addEventListener("click", () => {
    const last = lit;
    close();
    // The place in the text is kept, without the evidence coming back.
    if (last) { last.focus({preventScroll: true}); close(); }
  });
})();
