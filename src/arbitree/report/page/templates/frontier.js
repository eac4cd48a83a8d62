// A point picked in the picture is picked in the table, and the other way round.
function frontier(form) {
  const said = form.querySelector("output");
  const drawing = form.previousElementSibling.querySelector("[data-chart]");
  const show = (radio) => {
    said.textContent = radio.dataset.told;
    const view = views[Number(drawing.dataset.chart)];
    if (view) view.signal("chosen", Number(radio.value)).runAsync().then(() => reach(drawing));
  };
  form.addEventListener("change", (event) => {
    if (event.target.name === "point") show(event.target);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const pick = (at) => {
    const radio = form.querySelector(`input[name="point"][value="${at}"]`);
    if (!radio) return;
    radio.checked = true;
    show(radio);
  };
  drawing.addEventListener("keydown", (event) => {
    const item = event.target.__data__;
    if ((event.key === "Enter" || event.key === " ") && item && item.datum) {
      event.preventDefault();
      pick(item.datum.at);
    }
  });
  return pick;
}

function frontiers() {
  for (const form of document.querySelectorAll("form.frontier")) {
    const pick = frontier(form);
    const drawing = form.previousElementSibling.querySelector("[data-chart]");
    const view = views[Number(drawing.dataset.chart)];
    if (!view) continue;
    view.addEventListener("click", (event, item) => {
      if (item && item.datum && item.datum.at !== undefined) pick(item.datum.at);
    });
  }
}
