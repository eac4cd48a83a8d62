// Tables to sort by any column, and to search where they are long.
function valueOf(row, at) {
  const cell = row.cells[at];
  if (cell.dataset.order !== undefined) return Number(cell.dataset.order);
  return cell.textContent.trim();
}

const unknown = (value) => value === "" || value === "n/a";

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return a.localeCompare(b, "en", { numeric: true });
}

function sortBy(table, head, at) {
  const descending = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const numbers = [...body.rows].some((row) => row.cells[at].dataset.order !== undefined);
  const last = (value) => (numbers ? typeof value !== "number" : unknown(value));
  const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, at) }));
  rows.sort((a, b) => {
    if (last(a.value) || last(b.value)) return last(a.value) - last(b.value);
    return descending ? compare(b.value, a.value) : compare(a.value, b.value);
  });
  body.append(...rows.map(({ row }) => row));
}

function sortable(table) {
  if (table.tBodies[0].rows.length < 2) return;
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const name = head.querySelector(".head");
    if (!name) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.textContent = name.textContent;
    button.addEventListener("click", () => sortBy(table, head, at));
    name.replaceWith(button);
  });
}

function searchable(holder) {
  const table = holder.querySelector("table");
  const label = document.createElement("label");
  const field = document.createElement("input");
  const count = document.createElement("span");
  const line = document.createElement("p");
  line.className = "filter";
  field.type = "search";
  field.autocomplete = "off";
  label.append("Show rows with ", field);
  count.setAttribute("role", "status");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = wanted ? `${shown} of ${table.tBodies[0].rows.length} rows` : "";
  });
  line.append(label, count);
  holder.prepend(line);
}
