// Tables with a head are sorted by a click on a column's name: numbers the largest first, texts from A to Z, and back.
for (const table of document.querySelectorAll(".wide > table")) {
  const body = table.tBodies[0];
  if (!table.tHead || body.rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    const value = (row) => row.cells[column].textContent.trim();
    const number = (text) => { const found = parseFloat(text.replaceAll(",", "")); return isNaN(found) ? -Infinity : found; };
    button.addEventListener("click", () => {
      const down = head.classList.contains("n") === (head.ariaSort !== (head.classList.contains("n") ? "descending" : "ascending"));
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.ariaSort = down ? "descending" : "ascending";
      const order = head.classList.contains("n")
        ? (a, b) => number(value(a)) - number(value(b)) : (a, b) => value(a).localeCompare(value(b));
      body.append(...[...body.rows].sort((a, b) => (down ? -order(a, b) : order(a, b))));
    });
  });
}
