// The tree decides here as the model does: numbers are compared as float32.
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MILLISECONDS = { days: 86400000, hours: 3600000, minutes: 60000, seconds: 1000 };

function moment(text, unit) {
  const [name, start] = unit.replace(" UTC", "").split(" since ");
  const time = Date.parse(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  return (time - Date.parse(`${start}T00:00Z`)) / MILLISECONDS[name];
}

const OUTSIDE = "the rules say nothing of such a row, and the tree does not decide it";

// What is typed: a number, the place of a level, "other" for one that the tree does not know, null
// for missing, undefined for what cannot be read.
function typed(field, feature) {
  const text = field.value.trim();
  const kind = field.dataset.kind;
  if (text === "") return null;
  if (kind === "level") return text === "other" ? text : Number(text);
  if (kind === "text") return feature.levels.includes(text) ? feature.levels.indexOf(text) : "other";
  if (kind === "date") return moment(text, feature.unit);
  return NUMBER.test(text) ? Number(text) : undefined;
}

// Which entry of `occurs` a value has.
function cellOf(feature, value) {
  const { edges, occurs } = feature;
  if (value === null) return occurs.length - 1;
  if (value === "other") return occurs.length - 2;
  return edges ? edges.filter((edge) => edge < Math.fround(value)).length : value;
}

function entered(field, feature) {
  const value = typed(field, feature);
  if (value === undefined) return { error: "write a number such as 1234.5" };
  if (feature.occurs && !feature.occurs[cellOf(feature, value)]) {
    return value === null ? { needed: feature.name } : { error: OUTSIDE };
  }
  if (value === null) return { value, said: "missing" };
  if (value === "other") return { value: null, said: "unlike any known" };
  const said = typeof feature.levels === "object" ? feature.levels[value] : field.value.trim();
  return { value, said };
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
  const needed = [];
  let wrong = false;
  for (const field of form.querySelectorAll("[data-feature]")) {
    const found = entered(field, walk.features[field.dataset.feature]);
    const hint = field.parentElement.querySelector(".hint");
    field.setAttribute("aria-invalid", found.error ? "true" : "false");
    hint.textContent = found.error || hint.dataset.hint;
    wrong = wrong || Boolean(found.error);
    if (found.needed) needed.push(found.needed);
    values[field.dataset.feature] = found;
  }
  if (wrong) return { problem: "One of the values cannot be used." };
  return needed.length ? { problem: `Still needed: ${needed.join(", ")}.` } : { values };
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
    const { values, problem } = readAll(form, walk);
    if (problem) {
      said.textContent = problem;
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
