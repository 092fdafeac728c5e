(() => {
  const form = document.getElementById("marks");
  const names = [...form.dataset.names.split(" "), "note"];
  const keys = [...form.querySelectorAll("article")].map((one) => one.dataset.key);
  const place = "slant-sheet-" + keys.join("").slice(0, 60);
  const value = (key, name) => new FormData(form).get(key + "-" + name) || "";
  const cell = (text) => '"' + (/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replace(/"/g, '""') + '"';
  const count = () => {
    const done = keys.filter((key) => names.slice(0, -1).every((name) => value(key, name))).length;
    document.getElementById("count").textContent = done + " of " + keys.length + " marked";
  };
  try {
    for (const [name, said] of Object.entries(JSON.parse(localStorage.getItem(place) || "{}"))) {
      const field = form.elements[name];
      if (field) field.value = said;
    }
  } catch (error) { document.getElementById("count").textContent = "Marks are not kept here."; }
  form.addEventListener("change", () => {
    try { localStorage.setItem(place, JSON.stringify(Object.fromEntries(new FormData(form)))); }
    catch (error) { document.getElementById("count").textContent = "Marks are not kept here."; }
    count();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const lines = [["key", ...names].join(","),
      ...keys.map((key) => [key, ...names.map((name) => cell(value(key, name)))].join(","))];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
    link.download = "marks.csv";
    link.click();
  });
  count();
})();
