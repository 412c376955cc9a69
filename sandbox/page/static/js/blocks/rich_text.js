import { html } from "/static/vendor/htm-preact.js";
import { mrkdwn } from "../mrkdwn.js";
import { useSurface } from "./surface.js";

/** A rich_text block: paragraphs, quotes, lists and code. */
export function RichText({ block }) {
  const { users, channels, me } = useSurface();
  return html`<div class="bk-rich bk-text">${block.elements.map((part) => partOf(part, { users, channels, me }))}</div>`;
}

function partOf(part, names) {
  if (part.type === "rich_text_list") {
    const items = part.elements.map((item) => html`<li dir="auto">${inside(item, names)}</li>`);
    const far = { "--indent": part.indent ?? 0 };
    return part.style === "ordered" ? html`<ol style=${far} start=${(part.offset ?? 0) + 1}>${items}</ol>` : html`<ul style=${far}>${items}</ul>`;
  }
  if (part.type === "rich_text_quote") return html`<blockquote dir="auto">${inside(part, names)}</blockquote>`;
  if (part.type === "rich_text_preformatted") return html`<pre dir="auto">${inside(part, names)}</pre>`;
  return html`<div dir="auto">${inside(part, names)}</div>`;
}

const inside = (part, names) => (part.elements ?? []).map((element) => word(element, names));

const written = {
  user: (element) => `<@${element.user_id}>`,
  channel: (element) => `<#${element.channel_id}>`,
  emoji: (element) => `:${element.name}:`,
  broadcast: (element) => `<!${element.range}>`,
  date: (element) => `<!date^${element.timestamp}^${element.format}|${element.fallback ?? ""}>`,
};

function word(element, names) {
  if (element.type === "link") return html`<a href=${element.url} target="_blank" rel="noopener noreferrer">${element.text ?? element.url}</a>`;
  if (written[element.type]) return mrkdwn(written[element.type](element), names);
  const { bold, italic, strike, code } = element.style ?? {};
  let words = element.text ?? element.value ?? element.usergroup_id ?? element.team_id ?? "";
  if (code) words = html`<code>${words}</code>`;
  if (strike) words = html`<s>${words}</s>`;
  if (italic) words = html`<i>${words}</i>`;
  return bold ? html`<b>${words}</b>` : words;
}

/** A markdown block, by way of Slack's own markup. */
export function Markdown({ block }) {
  const { users, channels, me } = useSurface();
  const text = block.text
    .replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c])
    .replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, "<$2|$1>")
    .replace(/^#{1,6} +(.+)$/gm, "*$1*")
    .replace(/\*\*(.+?)\*\*/g, "*$1*")
    .replace(/^[-*] /gm, "• ");
  return html`<div class="bk-text" dir="auto">${mrkdwn(text, { users, channels, me })}</div>`;
}
