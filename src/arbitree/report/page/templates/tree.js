// The tree decides here as the model does: numbers are compared as float32.
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MILLISECONDS = { days: 86400000, hours: 3600000, minutes: 60000, seconds: 1000 };

function moment(text, unit) {
  const [name, start] = unit.replace(" UTC", "").split(" since ");
  const time = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  return (time - Date.parse(`${start}T00:00Z`)) / MILLISECONDS[name];
}

// The value of a field: a number, the place of a level, or null where it is missing.
function entered(field, feature) {
  const text = field.value.trim();
  if (text === "") return { value: null, said: "missing" };
  if (field.dataset.kind === "level") {
    return { value: Number(text), said: feature.levels[Number(text)] };
  }
  if (field.dataset.kind === "text") {
    const place = feature.levels.indexOf(text);
    return place < 0 ? { error: "not a level that the tree knows" } : { value: place, said: text };
  }
  if (field.dataset.kind === "date") return { value: moment(text, feature.unit), said: text };
  if (!NUMBER.test(text)) return { error: "write a number such as 1234.5" };
  return { value: Number(text), said: text };
}

function childOf(node, value) {
  const { routes, children } = node;
  if (value === null) return children[routes[routes.length - 1]];
  if (!("threshold" in node)) return children[routes[value]];
  const passes = node.threshold === null || Math.fround(value) <= node.threshold;
  return children[passes ? 0 : 1];
}

function pathOf(walk, values) {
  const path = [0];
  let node = walk.nodes[0];
  while (node.feature !== undefined) {
    const next = childOf(node, values[node.feature].value);
    path.push(next);
    node = walk.nodes[next];
  }
  return path;
}

function because(walk, path, values) {
  const asked = path.slice(0, -1).map((at) => walk.nodes[at].feature);
  const named = [...new Set(asked)].map((at) => `${walk.features[at].name} ${values[at].said}`);
  return named.length ? ` because of ${named.join(", ")}` : " for everybody";
}

function decision(walk, path, values) {
  const leaf = walk.nodes[path[path.length - 1]];
  const tone = walk.favorable.length
    ? (walk.favorable[leaf.label] ? ", which is favourable," : ", which is not favourable,")
    : "";
  const rows = `${leaf.n.toLocaleString("en")} training rows came to the same end.`;
  return `The tree decides ${walk.classes[leaf.label]}${tone}${because(walk, path, values)}. ${rows}`;
}

function readAll(form, walk) {
  const values = {};
  let wrong = false;
  for (const field of form.querySelectorAll("[data-feature]")) {
    const found = entered(field, walk.features[field.dataset.feature]);
    const hint = field.parentElement.querySelector(".hint");
    field.setAttribute("aria-invalid", found.error ? "true" : "false");
    hint.textContent = found.error || hint.dataset.hint;
    wrong = wrong || Boolean(found.error);
    values[field.dataset.feature] = found;
  }
  return wrong ? null : values;
}

function highlight(holder, path) {
  const walked = new Set(path.map(String));
  for (const node of holder.querySelectorAll("[data-node]")) {
    const on = walked.has(node.dataset.node);
    node.classList.toggle("walked", on);
    if (on) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
    const fold = node.querySelector(":scope > details");
    if (on && fold) fold.open = true;
  }
}

function tree(holder, walk) {
  const form = holder.querySelector("form.walk");
  const said = form.querySelector("output");
  const clear = () => {
    said.textContent = "No values yet.";
    highlight(holder, []);
  };
  form.hidden = Object.keys(walk.features).length === 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => window.setTimeout(() => { readAll(form, walk); clear(); }, 0));
  form.addEventListener("input", () => {
    const values = readAll(form, walk);
    if (!values) {
      said.textContent = "One of the values cannot be read.";
      highlight(holder, []);
      return;
    }
    const path = pathOf(walk, values);
    said.textContent = decision(walk, path, values);
    highlight(holder, path);
  });
  folding(holder);
}

function folding(holder) {
  const folds = holder.querySelectorAll(".nodes details");
  const buttons = holder.querySelector(".buttons");
  buttons.hidden = folds.length === 0;
  const set = (open) => () => folds.forEach((fold) => { fold.open = open; });
  buttons.querySelector(".fold").addEventListener("click", set(false));
  buttons.querySelector(".unfold").addEventListener("click", set(true));
}
