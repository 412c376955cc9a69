// The window on several workspaces: a rail at the left, and one workspace or two beside it.
import { addressOf, pressed, shownIn, toggled } from "/static/js/rail.js";

const rail = document.getElementById("rail");
const panes = document.getElementById("panes");
const frames = new Map(); // by name: a workspace once shown keeps its place
const buttons = new Map(); // by name
let all = [];
let beside = null; // the button that shows two
let shown = []; // names

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function labelled(made, label) {
  made.title = label;
  made.setAttribute("aria-label", label);
  return made;
}

function draw() {
  const wanted = shownIn(location.hash, all.map((w) => w.name));
  shown = wanted.map(([name]) => name);
  for (const [name, where] of wanted) if (!frames.has(name)) open(name, where);
  panes.dataset.shown = String(shown.length);
  for (const [name, pane] of frames) {
    pane.hidden = !shown.includes(name);
    pane.style.order = String(shown.indexOf(name));
  }
  for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(shown.includes(name)));
  beside?.setAttribute("aria-pressed", String(shown.length > 1));
}

function open(name, where) {
  const { origin } = all.find((w) => w.name === name);
  const frame = element("iframe", { title: name, src: origin + "/" + (where ? "#" + where : "") });
  const pane = element("section", { className: "pane" }, element("h2", {}, name, element("span", { className: "at" })), frame);
  frames.set(name, pane);
  panes.append(pane);
}

// What a workspace tells of itself stands over it, once it is there.
function told({ origin, data }) {
  const from = all.find((w) => w.origin === origin);
  const at = from && frames.get(from.name)?.querySelector(".at");
  if (at) at.textContent = ` ${data.at}, as ${data.who}${data.unread ? ` · ${data.unread} unread` : ""}`;
}

function fillRail(install) {
  for (const { name } of all) {
    const button = labelled(element("button", { type: "button", textContent: name.slice(0, 1), onclick: () => go(pressed(shown, name, shown.length > 1)) }), name);
    const below = element("span", { className: "name", textContent: name });
    below.setAttribute("aria-hidden", "true");
    buttons.set(name, button);
    rail.append(element("li", {}, button, below));
  }
  if (all.length > 1) {
    beside = labelled(element("button", { type: "button", textContent: "◫", onclick: () => go(toggled(shown, all.map((w) => w.name), shown.length < 2)) }), "Side by side");
    rail.append(element("li", {}, beside));
  }
  if (install) {
    const link = element("a", { href: install, target: "_blank", rel: "noopener", textContent: "+" });
    rail.append(element("li", {}, labelled(link, "Add the app to a workspace")));
  }
}

function go(names) {
  location.hash = addressOf(names);
}

async function begin() {
  const { workspaces, install } = await (await fetch("/page/workspaces")).json();
  all = workspaces;
  panes.replaceChildren();
  fillRail(install);
  addEventListener("message", told);
  draw();
  addEventListener("hashchange", draw);
}

begin().catch((error) => panes.replaceChildren(element("p", { className: "starting", role: "alert", textContent: error.message })));
