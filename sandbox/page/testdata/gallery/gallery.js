// Draws golden files of the cards with the page's own modules, and looks at what
// came out. Only tests use it.

import { html, render } from "/static/vendor/htm-preact.js";
import { Blocks } from "/static/js/blocks/blocks.js";
import { every } from "/static/js/blocks/nested.js";
import { Home } from "/static/js/home.js";
import { Modal } from "/static/js/modal.js";

const stage = document.getElementById("stage");
const users = [
  { id: "U0MARIA", name: "maria", real_name: "Maria Lopez" },
  { id: "U0PETER", name: "peter", real_name: "Peter Baum" },
];
const channels = [
  { id: "C0PHOTOS", name: "photos" },
  { id: "C0SECRET", name: "secret", private: true },
  { id: "D0APP", name: "Darkroom", im: true },
];

/** What the elements asked of the workspace, oldest first, and what it answers. */
const asked = [];
let answers = {};

const api = {
  async act(name, body) {
    asked.push({ name, ...body });
    const answer = answers[name];
    if (typeof answer === "string") throw new Error(answer);
    await new Promise((resolve) => setTimeout(resolve, answers.wait ?? 0));
    return answer ?? {};
  },
  async upload(files) {
    asked.push({ name: "upload", files: files.map((file) => file.name) });
    return files.map((file) => ({ ref: `ref of ${file.name}`, name: file.name }));
  },
};

const world = { api, users, channels, me: users[0] };

/** Pictures of this site; sample photos, when it has them, by turns. */
let photos = ["/static/favicon.svg"];
let taken = 0;
const local = (address) => (address.startsWith("/static/") ? address : photos[taken++ % photos.length]);

/** The blocks as the workspace hands them on: each with an id, nested ones too, pictures from here. */
function blocksOf(blocks) {
  let ids = 0;
  const all = JSON.parse(JSON.stringify(blocks ?? []), (key, value) => {
    if (key === "image_url") return local(value);
    return value?.slack_file ? { ...value, slack_file: undefined, image_url: local("") } : value;
  });
  for (const block of every(all)) block.block_id ??= `b${ids++}`;
  return all;
}

const viewOf = (golden, more) => ({
  id: "V1",
  type: golden.type,
  title: golden.title?.text,
  submit: golden.submit?.text ?? "",
  close: golden.close?.text ?? "",
  values: {},
  errors: {},
  notice: "",
  ...more,
  blocks: blocksOf(golden.blocks),
});

function draw(golden, more = {}, depth = 1) {
  if (golden.type === "modal") return html`<${Modal} view=${viewOf(golden, more)} depth=${depth} ...${world} />`;
  if (golden.type === "home") return html`<${Home} view=${viewOf(golden, more)} ...${world} />`;
  const target = { channel: "C0PHOTOS", ts: golden.ts ?? "1.1" };
  return html`<div class="gallery-message">
    <${Blocks} blocks=${blocksOf(golden.blocks)} values=${more.values ?? {}} target=${target} ...${world} />
  </div>`;
}

const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

const named = (control) => control.getAttribute("aria-label")?.trim() || control.textContent.trim() || [...(control.labels ?? [])].map((label) => label.textContent.trim()).join(" ");

/** Everything plain_text in the golden file that must be readable. What is asked when a button is pressed is not drawn yet. */
function wordsOf(value, found = []) {
  if (Array.isArray(value)) value.forEach((one) => wordsOf(one, found));
  else if (value && typeof value === "object") {
    if (value.type === "plain_text") found.push(value.text);
    for (const [key, one] of Object.entries(value)) if (!/^(placeholder|initial_|options|metadata|confirm$|text$)/.test(key) || typeof one === "object" && key === "text") wordsOf(one, found);
  }
  return found;
}

const flat = (text) => text.replace(/:[a-z0-9_+-]+:/g, "").replace(/\s+/g, " ").trim();

/** What is wrong with what is drawn now. */
function faults(golden) {
  const found = [];
  for (const node of document.querySelectorAll("[data-unknown]")) found.push(`unknown: ${node.dataset.unknown}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} > ${innerWidth}`);
  const body = document.querySelector(".bk-modal__body");
  if (body && body.scrollWidth > body.clientWidth) found.push(`the modal scrolls sideways: ${body.scrollWidth} > ${body.clientWidth}`);
  for (const node of document.querySelectorAll(".bk *, .bk-modal__head *, .bk-modal__foot *")) {
    const box = node.getBoundingClientRect();
    const round = node.closest(".bk, .bk-modal").getBoundingClientRect();
    const unseen = box.width <= 1 || node.closest("option, svg") || getComputedStyle(node).display === "inline"; // blanks hang over at a line's end
    if (!unseen && (box.right > round.right + 1 || box.left < round.left - 1)) found.push(`sticks out: ${node.outerHTML.slice(0, 120)}`);
  }
  for (const control of document.querySelectorAll("#stage button, #stage input, #stage select, #stage textarea, #stage a[href]")) {
    if (!named(control)) found.push(`no name: ${control.outerHTML.slice(0, 120)}`);
  }
  const styled = [...document.querySelectorAll("#stage i")].filter((node) => node.textContent === "so");
  for (const node of [...styled, ...document.querySelectorAll('#stage .m-emoji[title=":tada:"]')]) found.push(`words of people were drawn: ${node.outerHTML}`);
  const read = flat(stage.textContent);
  for (const words of wordsOf(golden.blocks)) if (!read.includes(flat(words))) found.push(`not to be read: ${words.slice(0, 120)}`);
  return found;
}

async function show(golden, more, depth) {
  render(draw(golden, more, depth), stage);
  await drawn();
}

const fetched = async (path) => (await fetch(path.startsWith("gallery/") ? `/static/${path}` : `/static/golden/${path}`)).json();

/** Draws each golden file; the faults by path. */
async function check(paths) {
  const wrong = {};
  for (const path of paths) { // one after the other: a browser refuses some thousands of requests at once
    const golden = await fetched(path);
    if (!golden.blocks) continue;
    render(draw({ ...golden, ts: path }), stage);
    if (path.includes("/plain/")) await drawn(); // effects once for each card, whatever its words
    const found = faults(golden);
    if (found.length > 0) wrong[path] = found;
    render(null, stage);
  }
  return wrong;
}

window.gallery = {
  asked,
  photos: (addresses) => {
    photos = addresses;
  },
  check,
  show,
  drawn,
  answer: (with_) => {
    answers = with_;
  },
  open: async (path, more, depth) => show({ ...(await fetched(path)), ts: path }, more, depth),
  all: async (paths) => {
    const goldens = await Promise.all(paths.map(fetched));
    render(html`${goldens.map((golden, i) => html`<div key=${paths[i]}>${draw({ ...golden, ts: paths[i] })}</div>`)}`, stage);
    await drawn();
  },
  /** Draws golden files one below the other, each under its name and in full height; where each of them begins. */
  sheet: async (paths, theme) => {
    document.documentElement.dataset.theme = theme;
    stage.className = "sheet";
    const goldens = await Promise.all(paths.map(fetched));
    const boxes = goldens.map((golden, i) => golden.blocks && html`<figure key=${paths[i]}><figcaption>${paths[i]}</figcaption>${draw({ ...golden, ts: paths[i] })}</figure>`);
    render(html`${boxes}`, stage);
    await drawn();
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    return [...stage.children].map((box) => box.offsetTop).concat(stage.offsetHeight);
  },
  clear: async () => {
    render(null, stage);
    asked.length = 0;
    answers = {};
    await drawn();
  },
};
