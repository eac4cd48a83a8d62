// Vega draws; here its marks are put in reach of the keyboard.
const views = [];

function shaped(given, element) {
  const width = element.clientWidth;
  const legend = { ...given.config.legend, columns: width < 480 ? 1 : 2 };
  const spec = { ...given, config: { ...given.config, legend } };
  if (!spec.concat) return spec;
  const columns = width < 640 ? 1 : 2;
  const each = Math.max(Math.min(width / columns - 150, 300), 120);
  return { ...spec, columns, concat: spec.concat.map((one) => ({ ...one, width: each })) };
}

async function draw(element, spec) {
  const drawn = await vegaEmbed(element, shaped(spec, element), {
    actions: false,
    ast: true,
    defaultStyle: false,
    renderer: "svg",
    tooltip: (handler, event, item, value) => tell(value, event.clientX, event.clientY),
  });
  views[Number(element.dataset.chart)] = drawn.view;
  reach(element);
  drawn.view.addSignalListener("width", () => window.setTimeout(() => reach(element), 0));
  return drawn.view;
}

function marksOf(element) {
  const inPlots = '[role="graphics-symbol"][aria-roledescription]';
  const all = [...element.querySelectorAll(inPlots)];
  return all.filter((mark) => mark.tagName === "path" && mark.getAttribute("aria-label"));
}

// One stop of the Tab key for a picture; arrows go from mark to mark.
function reach(element) {
  marksOf(element).forEach((mark, at) => mark.setAttribute("tabindex", at === 0 ? "0" : "-1"));
}

function moved(marks, at, key) {
  if (key === "ArrowDown" || key === "ArrowRight") return Math.min(at + 1, marks.length - 1);
  if (key === "ArrowUp" || key === "ArrowLeft") return Math.max(at - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? marks.length - 1 : -1;
}

function keyboard(element) {
  element.addEventListener("keydown", (event) => {
    const marks = marksOf(element);
    const at = marks.indexOf(event.target);
    const next = at < 0 ? -1 : moved(marks, at, event.key);
    if (next < 0) return;
    event.preventDefault();
    marks[at].setAttribute("tabindex", "-1");
    marks[next].setAttribute("tabindex", "0");
    marks[next].focus();
  });
  element.addEventListener("focusin", (event) => {
    const box = event.target.getBoundingClientRect();
    tell(event.target.getAttribute("aria-label"), box.left + box.width / 2, box.top);
  });
  element.addEventListener("focusout", () => tell(null));
}

async function drawAll(specs) {
  const waiting = [];
  for (const element of document.querySelectorAll("[data-chart]")) {
    keyboard(element);
    const now = () => draw(element, specs[Number(element.dataset.chart)]);
    const folded = element.closest("details:not([open])");
    if (folded) {
      const opened = () => { if (!element.firstChild) now(); };
      folded.addEventListener("toggle", opened, { once: true });
    } else {
      waiting.push(now());
    }
  }
  await Promise.all(waiting);
}
