// Slack's markup as elements. Nothing is escaped by hand: every piece of text becomes a
// text node, so that no message can write HTML.
import { h } from "/static/vendor/htm-preact.js";
import { emoji } from "./emoji.js";
import { fill, full, known } from "./dates.js";
import { go, goTo } from "./route.js";
import { nameOf, useWorld } from "./world.js";

/** Mrkdwn is a text with everybody's names; plain is plain_text: only emoji are drawn. */
export function Mrkdwn({ text, plain = false }) {
  const world = useWorld();
  return plain ? plainText(text) : mrkdwn(text, world);
}

/**
 * mrkdwn turns Slack's markup into vnodes. look = {users, channels, me, verbatim}: verbatim text shows an
 * address that nobody put in brackets as it is (docs.slack.dev/reference/block-kit/composition-objects/text-object).
 */
export function mrkdwn(text, look = {}) {
  return blocksOf(String(text ?? ""), look);
}

/** plainText draws emoji and line breaks. */
export function plainText(text) {
  return lines(String(text ?? ""), (line) => withEmoji(line));
}

/** words is the text as it reads aloud. */
export function words(text, look = {}) {
  return flat(mrkdwn(text, look)).replace(/\s+/g, " ").trim();
}

function flat(node) {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(flat).join("");
  if (typeof node !== "object") return String(node);
  if (node.type === "br") return " ";
  const inner = flat(node.props?.children);
  return /^(pre|blockquote|li|div)$/.test(node.type) ? ` ${inner} ` : inner;
}

// Blocks: ```code```, quotes, lists, and lines.

function blocksOf(text, look) {
  return text.split(/```([\s\S]*?)```/).map((part, i) => {
    if (i % 2) return h("pre", { class: "m-pre" }, code(part.replace(/^\n|\n$/g, "")));
    // The line break beside a code block is the block's own.
    const before = i > 0 ? part.replace(/^\n/, "") : part;
    return quotesOf(i < text.split("```").length - 1 ? before.replace(/\n$/, "") : before, look);
  });
}

// quotesOf gathers neighbouring lines of one kind.
function quotesOf(text, look) {
  if (text === "") return null;
  const runs = [];
  for (const line of text.split("\n")) {
    const { kind, rest } = kindOf(line);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(rest);
    else runs.push({ kind, lines: [rest] });
  }
  return runs.map(({ kind, lines: ls }) => {
    if (kind === "quote") return h("blockquote", { class: "m-quote" }, inLines(ls, look));
    if (kind === "list") return h("ul", { class: "m-list" }, ls.map((line) => h("li", null, spans(line, look))));
    return inLines(ls, look);
  });
}

function kindOf(line) {
  const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
  if (quote) return { kind: "quote", rest: quote[1] };
  const item = /^\s*[•‣◦] +(.*)$/.exec(line);
  if (item) return { kind: "list", rest: item[1] };
  return { kind: "text", rest: line };
}

const inLines = (ls, look) => ls.map((line, i) => [i > 0 && h("br"), spans(line, look)]);
const lines = (text, draw) => text.split("\n").map((line, i) => [i > 0 && h("br"), draw(line)]);

// Spans: `code` first, for nothing is markup inside it, unless the mark is in a reference; then
// <references>, then marks.

function spans(line, look) {
  const found = [];
  let from = 0;
  for (const { 0: part, index } of line.matchAll(/<[^<>]*>|`[^`\n]+`/g)) {
    if (part.startsWith("<")) continue;
    found.push(marked(line.slice(from, index), look), h("code", { class: "m-code" }, code(part.slice(1, -1))));
    from = index + part.length;
  }
  return [...found, marked(line.slice(from), look)];
}

// A mark counts at the edge of a word. A zero-width space is such an edge: that is how people make a
// part of a word bold, and why it does not keep a mark from counting.
const before = "(^|[\\s\\u200b(\\[{\"'>*_~—–-])";
const after = "(?=$|[\\s\\u200b.,;:!?)\\]}\"'<*_~—–-])";
const marks = [["*", "b"], ["_", "i"], ["~", "s"]].map(([mark, tag]) => ({
  tag,
  // A reference is one piece: a mark inside its brackets is part of an address.
  pattern: new RegExp(`${before}\\${mark}((?:<[^<>]*>|[^\\${mark}\\n])+?)\\${mark}${after}`),
}));

function marked(text, look) {
  let first = null;
  for (const { tag, pattern } of marks) {
    const found = pattern.exec(text);
    if (found && !/^\s|\s$/.test(found[2]) && !inside(text, found.index + found[1].length) && (!first || found.index < first.found.index)) {
      first = { tag, found };
    }
  }
  if (!first) return references(text, look);
  const { tag, found } = first;
  const start = found.index + found[1].length;
  const end = found.index + found[0].length;
  return [marked(text.slice(0, start), look), h(tag, null, marked(found[2], look)), marked(text.slice(end), look)];
}

// inside tells whether a position is between the brackets of a reference.
const inside = (text, at) => text.lastIndexOf("<", at) > text.lastIndexOf(">", at);

function references(text, look) {
  return text.split(/<([^<>]+)>/).map((part, i) => (i % 2 ? reference(part, look) : bare(part, look)));
}

function reference(token, look) {
  const cut = token.indexOf("|");
  const body = cut < 0 ? token : token.slice(0, cut);
  const label = cut < 0 ? "" : token.slice(cut + 1);
  if (body.startsWith("@")) return person(body.slice(1), look);
  if (body.startsWith("#")) return channel(body.slice(1), label, look);
  if (body.startsWith("!date^")) return date(body.slice(6), label);
  if (body.startsWith("!")) return h("span", { class: "m-mention me" }, label ? decoded(label) : "@" + body.slice(1).split("^")[0]);
  return link(body, label);
}

function person(id, { users = [], me }) {
  const user = users.find((u) => u.id === id);
  return h("span", { class: id === me?.id ? "m-mention me" : "m-mention", title: user && user.name }, "@" + (user ? nameOf(user) : id));
}

function channel(id, label, { channels = [] }) {
  const found = channels.find((c) => c.id === id);
  if (!found) return h("span", { class: "m-mention" }, "#" + (decoded(label) || "private"));
  const open = (e) => {
    e.preventDefault();
    go({ channel: id, app: "", thread: "" });
  };
  return h("a", { class: "m-mention", href: `#channel=${id}`, onClick: open }, "#" + found.name);
}

function date(body, fallback) {
  const [seconds, pattern, address] = body.split("^");
  if (!/^-?\d+$/.test(seconds) || !known(pattern)) return decoded(fallback);
  const said = h("time", { dateTime: new Date(seconds * 1000).toISOString(), title: full(new Date(seconds * 1000)) }, fill(decoded(pattern), seconds));
  return address ? anchor(decoded(address), said) : said;
}

function link(address, label) {
  const plain = decoded(address);
  return anchor(plain, label ? withEmoji(decoded(label)) : plain.replace(/^mailto:/, ""));
}

// permalink is a message of this workspace: docs.slack.dev/reference/methods/chat.getPermalink.
const permalink = /^https:\/\/[\w-]+\.slack\.com\/archives\/([CDG]\w+)\/p(\d+)(\d{6})(?:\?thread_ts=([\d.]+).*)?$/;

/** threadAt is the thread on this page that an address leads to, or null. */
export function threadAt(address) {
  const message = permalink.exec(address);
  if (!message) return null;
  const [, channel, seconds, micros, thread] = message;
  const ts = `${seconds}.${micros}`;
  return { route: { channel, app: "", thread: thread || ts }, ts };
}

// anchor opens elsewhere, a message of this workspace here; an address that is none of the
// web's or of mail's is only text.
function anchor(address, label) {
  const thread = threadAt(address);
  if (thread) return here(thread, label);
  if (!/^(https?:\/\/|mailto:|tel:)/i.test(address)) return label;
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, label);
}

// here leads to a thread on this page.
function here(at, label) {
  const open = (e) => {
    e.preventDefault();
    goTo(at);
  };
  return h("a", { href: `#channel=${at.route.channel}&thread=${at.route.thread}`, onClick: open }, label);
}

const url = /(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]}"'])/;

// bare text may still hold an address: people type them as they are.
function bare(text, { verbatim }) {
  if (verbatim) return withEmoji(decoded(text));
  return text.split(url).map((part, i) => (i % 2 ? link(part, "") : withEmoji(decoded(part))));
}

function withEmoji(text) {
  return text.split(/:([a-z0-9_+-]+):(?!\w)/).map((part, i) => {
    if (i % 2 === 0) return part;
    return emoji[part] ? h("span", { class: "m-emoji", role: "img", "aria-label": part.replaceAll("_", " "), title: `:${part}:` }, emoji[part]) : `:${part}:`;
  });
}

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const decoded = (text) => text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity]);

// code shows an address without its brackets, and nothing else is drawn.
const code = (text) => decoded(text.replace(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_, address, label) => label || address));
