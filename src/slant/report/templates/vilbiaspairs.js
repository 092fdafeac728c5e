"use strict";
(() => {
  const form = document.getElementById("choice");
  const cards = [...document.querySelectorAll(".card")];
  const chosen = (name) => document.getElementById(name)?.value ?? "";
  const fits = (wanted, own) => wanted === "" || wanted === own;
  const filter = () => {
    const [system, mode, right, gold, outlet] =
      ["system", "mode", "right", "gold", "outlet"].map(chosen);
    const asks = system !== "" || mode !== "" || right !== "";
    let shown = 0, answers = 0;
    for (const card of cards) {
      let some = 0;
      for (const one of card.querySelectorAll(".said > li")) {
        const data = one.dataset;
        one.hidden = !(fits(system, data.system) && fits(mode, data.mode) && fits(right, data.right));
        some += !one.hidden;
      }
      card.hidden = !(fits(gold, card.dataset.gold) && fits(outlet, card.dataset.outlet) && (some || !asks));
      if (!card.hidden) {
        shown += 1;
        answers += some;
      }
    }
    document.getElementById("told").textContent =
      `${shown} of ${cards.length} pairs, ${answers} answer${answers === 1 ? "" : "s"}`;
    document.getElementById("none").hidden = shown > 0;
  };
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;
  filter();
})();
