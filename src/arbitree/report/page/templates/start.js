const data = (id) => JSON.parse(document.getElementById(id).textContent);

async function start() {
  document.querySelectorAll("table.sorted").forEach(sortable);
  document.querySelectorAll(".table.searched").forEach(searchable);
  const walks = data("trees");
  document.querySelectorAll("[data-tree]").forEach((holder) => tree(holder, walks[Number(holder.dataset.tree)]));
  await drawAll(data("specs"));
  frontiers();
  document.documentElement.dataset.drawn = "true";
}

let opened = [];
window.addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((one) => { one.open = true; });
});
window.addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
start();
