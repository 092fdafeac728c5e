"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const waiting = at("waiting"), file = at("file");

  if (waiting) {
    const bar = waiting.querySelector("progress"), standing = at("standing");
    const look = async () => {
      try {
        const answer = await fetch(waiting.dataset.state);
        const said = answer.ok ? await answer.json() : {state: "gone"};
        if (!["waiting", "working"].includes(said.state)) { location.reload(); return; }
        const far = said.progress;
        if (far && far.total > 1) bar.value = far.done / far.total;
        else bar.removeAttribute("value");
        if (far && standing.textContent !== far.says) standing.textContent = far.says;
      } catch {
        standing.textContent = "The server does not answer.";
      }
      setTimeout(look, 1000);
    };
    setTimeout(look, 500);
  }

  if (file) {
    const form = file.form, said = at("said"), most = Number(form.dataset.most);
    const large = () => file.files.length > 0 && file.files[0].size > most;
    const tell = () => {
      said.textContent = large() ? `${file.files[0].name} has more than ${most / 1e6} MB.` : "";
    };
    file.addEventListener("change", tell);
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      file.classList.add("over");
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) file.classList.remove("over");
    });
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      file.classList.remove("over");
      const one = new DataTransfer();
      one.items.add(event.dataTransfer.files[0]);
      file.files = one.files;
      tell();
      file.focus();
    });
    form.addEventListener("submit", (event) => {
      const filled = at("text").value.trim() || file.files.length || at("address").value.trim();
      if (filled && !large()) return;
      event.preventDefault();
      if (!filled) said.textContent = "Paste a text, choose a file or give an address.";
      (filled ? file : at("text")).focus();
    });
  }
})();
